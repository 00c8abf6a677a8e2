//! LQ: the QR of the adjoint, and the adjoint of that.

pub mod choose;
