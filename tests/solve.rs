//! Least squares and triangular solves: backward errors in double precision on the host, in every precision and form, from
//! poisoned memory between red zones. Runs on whichever backend the library picks.

#[path = "solve/accuracy.rs"]
mod accuracy;
#[path = "solve/gels.rs"]
mod gels;
#[path = "solve/trsm.rs"]
mod trsm;
