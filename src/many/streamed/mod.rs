//! Out-of-core algorithms for one matrix in host memory that exceeds the memory of the devices. They are left-looking:
//! column blocks are uploaded to a device one after another, and the columns that were computed before stream past each
//! of them.
//!
//! | module | contents |
//! | --- | --- |
//! | [`calls`] | the routines |
//! | `method` | the interface of an algorithm: which parts of a matrix a block needs, and the operations on it |
//! | `qr`, `lu`, `cholesky` | the algorithms |
//! | `updates` | the operations of which LU and Cholesky consist |
//! | `schedule` | distribution of blocks over devices, with overlapping uploads, computation and downloads |
//! | `transfer` | copies in both directions, staged in page-locked memory if needed |
//! | `layout` | the width of blocks, and how they are placed in a device's memory |
//! | `device` | lanes (streams) and events of a device |
//!
//! A block of w columns uses each streamed element in about 4 w operations. With thousands of columns, therefore, the
//! computation takes longer than the transfers. A device holds two blocks: while one is being computed, the other is
//! downloaded and the next one is uploaded in its place. The block computed last is used where it is, without
//! streaming.

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
