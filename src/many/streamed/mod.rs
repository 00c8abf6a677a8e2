//! One matrix in host memory, larger than the memory of the device or devices that compute with it: its blocks of columns are
//! brought to a device one after another, and what was computed before streams past them (left-looking algorithms).
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`calls`] | the routines |
//! | `method` | what an algorithm by blocks tells the schedule: which part of a matrix a block needs, and what is done to it |
//! | `qr`, `lu`, `cholesky` | the algorithms |
//! | `updates` | the operations that LU and Cholesky consist of |
//! | `schedule` | blocks dealt over devices; what is brought, computed and taken back beside each other |
//! | `transfer` | copies through page-locked memory, in both directions |
//! | `layout` | how wide blocks are, and what they take of a device's memory |
//! | `device` | lanes (streams) and marks (events) of a device |
//!
//! A block of w columns and m rows takes in each streamed element for 4 w operations, so that with thousands of columns a
//! device computes for longer than the link to the host takes. Two blocks are on a device: while one is computed, the other one
//! is taken back and the next is brought in its place. The block that was last computed there is used where it is.

pub mod calls;
mod cholesky;
pub(crate) mod device;
pub(crate) mod layout;
#[cfg(test)]
pub(crate) mod lazy;
mod lu;
pub(crate) mod method;
pub(crate) mod qr;
pub(crate) mod schedule;
mod transfer;
pub(crate) mod updates;
