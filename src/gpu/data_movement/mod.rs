//! Sums and transposes of matrices, and steps of MAGMA's LU that are not routines of their own. For members with
//! individual sizes: `identity_each` starts inverses, `adjoint_each` forms adjoints, and `blocks` locates parts of
//! members.

pub mod adjoint_each;
pub mod blocks;
pub mod choose;
pub mod identity_each;
pub mod lu_steps;
pub mod steps;
