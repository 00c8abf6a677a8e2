//! syrk, herk, syr2k, her2k, trmm, trsv, trtri and geam against double precision on the host, in every precision and form, from
//! poisoned memory between red zones; and by hand what no other routine has: increments below zero, sums in place, blocks inside
//! of matrices. Runs on whichever backend the library picks.

mod by_hand;
mod products;
mod triangles;
