//! QR and least squares of one tall matrix whose rows are distributed over ranks (TSQR: Demmel, Grigori, Hoemmen and Langou,
//! SIAM J. Sci. Comput. 34 (2012); seed paper 003).
//!
//! | module | what is in it |
//! | --- | --- |
//! | `agreement` | what ranks tell each other first: sizes, whether they can go on |
//! | `rows` | which rank has which of the first n rows |
//! | `session` | memory of a call, what is sent, and the stack that is made of it |
//! | [`calls`] | the routines: R with or without own rows of Q; an implicit Q and that applied; least squares |
//!
//! Each rank's rows but those among the first n of the whole matrix become a triangle, by the core's plans for tall matrices.
//! The first n rows travel as they are, in front of the triangles: an orthogonal matrix that leaves them alone does not change
//! what Householder's algorithm sees of a column, its first element and its norm, so R has LAPACK's signs with nothing to
//! reconstruct, and a column that ends in zeros is still one.
//!
//! The stack of (p+1) n rows is factored by every rank. A binary tree would send 2 log2(p) triangles one after the other,
//! each waiting for a small factorisation in between, and Q would go the same way back; one all-gather is one latency, and the
//! stack, of a few thousand rows, takes a GPU less time than that. Ranks whose devices or plans differ would round differently
//! and have rows of different Q, so there rank 0 factors and sends the result.

mod agreement;
pub mod calls;
mod rows;
mod session;
