//! LQ: the adjoint of the QR factorisation of the adjoint.

pub mod choose;
