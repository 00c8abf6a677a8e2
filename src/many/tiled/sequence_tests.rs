//! Every order that the hazards permit gives bitwise the same results as the sequence.

use super::*;

/// Pseudorandom numbers in (-1, 1).
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn matrix(m: usize, n: usize) -> Vec<f64> {
    let mut seed = 5;
    (0..m * n).map(|_| random(&mut seed)).collect()
}

/// Sets the priorities of a round: sequential order in the first, then random ones.
fn prioritise(graph: &mut Graph, round: u64) {
    let mut seed = round;
    graph.prioritise(|task| if round == 0 { -(task as i32) } else { (random(&mut seed) * 1e9) as i32 });
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn any_order_factors_and_applies() {
    for (m, n) in [(80, 55), (55, 80), (90, 10)] {
        let tiles = Tiles { m, n, nb: 16, ib: 6, stacked: false };
        let mut expected = Vec::new();
        for round in 0..60 {
            let (mut a, mut t) = (matrix(m, n), vec![0.0; tiles.size().unwrap() as usize]);
            let mut sequence = factorisation(&tiles);
            prioritise(&mut sequence.1, round);
            let part = MatrixView { p: a.as_mut_ptr(), ld: m };
            assert!(unsafe { factor_by(&sequence, &tiles, part, t.as_mut_ptr(), usize::MAX, &|_, _| true) }.is_ok());
            let mut found = vec![bits(&a), bits(&t)];
            for (form, unit) in [(Form::Plain, false), (Form::Adjoint, false), (Form::Plain, true)] {
                // More columns than a single task takes.
                let columns = WIDTH + 9;
                let (mut c, reflectors) = (matrix(m, columns), Tiles { n: m.min(n), ..tiles });
                let mut sequence = application(&reflectors, form, columns, unit);
                prioritise(&mut sequence.1, round);
                let c_part = (columns, MatrixView { p: c.as_mut_ptr(), ld: m });
                assert!(unsafe { apply_by(&sequence, &reflectors, form, part, t.as_mut_ptr(), c_part) }.is_ok());
                found.push(bits(&c));
            }
            if round == 0 {
                expected = found;
            } else {
                assert!(found == expected, "{m} x {n}, round {round}");
            }
        }
    }
}
