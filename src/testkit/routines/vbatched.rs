//! Routines on members with their own sizes. Each row derives from the uniform routine's, and a bad size gets the
//! argument's number in that routine's first function as its code.

use super::blas::moves::{LACPY_BATCHED, LASET_BATCHED};
use super::blas::rank_updates::{HER2K, HERK, HERK_CORE, SYR2K, SYRK, SYRK_CORE};
use super::blas::symmetric::{HEMM, SYMM};
use super::blas::triangles::{TRMM, TRSV};
use super::cholesky::{POSV, POTRF, POTRI, POTRS};
use super::factorisations::{GELQF, GEQP3, GEQRF};
use super::lu::{GESV, GETRF, GETRF_NOPIV, GETRI, GETRS, LASWP};
use super::products::{GEMM, GEMV};
use super::reflectors::{ORGQR, ORMQR};
use super::solvers::{GELS, TRSM, TRSM_OUT_OF_PLACE};
use crate::Dtype;
use crate::routines::routine::{Entry, Interface, Routine, entry, native};
use crate::signatures;

pub const ALL: &[&Routine] = &[
    &GETRF_VBATCHED,
    &GETRF_NOPIV_VBATCHED,
    &POTRF_VBATCHED,
    &GETRS_VBATCHED,
    &GESV_VBATCHED,
    &POTRS_VBATCHED,
    &POSV_VBATCHED,
    &GETRI_VBATCHED,
    &POTRI_VBATCHED,
    &GEQRF_VBATCHED,
    &GELQF_VBATCHED,
    &GEQP3_VBATCHED,
    &GELS_VBATCHED,
    &ORGQR_VBATCHED,
    &ORMQR_VBATCHED,
    &LASWP_VBATCHED,
    &GEMM_GROUPED,
    &GEMM_GROUPED_CUBLAS,
    &GEMM_VBATCHED,
    &GEMV_VBATCHED,
    &TRSM_VBATCHED,
    &TRSV_VBATCHED,
    &TRSM_OUT_OF_PLACE_VBATCHED,
    &SYRK_VBATCHED,
    &HERK_VBATCHED,
    &SYR2K_VBATCHED,
    &HER2K_VBATCHED,
    &TRMM_VBATCHED,
    &SYMM_VBATCHED,
    &SYMM_MAGMA_VBATCHED,
    &HEMM_VBATCHED,
    &LASET_VBATCHED,
    &LACPY_VBATCHED,
    &SYRK_INTERNAL_VBATCHED,
    &HERK_INTERNAL_VBATCHED,
    &GEMM_CORE_VBATCHED,
    &TRSM_CORE_VBATCHED,
    &TRMM_CORE_VBATCHED,
    &SYMM_CORE_VBATCHED,
    &HEMM_CORE_VBATCHED,
];

/// The uniform routine's row with these functions. It has no bad values of its own beyond those that are bad
/// everywhere, and the launch record calls these functions separately.
const fn varying(uniform: Routine, name: &'static str, entries: &'static [Entry]) -> Routine {
    let varying = Some(uniform.entries[0].prototype.given());
    Routine { name, entries, varying, invalid_args: |_, _| vec![], supports: |_, _| true, launches: false, ..uniform }
}

const GETRF_VBATCHED: Routine = Routine {
    // MAGMA's functions do not pivot if ipiv is NULL.
    unchecked_args: |_, entry| if entry.interface() == Interface::Magma { &["ipiv"] } else { &[] },
    ..varying(
        GETRF,
        "getrf_vbatched",
        &[
            native(signatures::GETRF.varying()),
            entry("magma_?getrf_vbatched", "m n A lda ipiv info batch queue"),
            entry(
                "magma_?getrf_vbatched_max_nocheck",
                "m n null max_m max_n zero zero zero zero A lda ipiv null info batch queue",
            ),
            entry(
                "magma_?getrf_vbatched_max_nocheck_work",
                "m n max_m max_n zero zero A lda ipiv info null lwork batch queue",
            ),
        ],
    )
};

const GETRF_NOPIV_VBATCHED: Routine = Routine {
    // A tolerance of zero, so that no pivot falls below it and is replaced.
    draw: |p, _| p.scalars = [(0.0, 0.0); 2],
    ..varying(
        GETRF_NOPIV,
        "getrf_nopiv_vbatched",
        &[
            native(signatures::GETRF_NOPIV.varying()),
            entry("magma_?getrf_nopiv_vbatched", "m n A lda info batch queue"),
            entry("magma_?getrf_nopiv_expert_vbatched", "m n A lda null real_value info batch queue"),
            entry(
                "magma_?getrf_nopiv_vbatched_max_nocheck",
                "m n null max_m max_n zero zero zero zero A lda null real_value info batch queue",
            ),
            entry(
                "magma_?getrf_nopiv_vbatched_max_nocheck_work",
                "m n max_m max_n zero zero A lda null real_value info null lwork batch queue",
            ),
        ],
    )
};

const POTRF_VBATCHED: Routine = varying(
    POTRF,
    "potrf_vbatched",
    &[
        native(signatures::POTRF.varying()),
        entry("magma_?potrf_vbatched", "uplo n A lda info batch queue"),
        entry("magma_?potrf_vbatched_max_nocheck", "uplo n A lda info batch max_n queue"),
    ],
);

const GETRS_VBATCHED: Routine = varying(GETRS, "getrs_vbatched", &[native(signatures::GETRS.varying())]);

const GESV_VBATCHED: Routine = varying(GESV, "gesv_vbatched", &[native(signatures::GESV.varying())]);

const POTRS_VBATCHED: Routine = varying(POTRS, "potrs_vbatched", &[native(signatures::POTRS.varying())]);

const POSV_VBATCHED: Routine = varying(POSV, "posv_vbatched", &[native(signatures::POSV.varying())]);

const GETRI_VBATCHED: Routine = Routine {
    unchecked_args: |_, _| &["ipiv"],
    ..varying(GETRI, "getri_vbatched", &[native(signatures::GETRI.varying())])
};

const POTRI_VBATCHED: Routine = varying(POTRI, "potri_vbatched", &[native(signatures::POTRI.varying())]);

const GEQRF_VBATCHED: Routine =
    Routine { unchecked_args: |_, _| &[], ..varying(GEQRF, "geqrf_vbatched", &[native(signatures::GEQRF.varying())]) };

const GELQF_VBATCHED: Routine = varying(GELQF, "gelqf_vbatched", &[native(signatures::GELQF.varying())]);

const GEQP3_VBATCHED: Routine = varying(GEQP3, "geqp3_vbatched", &[native(signatures::GEQP3.varying())]);

const GELS_VBATCHED: Routine = Routine {
    supports: |p, _| !p.dtype.is_complex() || p["trans"] != 112,
    ..varying(GELS, "gels_vbatched", &[native(signatures::GELS.varying())])
};

const ORGQR_VBATCHED: Routine = varying(ORGQR, "orgqr_vbatched", &[native(signatures::ORGQR.varying())]);

const ORMQR_VBATCHED: Routine = varying(ORMQR, "ormqr_vbatched", &[native(signatures::ORMQR.varying())]);

/// Each member has k rows, and the interchanges go from row k1 to the last.
const LASWP_VBATCHED: Routine = Routine {
    draw: |p, rng| {
        p.set("k1", 1 + rng.below(1 + p["k"] as usize) as i64);
        p.set("incx", rng.below(6) as i64 - 2);
    },
    limit: |p| ["m", "k2"].into_iter().for_each(|word| p.set(word, p["k"])),
    varying: Some("n A lda k1 k ipiv incx batch stream"),
    no_work: |p| p.any_zero(&["k", "n", "incx", "batch"]) || p["k"] < p["k1"],
    invalid_args: |_, _| vec![("k1", 0), ("k1", -1), ("k1", i64::MIN)],
    ..varying(
        LASWP,
        "laswp_vbatched",
        &[entry("tephra_?laswp_vbatched", "max_n max_k n A lda k1 k ipiv incx batch stream")],
    )
};

/// Each member is a group of its own. The arrays that describe the groups are in host memory.
const GEMM_GROUPED: Routine = Routine {
    supports: |p, _| p["wrong"] == 0,
    ..varying(
        GEMM,
        "gemm_grouped",
        &[entry(
            "tephra_?gemm_grouped_batched",
            "each_trans_a each_trans_b each_m each_n each_k each_alpha A each_lda B each_ldb each_beta C each_ldc groups each_one stream",
        )],
    )
};

/// cuBLAS's function, for real types only.
const GEMM_GROUPED_CUBLAS: Routine = Routine {
    dtypes: &[Dtype::S, Dtype::D],
    supports: |p, _| p["wrong"] == 0,
    ..varying(
        GEMM,
        "gemm_grouped, cuBLAS's",
        &[entry("cublas?gemmGroupedBatched", OF_GROUPS), entry("cublas?gemmGroupedBatched_64", OF_GROUPS)],
    )
};

const OF_GROUPS: &str = "handle each_trans_a each_trans_b each_m each_n each_k each_alpha A each_lda B each_ldb each_beta C each_ldc groups each_one";

const GEMM_SIZES: &str = signatures::GEMM.magma.1;
const GEMM_LARGEST: &str = "trans_a trans_b m n k by_value A lda B ldb by_value C ldc batch max_m max_n max_k queue";

const GEMM_VBATCHED: Routine = varying(
    GEMM,
    "gemm_vbatched",
    &[
        native(signatures::GEMM.varying()),
        entry("magmablas_?gemm_vbatched", GEMM_SIZES),
        entry("magmablas_?gemm_vbatched_nocheck", GEMM_SIZES),
        entry("magmablas_?gemm_vbatched_max", GEMM_LARGEST),
        entry("magmablas_?gemm_vbatched_max_nocheck", GEMM_LARGEST),
    ],
);

const GEMV_SIZES: &str = signatures::GEMV.magma.1;
const GEMV_LARGEST: &str = "trans m n by_value A lda X incx by_value Y incy batch max_m max_n queue";

const GEMV_VBATCHED: Routine = varying(
    GEMV,
    "gemv_vbatched",
    &[
        native(signatures::GEMV.varying()),
        entry("magmablas_?gemv_vbatched", GEMV_SIZES),
        entry("magmablas_?gemv_vbatched_nocheck", GEMV_SIZES),
        entry("magmablas_?gemv_vbatched_max", GEMV_LARGEST),
        entry("magmablas_?gemv_vbatched_max_nocheck", GEMV_LARGEST),
    ],
);

const TRSM_SIZES: &str = signatures::TRSM.magma.1;
const TRSM_LARGEST: &str = "side uplo trans diag max_m max_n m n by_value A lda B ldb batch queue";
const TRSM_LARGEST_LAST: &str = "side uplo trans diag m n by_value A lda B ldb batch max_m max_n queue";

const TRSM_VBATCHED: Routine = varying(
    TRSM,
    "trsm_vbatched",
    &[
        native(signatures::TRSM.varying()),
        entry("magmablas_?trsm_vbatched", TRSM_SIZES),
        entry("magmablas_?trsm_vbatched_nocheck", TRSM_SIZES),
        entry("magmablas_?trsm_inv_vbatched", TRSM_SIZES),
        entry("magmablas_?trsm_inv_vbatched_nocheck", TRSM_SIZES),
        entry("magmablas_?trsm_vbatched_max", TRSM_LARGEST),
        entry("magmablas_?trsm_vbatched_max_nocheck", TRSM_LARGEST),
        entry("magmablas_?trsm_inv_vbatched_max", TRSM_LARGEST_LAST),
        entry("magmablas_?trsm_inv_vbatched_max_nocheck", TRSM_LARGEST_LAST),
        entry(
            "magmablas_?trsm_inv_work_vbatched",
            "side uplo trans diag zero m n by_value A lda B ldb null null null null null null null null zero batch max_m max_n queue",
        ),
    ],
);

const TRSV_VBATCHED: Routine = varying(TRSV, "trsv_vbatched", &[native(signatures::TRSV.varying())]);

const TRSM_OUT_OF_PLACE_VBATCHED: Routine = varying(
    TRSM_OUT_OF_PLACE,
    "trsm out of place, vbatched",
    &[entry(
        "magmablas_?trsm_inv_outofplace_vbatched",
        "side uplo trans diag zero m n by_value A lda B ldb X ldx null null null null null null zero batch max_m max_n queue",
    )],
);

const RANK_K_SIZES: &str = "uplo trans n k by_value A lda by_value C ldc batch queue";
const RANK_K_LARGEST: &str = "uplo trans n k by_value A lda by_value C ldc batch max_n max_k queue";
const REAL_RANK_K_SIZES: &str = "uplo trans n k real_value A lda real_value C ldc batch queue";
const REAL_RANK_K_LARGEST: &str = "uplo trans n k real_value A lda real_value C ldc batch max_n max_k queue";
const RANK_2K_SIZES: &str = "uplo trans n k by_value A lda B ldb by_value C ldc batch queue";
const RANK_2K_LARGEST: &str = "uplo trans n k by_value A lda B ldb by_value C ldc batch max_n max_k queue";
const REAL_RANK_2K_SIZES: &str = "uplo trans n k by_value A lda B ldb real_value C ldc batch queue";
const REAL_RANK_2K_LARGEST: &str = "uplo trans n k by_value A lda B ldb real_value C ldc batch max_n max_k queue";
const INTERNAL: &str = "uplo trans n k by_value A lda B ldb by_value C ldc max_n max_k batch queue";

const SYRK_VBATCHED: Routine = varying(
    SYRK,
    "syrk_vbatched",
    &[
        native(signatures::SYRK.varying()),
        entry("magmablas_?syrk_vbatched", RANK_K_SIZES),
        entry("magmablas_?syrk_vbatched_nocheck", RANK_K_SIZES),
        entry("magmablas_?syrk_vbatched_max", RANK_K_LARGEST),
        entry("magmablas_?syrk_vbatched_max_nocheck", RANK_K_LARGEST),
    ],
);

const HERK_VBATCHED: Routine = varying(
    HERK,
    "herk_vbatched",
    &[
        native(signatures::HERK.varying()),
        entry("magmablas_?herk_vbatched", REAL_RANK_K_SIZES),
        entry("magmablas_?herk_vbatched_nocheck", REAL_RANK_K_SIZES),
        entry("magmablas_?herk_vbatched_max", REAL_RANK_K_LARGEST),
        entry("magmablas_?herk_vbatched_max_nocheck", REAL_RANK_K_LARGEST),
    ],
);

const SYR2K_VBATCHED: Routine = varying(
    SYR2K,
    "syr2k_vbatched",
    &[
        native(signatures::SYR2K.varying()),
        entry("magmablas_?syr2k_vbatched", RANK_2K_SIZES),
        entry("magmablas_?syr2k_vbatched_nocheck", RANK_2K_SIZES),
        entry("magmablas_?syr2k_vbatched_max", RANK_2K_LARGEST),
        entry("magmablas_?syr2k_vbatched_max_nocheck", RANK_2K_LARGEST),
    ],
);

const HER2K_VBATCHED: Routine = varying(
    HER2K,
    "her2k_vbatched",
    &[
        native(signatures::HER2K.varying()),
        entry("magmablas_?her2k_vbatched", REAL_RANK_2K_SIZES),
        entry("magmablas_?her2k_vbatched_nocheck", REAL_RANK_2K_SIZES),
        entry("magmablas_?her2k_vbatched_max", REAL_RANK_2K_LARGEST),
        entry("magmablas_?her2k_vbatched_max_nocheck", REAL_RANK_2K_LARGEST),
    ],
);

const TRMM_VBATCHED: Routine = varying(
    TRMM,
    "trmm_vbatched",
    &[
        native(signatures::TRMM.varying()),
        entry("magmablas_?trmm_vbatched", TRSM_SIZES),
        entry("magmablas_?trmm_vbatched_nocheck", TRSM_SIZES),
        entry("magmablas_?trmm_vbatched_max", TRSM_LARGEST),
        entry("magmablas_?trmm_vbatched_max_nocheck", TRSM_LARGEST),
    ],
);

const SYRK_INTERNAL_VBATCHED: Routine =
    varying(SYRK_CORE, "syrk internal, vbatched", &[entry("magmablas_?syrk_internal_vbatched", INTERNAL)]);

const HERK_INTERNAL_VBATCHED: Routine =
    varying(HERK_CORE, "herk internal, vbatched", &[entry("magmablas_?herk_internal_vbatched", INTERNAL)]);

const SYMM_SIZES: &str = "side uplo m n by_value A lda B ldb by_value C ldc batch queue";
const SYMM_LARGEST: &str = "side uplo m n by_value A lda B ldb by_value C ldc batch max_m max_n queue";

const SYMM_VBATCHED: Routine = varying(SYMM, "symm_vbatched", &[native(signatures::SYMM.varying())]);

/// For real types only.
const SYMM_MAGMA_VBATCHED: Routine = Routine {
    dtypes: &[Dtype::S, Dtype::D],
    ..varying(
        SYMM,
        "symm_vbatched, MAGMA's",
        &[
            entry("magmablas_?symm_vbatched", SYMM_SIZES),
            entry("magmablas_?symm_vbatched_nocheck", SYMM_SIZES),
            entry("magmablas_?symm_vbatched_max", SYMM_LARGEST),
            entry("magmablas_?symm_vbatched_max_nocheck", SYMM_LARGEST),
        ],
    )
};

const HEMM_VBATCHED: Routine = varying(
    HEMM,
    "hemm_vbatched",
    &[
        native(signatures::HEMM.varying()),
        entry("magmablas_?hemm_vbatched", SYMM_SIZES),
        entry("magmablas_?hemm_vbatched_nocheck", SYMM_SIZES),
        entry("magmablas_?hemm_vbatched_max", SYMM_LARGEST),
        entry("magmablas_?hemm_vbatched_max_nocheck", SYMM_LARGEST),
    ],
);

/// Uses whole members only: if a member exceeded the maximum sizes, the call would work on a block of it.
const fn core(uniform: Routine, name: &'static str, entries: &'static [Entry]) -> Routine {
    Routine { supports: |p, _| p["wrong"] == 0, ..varying(uniform, name, entries) }
}

const TRIANGLE_CORE: &str = "side uplo trans diag max_m max_n m n by_value A zero zero lda B zero zero ldb batch queue";
const SYMM_CORE: &str =
    "side uplo m n by_value A lda B ldb by_value C ldc max_m max_n zero zero zero zero zero zero zero zero batch queue";

const GEMM_CORE_VBATCHED: Routine = core(
    GEMM,
    "gemm core, vbatched",
    &[entry(
        "magmablas_?gemm_vbatched_core",
        "trans_a trans_b max_m max_n max_k m n k by_value A zero zero lda B zero zero ldb by_value C zero zero ldc batch queue",
    )],
);

const TRSM_CORE_VBATCHED: Routine = core(
    TRSM,
    "trsm core, vbatched",
    &[entry("magmablas_?trsm_vbatched_core", TRIANGLE_CORE), entry("magmablas_?trsm_small_vbatched", TRIANGLE_CORE)],
);

const TRMM_CORE_VBATCHED: Routine =
    core(TRMM, "trmm core, vbatched", &[entry("magmablas_?trmm_vbatched_core", TRIANGLE_CORE)]);

const SYMM_CORE_VBATCHED: Routine = Routine {
    dtypes: &[Dtype::S, Dtype::D],
    ..core(SYMM, "symm core, vbatched", &[entry("magmablas_?symm_vbatched_core", SYMM_CORE)])
};

const HEMM_CORE_VBATCHED: Routine =
    core(HEMM, "hemm core, vbatched", &[entry("magmablas_?hemm_vbatched_core", SYMM_CORE)]);

const LASET_VBATCHED: Routine = varying(
    LASET_BATCHED,
    "laset_vbatched",
    &[entry("magmablas_?laset_vbatched", "uplo max_m max_n m n by_value by_value A lda batch queue")],
);

const LACPY_VBATCHED: Routine = varying(
    LACPY_BATCHED,
    "lacpy_vbatched",
    &[entry("magmablas_?lacpy_vbatched", "uplo max_m max_n m n A lda B ldb batch queue")],
);
