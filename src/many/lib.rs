//! Work on more than one device, process or host, composed of calls to the core.
//!
//! | module | contents |
//! | --- | --- |
//! | [`comm`] | communicators: through the caller's callbacks, the caller's NCCL, or over the devices of this process |
//! | [`tall`] | QR and least squares of one tall matrix whose rows are distributed over the ranks of a communicator (TSQR) |
//! | [`batches`] | batches whose parts lie on several devices or in host memory; a callback runs any routine on each part |
//! | [`tiled`] | tile QR of one large matrix in host memory on all cores and devices |
//! | [`streamed`] | out-of-core QR of one matrix in host memory that does not fit on a device |
//! | [`trace`] | timelines of the tasks of `tiled` and the streams of `streamed` |
//! | [`failure`] | why a call failed, possibly on another rank, and its status |
//! | `memory` | lists whose length follows from the caller's sizes |
//!
//! The same code serves both backends: it runs the core's routines, copies and fills through the backend in use. Only
//! the communicators know in which memory their operands are.
#![warn(missing_docs)]

pub mod batches;
pub mod comm;
pub mod failure;
mod memory;
pub mod streamed;
pub mod tall;
pub mod tiled;
pub mod trace;
