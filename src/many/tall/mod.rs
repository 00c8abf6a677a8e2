//! QR and least squares of one tall matrix whose rows are distributed over ranks (TSQR: Demmel, Grigori, Hoemmen and
//! Langou, SIAM J. Sci. Comput. 34 (2012)).
//!
//! | module | contents |
//! | --- | --- |
//! | `agreement` | the first exchange between ranks: sizes, and whether each can go on |
//! | `rows` | how the first n rows are distributed |
//! | `session` | the memory of a call, the messages, and the stack assembled from them |
//! | `reflected` | a rank's own Q as a block reflector, for many columns |
//! | [`calls`] | the routines: R with or without explicit Q; implicit Q and its application; least squares |
//!
//! Each rank reduces its rows, except those among the first n of the whole matrix, to a triangle with the core's plans
//! for tall matrices. The first n rows are sent unchanged, in front of the triangles. An orthogonal transform that
//! leaves them alone changes neither the first element nor the norm of a column, which is all that Householder's
//! algorithm uses. Therefore R has LAPACK's signs without any reconstruction, and a column that ends in zeros keeps
//! doing so.
//!
//! Every rank factors the stack of (p+1) n rows. A binary tree would instead send 2 log2(p) triangles in sequence, with
//! a small factorisation before each, and Q would take the same way back. One all-gather has the latency of one
//! message, and a GPU factors the stack of a few thousand rows in less time than the tree would take. Ranks with
//! different devices or plans would round differently and end up with rows of different Q, so in that case rank 0
//! factors and broadcasts the result.

mod agreement;
pub mod calls;
mod reflected;
mod rows;
mod session;
