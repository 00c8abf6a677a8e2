//! symm, hemm, syrk, herk, syr2k, her2k, trmm, trsv, trtri and geam against double precision on the host, in every precision and
//! form, from poisoned memory between red zones. Features that no other routine has are tested by hand: negative
//! increments, in-place sums, blocks inside matrices. Runs on whichever backend the library picks.

mod by_hand;
mod products;
mod symmetric;
mod triangles;
