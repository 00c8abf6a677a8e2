//! The numbers of bad arguments, which cuSOLVER writes on the device.

use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::native::{Positions, position};
use crate::routine::Stream;
use tephra_vendor::types::{Codes, Int};

/// How a routine tells the number of a bad argument, counted without the handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// As it is: the batched routines.
    Plus,
    /// With a minus: the others, as LAPACK.
    Minus,
}

/// The number of a bad argument in the first of `count` codes, 0 in the others; all 0 after a success. NULL: not told.
///
/// # Safety
/// `codes` is NULL or so many integers in the backend's memory.
pub unsafe fn tell(
    runtime: &dyn Runtime,
    stream: Stream,
    (codes, count): (Codes, Int),
    (positions, sign): (&Positions, Sign),
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
    // Of a number between -128 and 127 the upper bytes are alike.
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

fn number(positions: &Positions, sign: Sign, arg: Arg) -> Int {
    match sign {
        Sign::Plus => position(positions, arg),
        Sign::Minus => -position(positions, arg),
    }
}
