//! The routines.

mod assignments;
mod factorisations;
mod flags;
mod reflectors;
mod solvers;

use crate::routine::Routine;

pub const ALL: &[&Routine] = &[
    &factorisations::GEQRF,
    &factorisations::GEQRF_EXPERT,
    &factorisations::QR,
    &factorisations::QR_IN_PLACE,
    &reflectors::ORGQR,
    &reflectors::ORMQR,
    &reflectors::LARFT,
    &reflectors::LARFB,
    &solvers::GELS,
    &solvers::TRSM,
    &solvers::TRSM_OUT_OF_PLACE,
    &assignments::LASET,
    &assignments::LACPY,
    &assignments::SET_POINTER,
];
