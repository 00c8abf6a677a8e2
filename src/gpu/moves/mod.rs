//! Sums and transposes of matrices, and what MAGMA's LU is made of beside routines; of members with sizes of their own
//! `identity_each`: what their inverses begin with; `adjoint_each`: their adjoints; `blocks`: parts of them.

pub mod adjoint_each;
pub mod blocks;
pub mod choose;
pub mod identity_each;
pub mod lu_steps;
pub mod steps;
