//! Q formed explicitly, applied, and returned with R; and block reflectors. Compared with double precision on the host,
//! in every precision and form, from poisoned memory between red zones. Runs on whichever backend the library picks.

mod larft_larfb;
mod orgqr;
mod ormqr;
mod qr;
