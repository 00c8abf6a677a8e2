//! Q made, applied and given with R, and block reflectors: against double precision on the host, in every precision and
//! form, from poisoned memory between red zones. Runs on whichever backend the library picks.

#[path = "q/applied.rs"]
mod applied;
#[path = "q/blocks.rs"]
mod blocks;
#[path = "q/explicit.rs"]
mod explicit;
#[path = "q/factors.rs"]
mod factors;
#[path = "support/mod.rs"]
mod support;
