//! Copies, constants, sums and transposes of matrices, and what MAGMA's LU is made of beside routines; `convert`: elements of 16
//! bits; `check`: members' sizes looked at; `identity_each`: what their inverses begin with; `adjoint_each`: their adjoints;
//! `blocks`: parts of them.

pub mod adjoint_each;
pub mod assign;
pub mod blocks;
pub mod check;
pub mod choose;
pub mod convert;
pub mod copy;
pub mod identity_each;
pub mod lu_steps;
pub mod steps;
