//! QR and LQ factorisations, and what is made of their reflectors. Tests are linked together where they can share a process,
//! as linking and what they have in common take most of the time that they are built in.

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
