//! Hopper: measured on an H200 with 132 multiprocessors, or on an H100 where it says so.

use super::*;

/// The description.
pub const SM_90: Arch = Arch {
    // LU, Cholesky and products use their rules: no measured plan was faster by enough to be kept.
    tables: Tables { geqrf: include_str!("sm_90.csv"), others: "" },
    classes: Classes { most_area: [i64::MAX, i64::MAX, 1 << 18, 1 << 14, 1 << 10], least_area: 1 << 10 },
    blocks: Blocks { most: 8192, enough: 512 },
    cublas: Cublas { workspace: 32 << 20, solves_from: 512, solves_most: 16 },
    geqrf: Geqrf {
        finish: PerType { s: 128, d: 128, c: 112, z: 64 },
        spread: 512,
        first_round: 2,
        tf32_batch: 1000,
        narrow_first: NarrowFirst { columns: 112, launches: 7.0, traffic: 2.6e6, worth: 0.95 },
        wide: 3, // on an H100 (results/h100/off_grid.csv)
    },
    clusters: Clusters {
        times: CLUSTERS,
        untimed: 3.0,
        call: 9.0,
        traffic: 4.3e6,
        overtakes: PerType { s: (1024, 16), d: (1024, 16), c: (512, 16), z: (512, 8) },
        update: 20.0,
        divided_update: 35.0,
        divided_traffic: 0.7,
    },
    // Rounded times. Those from the Gram matrix are from an H100.
    tree: Tree {
        launches: 45.0,
        path: PerType { s: 0.07, d: 0.10, c: 0.23, z: 0.34 },
        block: PerType { s: 1.0, d: 2.0, c: 4.0, z: 6.0 },
        block_start: 0.02,
        block_columns: 1.6e-4,
        gram_launches: PerType { s: 75.0, d: 100.0, c: 80.0, z: 110.0 },
        gram_passes: PerType { s: 3.0, d: 4.0, c: 4.0, z: 5.0 },
        gram_traffic: 2.9e6,
        at_once: 280.0,
        element: 2.5e-4,
        elements: PerType { s: 1.0, d: 1.2, c: 1.6, z: 3.3 },
        column: 2.0,
    },
    gram: Gram { outer_rows: 200_000, part_rows: 512, outer_rounds: 2 },
    divided: Divided {
        alone_rows: 512,
        // On an H200 (results/h200/q_wide.csv).
        alone_rows_of_q: PerType { s: 160, d: 400, c: 256, z: 420 },
        // narrow_rows, several_share: on an H200 (results/h200/q_narrow.csv).
        narrow_rows: PerType { s: 1000, d: 600, c: 500, z: 550 },
        alone_share: 32,
        several_share: 6,
        always_rows: PerType { s: 640, d: 512, c: 700, z: 512 },
        tensor_cores: 64,
        run: 8,
        run_start: 1,
        ahead: 512,
        chunk_rows: 8,
        chunk_enough: 256,
        waves: 4,
        wave_gain: 8,
    },
    larft_at_once: 64,
    geqr: Geqr { waves: 2 },
    geqp3: Geqp3 { stepped_batch: 16, stepped_from: 16, stepped_area: 320 * 320, team_share: 3 },
    qr: Qr { area: 48 * 48, rows: PerType { s: 64, d: u32::MAX, c: u32::MAX, z: u32::MAX } },
    orgqr: Orgqr {
        finish: PerType { s: 128, d: 128, c: 104, z: 64 },
        few: 3,
        // On an H200 (results/h200/q_at_once.csv).
        at_once: QAtOnce {
            matrices: 22,
            least: PerType { s: [129, 33], d: [129, 33], c: [97, 33], z: [97, 33] },
            least_tall: [1500, 4],
            most: [16_384, 640],
            large: 1 << 19,
        },
    },
    // few, few_rows: on an H200 (results/h200/q_few.csv).
    ormqr: Ormqr {
        thin: 8,
        few: PerType { s: 16, d: 8, c: 12, z: 4 },
        few_rows: 128,
        // On an H200 (results/h200/q_applied_at_once.csv).
        at_once: ApplyAtOnce {
            matrices: 8,
            least: PerType { s: [97, 33], d: [129, 65], c: [129, 33], z: [97, 41] },
            most: [1500, 640],
            columns: PerType { s: 9, d: 3, c: 9, z: 3 },
        },
    },
    gels_iterative: GelsIterative {
        processors: 132,
        full: 1 << 24,
        full_most: 64,
        large_tile: 128,
        // Small tiles waste less, but cost up to a fifth more.
        small_tile: (7, 6),
        waiting: (256, 2),
        rounds: 3,
        filled: 900,
        chunks: 400,
        shared: [113 * 1024, 227 * 1024],
    },
    getrf: Getrf {
        one_level: 160,
        rest: 32,
        tall: 256,
        in_global: 16,
        // On an H200 (results/h200/large_members.csv).
        clustered: Clustered { few: 32, few_tall: 256, columns: 256 },
        busy: 3 * 132,
        filled: 2 * 132,
        many_columns: 320,
        // In double precision complex, products are expensive enough with a width of 64.
        wide: PerType { s: true, d: true, c: true, z: false },
        narrowest: 8,
        halves: 256,
        many: 512,
        team_unless_full: PerType {
            s: None,
            d: Some(TeamOrders { larger: (65, 96), columns: 41 }),
            c: Some(TeamOrders { larger: (65, 128), columns: 0 }),
            z: Some(TeamOrders { larger: (49, 64), columns: 49 }),
        },
        // On an H200 (results/h200/getrf_middle.csv).
        strips_from: (128, 64),
        each_strips: [96, 128],
        each_from: 65,
        large: LargeLu { from: 512, most: 16, outer: 256, wider: (12288, 512), group: 64 },
    },
    getri: Getri {
        traced: 128,
        diagonals: 4,
        // On an H200 (results/h200/getri_strips.csv).
        pairs: PerType { s: 0, d: 128, c: 0, z: 0 },
        strips: 32,
        // In c above 64, because a multiprocessor then holds two blocks rather than one; in z above 40, because
        // registers hold no more. In c beyond 128, which 8 x 8 elements do not reach, up to 132
        // (results/h200/getri_ahead.csv).
        sixes: PerType {
            s: &[17..=24, 41..=48],
            d: &[17..=24, 41..=48],
            c: &[17..=24, 41..=48, 65..=96, 129..=132],
            z: &[17..=24, 41..=i64::MAX],
        },
        // On an H200 (results/h200/getri_ahead.csv).
        ahead: PerType { s: [129, 256], d: [129, 256], c: [129, 256], z: [0, 256] },
        few_in_registers: PerType { s: 132, d: 64, c: 128, z: 96 },
        many: 200,
    },
    potrf: Potrf {
        in_place: 32,
        solved: 64,
        // On an H200 (results/h200/potrf_blocks.csv).
        second: PerType {
            s: &[(145..=240, 128)],
            d: &[(145..=192, 128), (209..=224, 128)],
            c: &[(145..=240, 128)],
            z: &[(145..=160, 96), (193..=224, 128)],
        },
        least_first: 64,
        many: 512,
        mixed: 64,
        // On an H200 (results/h200/potrf_small_apart.csv).
        mixed_many: PerType { s: 64, d: 64, c: 48, z: 32 },
        members: 2048,
        by_rows: &[(Dtype::S, 33, 64, 1), (Dtype::D, 33, 64, 1), (Dtype::C, 33, 48, 1), (Dtype::Z, 33, 48, 2)],
        large: LargeCholesky { from: 256, most: 16, outer: 512, whole: 4096 },
    },
    posv: Posv {
        together: (32, 48),
        by_rows: &[
            (Dtype::S, 33, 64, 1),
            (Dtype::D, 33, 64, 1),
            (Dtype::C, 33, 48, 1),
            (Dtype::C, 49, 64, 2),
            (Dtype::Z, 33, 48, 2),
        ],
    },
    getrs: Getrs {
        // On an H100, like those of potrs (results/h100/solve_sides_designs.csv).
        sides: 48,
        // On an H200 (results/h200/getrs_sides.csv).
        sides_of_some: [(16, PerType { s: 64, d: 56, c: 64, z: 52 }), (48, PerType { s: 64, d: 64, c: 64, z: 52 })],
        sides_first: PerType { s: 39, d: 40, c: 36, z: 39 },
        sides_room: 28 << 10,
        in_registers: 32,
        wide: 128,
        tallest: PerType { s: i64::MAX, d: i64::MAX, c: i64::MAX, z: 384 },
        several: (1024, 32),
    },
    potrs: Potrs {
        tiny: 8,
        // On an H200 (results/h200/potrs_tiles.csv).
        tiles: [4, 3],
        sides: 32,
        // On an H200 (results/h200/potrs_sides.csv).
        sides_of_some: [
            (8, PerType { s: 40, d: 32, c: 48, z: 48 }),
            (16, PerType { s: 48, d: 40, c: 64, z: 48 }),
            (48, PerType { s: 64, d: 64, c: 64, z: 48 }),
        ],
        beside: [48, 64],
        tiled: 128,
        tiled_most: PerType { s: 4, d: 4, c: 4, z: 2 },
        tallest: PerType { s: i64::MAX, d: i64::MAX, c: i64::MAX, z: 192 },
        several: (512, 16),
        short: PerType { s: 0, d: 0, c: 0, z: 32 },
    },
    potri: Potri {
        divided: 384,
        grid: PerType { s: 128, d: 40, c: 64, z: 96 },
        // In z, registers only hold one block in any case.
        pairs: PerType { s: 128, d: 128, c: 128, z: 0 },
        // On an H200 (results/h200/getri_ahead.csv).
        ahead: [129, 256],
    },
    trsm: Trsm {
        // On an H100. In complex types a strip is no wider than a tile; double precision has no strips.
        strips: PerType { s: [[192, 96], [96, 33]], d: [[33, 33]; 2], c: [[33, 33]; 2], z: [[33, 33]; 2] },
        // On an H100 (results/h100/trsm_few_sides.csv).
        few_sides: PerType { s: [64, 64], d: [48, 0], c: [64, 48], z: [48, 0] },
        narrow: 8,
        busy: 132,
        // On an H200 (results/h200/trsm_rounds.csv).
        halves: (192, 32),
        // On an H200 (results/h200/trsm_middle.csv), with the following two.
        halves_middle: PerType { s: (96, 512), d: (96, 512), c: (0, 0), z: (96, 132) },
        middle: 64,
        last_sides: PerType { s: i64::MAX, d: i64::MAX, c: 129, z: i64::MAX },
        // On an H200 (results/h200/trsm_in_strips.csv).
        halves_in_strips: PerType { s: 0, d: 0, c: 128, z: 0 },
        // On an H200 (results/h200/large_triangles.csv, large_systems.csv).
        halves_alone: (1024, 16),
        halves_both: (4096, 256),
        block: 128,
    },
    // On an H200 (results/h200/large_members_padded.csv).
    padded: Padded {
        few: 32,
        some: 256,
        narrow: 256,
        geqrf: [256, 2049],
        orgqr: [256, 2049],
        ormqr: [1536, 2049],
        trsm: 768,
        sides: 256,
        trsm_narrow: (1024, 200),
    },
    // On an H200 (results/h200/members_sorted.csv).
    sorted: Sorted {
        largest: 512,
        members: 2000,
        geqrf: 48 << 20,
        getrf: 64 << 20,
        potrf: 128 << 20,
        any_number: 256 << 20,
    },
    // On an H200 (results/h200/large_triangles.csv, trtri_doubled.csv; strips: getri_ahead.csv).
    trtri: Trtri {
        doubled: PerType { s: 128, d: 128, c: 192, z: 160 },
        doubled_few: PerType { s: 128, d: 128, c: 128, z: 64 },
        few: 256,
        doubled_many: PerType { s: 128, d: 128, c: 128, z: 0 },
        many: 768,
        strips: PerType { s: [33, 192], d: [33, 192], c: [33, 256], z: [129, 256] },
        strips_many: 200,
    },
    // On an H200 (results/h200/large_triangular_products.csv).
    trmm: Halves { least: 192, many: (256, 32), few: (192, 256), plenty: (256, 0), block: 64 },
    symm: Halves { least: 192, many: (192, 8), few: (1024, 512), plenty: (512, 512), block: 64 },
    gemm: Gemm {
        read: 14.0,
        write: 12.0,
        short: 16,
        // On an H200 (results/h200/gemm_each_tiles.csv).
        each: PerType { s: [1.0, 1.0], d: [1.2, 0.7], c: [0.9, 1.1], z: [0.95, 1.1] },
        ragged: (3, 10), // on an H100 (results/h100/gemm_few_random.csv)
        few: 512,
        // Fitted to times on an H100 (results/h100/gemm_few.csv).
        cycles: GemmCycles {
            alone: 0.66,
            chunk: 550.0,
            aside: 10.0,
            warp: 16.0,
            store: 14.8,
            meet: 2600.0,
            block: 510.0,
            teams: 2.5,
        },
        slower: GEMM_SLOWER,
        small: 32,
        gain: 0.9,
        costlier: GEMM_COSTLIER,
        // On an H100 (results/h100/gemm_tall.csv).
        tall: (1024, 64),
        // On an H200 (results/h200/gemm_tall_lanes.csv).
        tall_lanes: (32768, 16),
        split: GemmSplit { from: 16384, members: 8, terms: 512, blocks: 528, least: 8 },
    },
    // For an L2 cache of 50 MB.
    gemv: Gemv { long_down: 1024, long_across: 512, many: 32, turns: 4, stays: 36_000_000 },
    narrow: Narrow { at_a_time: 32 << 20, fewest: 1024 },
    vendors: Vendors { gemm, gemv, orgqr, ormqr, getrf, potrf, solve },
};

/// [`Gemm::slower`]: on an H200, for 40 shapes in each precision (results/h200/gemm_choice.csv). In double complex such
/// factors gain less than 3 %.
const GEMM_SLOWER: &[(&str, f64)] = &[
    ("gemm_s_128x64", 1.1),
    ("gemm_s_64x64", 1.25),
    ("gemm_s_32x32", 1.55),
    ("gemm_lanes_s_48x48x24", 1.7),
    ("gemm_lanes_s_32x32x16", 1.8),
    ("gemm_lanes_s_16x64x32", 2.0),
    ("gemm_lanes_s_32x16x16", 0.8),
    ("gemm_lanes_s_24x24x12", 0.8), // like its neighbours; not measured
    ("gemm_lanes_s_16x16x32", 0.9),
    ("gemm_lanes_s_16x16x16", 0.8),
    ("gemm_lanes_s_8x8x8", 0.8),
    ("gemm_d_64x64", 0.8),
    ("gemm_d_32x32", 1.15),
    ("gemm_d_64x16", 1.35),
    ("gemm_d_16x64", 1.1),
    ("gemm_d_16x16", 1.45),
    ("gemm_c_48x48", 1.1),
    ("gemm_lanes_c_32x16x16", 0.55),
    ("gemm_lanes_c_24x24x8", 0.55), // like its neighbours; not measured
    ("gemm_lanes_c_16x16x32", 0.55),
    ("gemm_lanes_c_16x16x8", 0.55),
    ("gemm_lanes_c_8x8x8", 0.55),
];

/// [`Gemm::costlier`]: on an H200, for 29 shapes in each precision (results/h200/gemm_choice.csv).
const GEMM_COSTLIER: &[(&str, f64)] = &[
    ("gemm_d_64x64", 0.9),
    ("gemm_d_32x32", 1.1),
    ("gemm_c_32x32", 0.85),
    ("gemm_z_48x48", 1.2),
    ("gemm_z_32x32", 0.92),
];

/// [`Clusters::times`]. About half of them were measured; the others were inferred from earlier times of batches.
const CLUSTERS: &[(&str, f64)] = &[
    ("cluster_s_4096x32", 25.0),
    ("tall_cluster_s_4096x32_8", 76.0),
    ("cluster_s_8192x32", 33.0),
    ("cluster_s_16384x32", 38.0),
    ("cluster_s_16384x16", 20.0),
    ("tall_cluster_s_16640x16_8", 25.0),
    ("tall_cluster_s_20480x16_8", 31.0),
    ("cluster_s_32768x16", 25.0),
    ("tall_cluster_s_65536x16_8", 33.0),
    ("cluster_d_2048x32", 37.0),
    ("tall_cluster_d_4096x32_16", 39.0),
    ("tall_cluster_d_4096x32_8", 59.0),
    ("cluster_d_8192x32", 44.0),
    ("cluster_d_8192x16", 24.0),
    ("cluster_d_16384x16", 26.0),
    ("tall_cluster_d_16384x16_4", 40.0),
    ("tall_cluster_d_20480x16_8", 36.0),
    ("tall_cluster_d_65536x16_4", 71.0),
    ("cluster_c_4096x32", 48.0),
    ("cluster_c_8192x32", 53.0),
    ("cluster_c_8192x16", 27.0),
    ("cluster_c_16384x16", 30.0),
    ("tall_cluster_c_20480x16_8", 41.0),
    ("cluster_z_4096x16", 32.0),
    ("cluster_z_8192x16", 38.0),
    ("tall_cluster_z_4096x32_4", 99.0),
    ("tall_cluster_z_16384x16_4", 51.0),
];

// The following was measured against cuBLAS and cuSOLVER (results/h200/gemm.csv, gemv.csv, large.csv), or on an H100
// where it says so.

fn gemm(dtype: Dtype, [m, n, k]: [i64; 3]) -> bool {
    let (least, most) = (m.min(n), m.max(n));
    match dtype {
        Dtype::S => least >= 128 && (k <= 8 || k > 64),
        Dtype::D => least.min(k) >= 384,
        Dtype::C => most > 24,
        Dtype::Z => least > 96,
    }
}

fn gemv(dtype: Dtype, transposed: bool, [m, n]: [i64; 2]) -> bool {
    match dtype {
        Dtype::S => false,
        Dtype::D => !transposed && (96..=192).contains(&m.min(n)),
        Dtype::C => !transposed && m <= 16 && n >= 128,
        Dtype::Z => m.max(n) >= 64,
    }
}

/// Many reflectors, unless all act at once (results/h200/q_at_once.csv, up to 4096 rows).
fn orgqr(_dtype: Dtype, [m, _, k]: [i64; 3]) -> bool {
    k >= 384 && !(k <= SM_90.orgqr.at_once.most[1] && m <= 4096)
}

/// Likewise (results/h200/q_applied_at_once.csv).
fn ormqr(dtype: Dtype, left: bool, [m, n, k]: [i64; 3]) -> bool {
    let (order, columns) = if left { (m, n) } else { (n, m) };
    let of = &SM_90.ormqr.at_once;
    k >= 384 && !(k <= of.most[1] && order <= of.most[0] && columns >= of.columns[dtype])
}

/// Sizes that no cluster holds (results/h100/large_lu_chol.csv, also for potrf).
fn getrf(_dtype: Dtype, [m, _]: [i64; 2]) -> bool {
    m > 32768
}

fn potrf(dtype: Dtype, n: i64) -> bool {
    match dtype {
        Dtype::S => (384..6144).contains(&n) || n > 24576,
        Dtype::D => n > 24576,
        Dtype::C => n > 2048,
        Dtype::Z => n >= 1024,
    }
}

/// See results/h100/large_solves.csv.
fn solve(dtype: Dtype, n: i64) -> bool {
    n > 256 && !(dtype == Dtype::D && n >= 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vendors_do_not_get_small_ones() {
        for dtype in Dtype::ALL {
            for n in 1..=24 {
                assert!(!gemm(dtype, [n; 3]) && !gemv(dtype, false, [n; 2]));
                assert!(!orgqr(dtype, [n; 3]) && !ormqr(dtype, true, [n; 3]));
            }
            assert!(orgqr(dtype, [8192; 3]) && !orgqr(dtype, [1 << 20, 256, 256]) && !orgqr(dtype, [1000, 500, 500]));
            assert!(ormqr(dtype, true, [1000, 1, 500]) && !ormqr(dtype, false, [100, 1000, 500]));
            for n in [1, 128, 256] {
                assert!(!getrf(dtype, [n; 2]) && !potrf(dtype, n) && !solve(dtype, n));
            }
            assert!(!getrf(dtype, [32768; 2]) && getrf(dtype, [40_000, 8]) && potrf(dtype, 1 << 15));
        }
        assert!(gemm(Dtype::S, [256; 3]) && !gemm(Dtype::D, [256; 3]) && gemm(Dtype::C, [32; 3]));
    }
}
