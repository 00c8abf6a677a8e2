//! Past one device: what is made of calls of the core, on several devices, processes or hosts at once.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`comm`] | communicators: the caller's callbacks, the caller's NCCL, the devices of this process |
//! | [`tall`] | QR and least squares of one tall matrix whose rows are distributed over the ranks of a communicator (TSQR) |
//! | [`batches`] | batches whose parts lie on several devices, or in host memory: any routine, by a function of the caller's |
//! | [`tiled`] | QR of one large matrix in host memory by all cores, in tiles |
//! | [`streamed`] | QR of one matrix in host memory that no device has room for |
//! | [`trace`] | what tiles and streams did when |
//! | [`failure`] | why a call failed, which may be another rank's doing, and its status |
//!
//! Both backends are served by the same code: it runs the core's routines, copies and fills through the backend in use, and
//! only the communicators know in which memory their operands are.
#![warn(missing_docs)]

pub mod batches;
pub mod comm;
pub mod failure;
pub mod streamed;
pub mod tall;
pub mod tiled;
pub mod trace;
