//! Q made, applied and given with R, and block reflectors: against double precision on the host, in every precision and
//! form, from poisoned memory between red zones. Runs on whichever backend the library picks.

#[path = "q/larft_larfb.rs"]
mod larft_larfb;
#[path = "q/orgqr.rs"]
mod orgqr;
#[path = "q/ormqr.rs"]
mod ormqr;
#[path = "q/qr.rs"]
mod qr;
