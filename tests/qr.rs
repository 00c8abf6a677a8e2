//! QR and LQ factorisations, and the operations on their reflectors. Tests that can share a process are linked
//! together, because linking and compiling their common code takes most of their build time.

mod gelqf;
mod geqp3;
mod geqrf_elementwise;
mod geqrf_expert;
mod geqrf_invariance;
mod geqrf_isolation;
mod geqrf_ratios;
mod geqrf_tall;
mod math;
mod q;
