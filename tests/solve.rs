//! Least squares and triangular solves: backward errors in double precision on the host, in every precision and form,
//! from poisoned memory between red zones. Runs on whichever backend the library picks.

mod accuracy;
mod gels;
mod gelsy;
mod trsm;
