//! Reports the numbers of bad arguments on the device, as cuSOLVER does.

use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::native::{Positions, position};
use crate::routine::Stream;
use tephra_vendor::types::{Codes, Int};

/// How a routine reports the number of a bad argument, counted without the handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentSign {
    /// Positive, in the batched routines.
    Plus,
    /// Negative, in the others, as in LAPACK.
    Minus,
}

/// Writes the number of a bad argument to the first of `count` codes and 0 to the others, or 0 to all after a success.
/// Does nothing if `codes` is NULL.
///
/// # Safety
/// `codes` is NULL or an array of `count` integers in the backend's memory.
pub unsafe fn report_bad_argument(
    runtime: &dyn Runtime,
    stream: Stream,
    (codes, count): (Codes, Int),
    (positions, sign): (&Positions, ArgumentSign),
    result: &Result<(), Error>,
) -> Result<(), Error> {
    let number = match result {
        Ok(()) => 0,
        Err(Error::BadArgument(arg, _)) => number(positions, sign, *arg),
        Err(_) => return Ok(()),
    };
    if codes.is_null() {
        return Ok(());
    }
    // The three upper bytes of a number from -128 to 127 are equal, so memset can write it.
    let [low, others, ..] = number.to_le_bytes();
    unsafe {
        runtime.memset_async(codes.cast(), 0, count as usize * size_of::<Int>(), stream)?;
        if number != 0 {
            runtime.memset_async(codes.cast(), others, size_of::<Int>(), stream)?;
            runtime.memset_async(codes.cast(), low, 1, stream)?;
        }
    }
    Ok(())
}

fn number(positions: &Positions, sign: ArgumentSign, arg: Arg) -> Int {
    match sign {
        ArgumentSign::Plus => position(positions, arg),
        ArgumentSign::Minus => -position(positions, arg),
    }
}
