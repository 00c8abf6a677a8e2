//! Fits a line to each of a thousand sets of noisy points, in one call.

use libtephra::{Batch, Trans, gels};

fn main() -> Result<(), libtephra::Error> {
    let (points, sets) = (20, 1000);
    // y = set / 100 + 2 x, plus noise of alternating sign.
    let (mut a, mut b) = (vec![], vec![]);
    for set in 0..sets {
        a.extend(std::iter::repeat_n(1.0, points));
        a.extend((0..points).map(|i| i as f64));
        b.extend((0..points).map(|i| set as f64 / 100.0 + 2.0 * i as f64 + if i % 2 == 0 { 0.01 } else { -0.01 }));
    }
    let mut a = Batch::from_slice(points, 2, &a)?;
    let mut b = Batch::from_slice(points, 1, &b)?;
    let info = gels(Trans::No, &mut a, &mut b)?.to_vec()?;
    assert!(info.iter().all(|info| *info == 0));
    let lines = b.to_vec()?;
    for set in [0, 500, 999] {
        println!("set {set}: y = {:.3} + {:.3} x", lines[set * points], lines[set * points + 1]);
    }
    println!("tephra {} on {:?}", libtephra::version(), libtephra::backend()?);
    Ok(())
}
