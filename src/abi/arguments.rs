//! The arguments of the BLAS routines. From one list per routine, macros generate its native functions for pointer
//! arrays and for strided batches, its MAGMA function, and MAGMA's variants for blocks inside of matrices.
//!
//! | argument | |
//! | --- | --- |
//! | `flag(name: f)` | an option code, which `f` converts |
//! | `size(name)` | |
//! | `scalar(name)`, `real(name)` | a scalar of the routine's type or of its real type; passed by address, in MAGMA by value |
//! | `read(name array ld stride row column)`, `write(...)` | a matrix, by its argument names in all forms |
//! | `info` | the error codes |
//! | `fixed(name: value)` | a field with a fixed value, not an argument |

/// `of_routine! { ROUTINE, TOKENS }` expands to `define_function! { TOKENS TYPE {} {} [ARGUMENTS] }`, where TYPE is the type
/// of the routine's problem.
macro_rules! of_routine {
    (trmm, $($tokens:tt)*) => { define_function! { $($tokens)* Trmm {} {} [
        fixed(sizes: None),
        flag(side: side), flag(uplo: uplo), flag(trans: trans), flag(diag: diag), size(m), size(n), scalar(alpha),
        read(a a_array lda stride_a ai aj), write(b b_array ldb stride_b bi bj),
    ] } };
    (trsm, $($tokens:tt)*) => { define_function! { $($tokens)* Trsm {} {} [
        fixed(sizes: None),
        flag(side: side), flag(uplo: uplo), flag(trans: trans), flag(diag: diag), size(m), size(n), scalar(alpha),
        read(a a_array lda stride_a ai aj), write(b b_array ldb stride_b bi bj),
    ] } };
    (trsv, $($tokens:tt)*) => { define_function! { $($tokens)* Trsv {} {} [
        fixed(sizes: None), flag(uplo: uplo), flag(trans: trans), flag(diag: diag), size(n),
        read(a a_array lda stride_a ai aj), write(x x_array incx stride_x xi _xj),
    ] } };
    (trtri, $($tokens:tt)*) => { define_function! { $($tokens)* Trtri {} {} [
        flag(uplo: uplo), flag(diag: diag), size(n), write(a a_array lda stride_a ai aj), info,
    ] } };
    (gesv_rbt, $($tokens:tt)*) => { define_function! { $($tokens)* GesvRbt {} {} [
        size(n), size(nrhs), write(a a_array lda stride_a ai aj), write(b b_array ldb stride_b bi bj), info,
    ] } };
    (symm, $($tokens:tt)*) => { define_function! { $($tokens)* Symm {} {} [
        fixed(sizes: None), fixed(hermitian: false), flag(side: side), flag(uplo: uplo), size(m), size(n), scalar(alpha),
        read(a a_array lda stride_a ai aj), read(b b_array ldb stride_b bi bj), scalar(beta),
        write(c c_array ldc stride_c ci cj),
    ] } };
    (hemm, $($tokens:tt)*) => { define_function! { $($tokens)* Symm {} {} [
        fixed(sizes: None), fixed(hermitian: true), flag(side: side), flag(uplo: uplo), size(m), size(n), scalar(alpha),
        read(a a_array lda stride_a ai aj), read(b b_array ldb stride_b bi bj), scalar(beta),
        write(c c_array ldc stride_c ci cj),
    ] } };
    (syrk, $($tokens:tt)*) => { define_function! { $($tokens)* Syrk {} {} [
        fixed(sizes: None), fixed(hermitian: false), flag(uplo: uplo), flag(trans: trans), size(n), size(k), scalar(alpha),
        read(a a_array lda stride_a ai aj), scalar(beta), write(c c_array ldc stride_c ci cj),
    ] } };
    (herk, $($tokens:tt)*) => { define_function! { $($tokens)* Syrk {} {} [
        fixed(sizes: None), fixed(hermitian: true), flag(uplo: uplo), flag(trans: trans), size(n), size(k), real(alpha),
        read(a a_array lda stride_a ai aj), real(beta), write(c c_array ldc stride_c ci cj),
    ] } };
    (syr2k, $($tokens:tt)*) => { define_function! { $($tokens)* Syr2k {} {} [
        fixed(sizes: None), fixed(hermitian: false), fixed(once: false),
        flag(uplo: uplo), flag(trans: trans), size(n), size(k), scalar(alpha),
        read(a a_array lda stride_a ai aj), read(b b_array ldb stride_b bi bj), scalar(beta),
        write(c c_array ldc stride_c ci cj),
    ] } };
    (her2k, $($tokens:tt)*) => { define_function! { $($tokens)* Syr2k {} {} [
        fixed(sizes: None), fixed(hermitian: true), fixed(once: false),
        flag(uplo: uplo), flag(trans: trans), size(n), size(k), scalar(alpha),
        read(a a_array lda stride_a ai aj), read(b b_array ldb stride_b bi bj), real(beta),
        write(c c_array ldc stride_c ci cj),
    ] } };
    // A single product of two different matrices, of which MAGMA composes syrk and syr2k (below: herk and her2k).
    (syrk_core, $($tokens:tt)*) => { define_function! { $($tokens)* Syr2k {} {} [
        fixed(sizes: None), fixed(hermitian: false), fixed(once: true),
        flag(uplo: uplo), flag(trans: trans), size(n), size(k), scalar(alpha),
        read(a a_array lda stride_a ai aj), read(b b_array ldb stride_b bi bj), scalar(beta),
        write(c c_array ldc stride_c ci cj),
    ] } };
    (herk_core, $($tokens:tt)*) => { define_function! { $($tokens)* Syr2k {} {} [
        fixed(sizes: None), fixed(hermitian: true), fixed(once: true),
        flag(uplo: uplo), flag(trans: trans), size(n), size(k), scalar(alpha),
        read(a a_array lda stride_a ai aj), read(b b_array ldb stride_b bi bj), scalar(beta),
        write(c c_array ldc stride_c ci cj),
    ] } };
    (geam, $($tokens:tt)*) => { define_function! { $($tokens)* Geam {} {} [
        flag(trans_a: trans_a), flag(trans_b: trans_b), size(m), size(n), scalar(alpha),
        read(a a_array lda stride_a ai aj), scalar(beta), read(b b_array ldb stride_b bi bj),
        write(c c_array ldc stride_c ci cj),
    ] } };
    // B := alpha A + B
    (geadd, $($tokens:tt)*) => { define_function! { $($tokens)* Geam {} {} [
        fixed(trans_a: tephra_core::routine::Trans::N), fixed(trans_b: tephra_core::routine::Trans::N), size(m), size(n),
        scalar(alpha), read(a a_array lda stride_a ai aj), fixed(beta: tephra_core::routine::Alpha::host(1.0)),
        write(b b_array ldb stride_b bi bj), fixed(c: tephra_core::Operand::Pointers(b)), fixed(ldc: ldb.into()),
    ] } };
    (dgmm, $($tokens:tt)*) => { define_function! { $($tokens)* Dgmm {} {} [
        flag(side: side), size(m), size(n), read(a a_array lda stride_a ai aj),
        read(x x_array incx stride_x xi _xj), write(c c_array ldc stride_c ci cj),
    ] } };
    (transpose, $($tokens:tt)*) => { define_function! { $($tokens)* Transpose {} {} [
        flag(trans: trans), size(m), size(n),
        read(a a_array lda stride_a ai aj), write(b b_array ldb stride_b bi bj),
    ] } };
    (transpose_plain, $($tokens:tt)*) => { define_function! { $($tokens)* Transpose {} {} [
        fixed(trans: tephra_core::routine::Trans::T), size(m), size(n),
        read(a a_array lda stride_a ai aj), write(b b_array ldb stride_b bi bj),
    ] } };
    (transpose_conj, $($tokens:tt)*) => { define_function! { $($tokens)* Transpose {} {} [
        fixed(trans: tephra_core::routine::Trans::C), size(m), size(n),
        read(a a_array lda stride_a ai aj), write(b b_array ldb stride_b bi bj),
    ] } };
    (lacpy, $($tokens:tt)*) => { define_function! { $($tokens)* Lacpy {} {} [
        flag(uplo: region), size(m), size(n),
        read(a a_array lda stride_a ai aj), write(b b_array ldb stride_b bi bj),
    ] } };
    (laset, $($tokens:tt)*) => { define_function! { $($tokens)* Laset {} {} [
        flag(uplo: region), size(m), size(n), scalar(alpha), scalar(beta), write(a a_array lda stride_a ai aj),
    ] } };
}

/// Defines one function by consuming the list of arguments: `FORM (TYPE, REAL TYPE, DTYPE) (DOCUMENTATION) NAME PROBLEM
/// {arguments so far} {fields so far} [remaining arguments]`. Forms are `(native pointers)`, `(native strided)`,
/// `(magma)`, and `(magma AT)` for blocks inside of matrices, where AT names the closure argument that locates them.
/// MAGMA functions have no documentation; `(host)` in its place marks functions on host memory, which have no queue.
macro_rules! define_function {
    // Rules for all forms.
    ($form:tt $types:tt $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*}
        [flag($arg:ident: $f:ident), $($rest:tt)*]) => { define_function! {
        $form $types $docs $name $P {$($args)* $arg: std::ffi::c_int,}
        {$($fields)* $arg: tephra_core::face::native::$f($arg)?,} [$($rest)*]
    } };
    ($form:tt $types:tt $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*} [info, $($rest:tt)*]) => { define_function! {
        $form $types $docs $name $P {$($args)* info: *mut std::ffi::c_int,} {$($fields)* info,} [$($rest)*]
    } };
    ($form:tt $types:tt $docs:tt $name:ident $P:ident $args:tt {$($fields:tt)*}
        [fixed($field:ident: $value:expr), $($rest:tt)*]) => { define_function! {
        $form $types $docs $name $P $args {$($fields)* $field: $value,} [$($rest)*]
    } };

    // Rules for the native API.
    ((native $kind:ident) $types:tt $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*}
        [size($arg:ident), $($rest:tt)*]) => { define_function! {
        (native $kind) $types $docs $name $P {$($args)* $arg: i64,} {$($fields)* $arg,} [$($rest)*]
    } };
    ((native $kind:ident) ($ty:ty, $re:ty, $dtype:ident) $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*}
        [scalar($arg:ident), $($rest:tt)*]) => { define_function! {
        (native $kind) ($ty, $re, $dtype) $docs $name $P {$($args)* $arg: *const $ty,}
        {$($fields)* $arg: tephra_core::routine::Alpha::read(tephra_core::Dtype::$dtype, $arg.cast()),} [$($rest)*]
    } };
    ((native $kind:ident) ($ty:ty, $re:ty, $dtype:ident) $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*}
        [real($arg:ident), $($rest:tt)*]) => { define_function! {
        (native $kind) ($ty, $re, $dtype) $docs $name $P {$($args)* $arg: *const $re,}
        {$($fields)* $arg: tephra_core::routine::Alpha::read(tephra_core::Dtype::$dtype.real(), $arg.cast()),} [$($rest)*]
    } };
    ((native pointers) ($ty:ty, $re:ty, $dtype:ident) $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*}
        [$access:ident($a:ident $array:ident $ld:ident $($names:ident)*), $($rest:tt)*]) => { define_function! {
        (native pointers) ($ty, $re, $dtype) $docs $name $P {$($args)* $array: *const *mut $ty, $ld: i64,}
        {$($fields)* $a: tephra_core::face::native::pointers($array), $ld,} [$($rest)*]
    } };
    ((native strided) ($ty:ty, $re:ty, $dtype:ident) $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*}
        [read($a:ident $array:ident $ld:ident $stride:ident $($names:ident)*), $($rest:tt)*]) => { define_function! {
        (native strided) ($ty, $re, $dtype) $docs $name $P {$($args)* $a: *const $ty, $ld: i64, $stride: i64,}
        {$($fields)* $a: tephra_core::face::native::strided($a.cast_mut(), $stride), $ld,} [$($rest)*]
    } };
    ((native strided) ($ty:ty, $re:ty, $dtype:ident) $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*}
        [write($a:ident $array:ident $ld:ident $stride:ident $($names:ident)*), $($rest:tt)*]) => { define_function! {
        (native strided) ($ty, $re, $dtype) $docs $name $P {$($args)* $a: *mut $ty, $ld: i64, $stride: i64,}
        {$($fields)* $a: tephra_core::face::native::strided($a, $stride), $ld,} [$($rest)*]
    } };
    ((native $kind:ident) ($ty:ty, $re:ty, $dtype:ident) ($($docs:tt)*) $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*}
        []) => { tephra_core::entry! {
        $($docs)*
        fn $name($($args)* batch_count: i64, stream: *mut std::ffi::c_void) -> Status {
            use tephra_core::routine::{$P, Operation};
            let problem = || {
                let dtype = tephra_core::Dtype::$dtype;
                Ok(Operation::$P($P { dtype, $($fields)* batch: batch_count }))
            };
            Ok(Status(tephra_core::face::native::run(PROTOTYPE, problem(), tephra_core::Stream(stream))))
        }
    } };

    // Rules for MAGMA.
    ((magma $($at:ident)?) $types:tt $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*}
        [size($arg:ident), $($rest:tt)*]) => { define_function! {
        (magma $($at)?) $types $docs $name $P {$($args)* $arg: std::ffi::c_int,} {$($fields)* $arg: $arg.into(),} [$($rest)*]
    } };
    ((magma $($at:ident)?) ($ty:ty, $re:ty, $dtype:ident) $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*}
        [scalar($arg:ident), $($rest:tt)*]) => { define_function! {
        (magma $($at)?) ($ty, $re, $dtype) $docs $name $P {$($args)* $arg: $ty,}
        {$($fields)* $arg: tephra_core::routine::Alpha::host($arg),} [$($rest)*]
    } };
    ((magma $($at:ident)?) ($ty:ty, $re:ty, $dtype:ident) $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*}
        [real($arg:ident), $($rest:tt)*]) => { define_function! {
        (magma $($at)?) ($ty, $re, $dtype) $docs $name $P {$($args)* $arg: $re,}
        {$($fields)* $arg: tephra_core::routine::Alpha::host($arg),} [$($rest)*]
    } };
    ((magma) $types:tt $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*}
        [$access:ident($a:ident $array:ident $ld:ident $($names:ident)*), $($rest:tt)*]) => { define_function! {
        (magma) $types $docs $name $P
        {$($args)* $a: tephra_core::face::magma::Pointers, $ld: std::ffi::c_int,}
        {$($fields)* $a: tephra_core::Operand::Pointers($a), $ld: $ld.into(),} [$($rest)*]
    } };
    // The offset of a vector is a single number.
    ((magma $at:ident) $types:tt $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*}
        [$access:ident(x $array:ident $ld:ident $stride:ident $row:ident $column:ident), $($rest:tt)*]) => { define_function! {
        (magma $at) $types $docs $name $P
        {$($args)* x: tephra_core::face::magma::Pointers, $row: std::ffi::c_int, $ld: std::ffi::c_int,}
        {$($fields)* x: $at(x, [0, $row, $ld])?, $ld: $ld.into(),} [$($rest)*]
    } };
    ((magma $at:ident) $types:tt $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*}
        [$access:ident($a:ident $array:ident $ld:ident $stride:ident $row:ident $column:ident), $($rest:tt)*]) => { define_function! {
        (magma $at) $types $docs $name $P
        {$($args)* $a: tephra_core::face::magma::Pointers, $row: std::ffi::c_int, $column: std::ffi::c_int,
            $ld: std::ffi::c_int,}
        {$($fields)* $a: $at($a, [$row, $column, $ld])?, $ld: $ld.into(),} [$($rest)*]
    } };
    ((magma) ($ty:ty, $re:ty, $dtype:ident) (host) $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*} []) => {
        tephra_core::entry! {
            fn $name($($args)* batch_count: std::ffi::c_int) {
                use tephra_core::routine::{$P, Operation};
                let problem = || {
                    let dtype = tephra_core::Dtype::$dtype;
                    Ok(Operation::$P($P { dtype, $($fields)* batch: batch_count.into() }))
                };
                tephra_core::face::magma::blas::run_on_host(PROTOTYPE, problem())
            }
        }
    };
    ((magma) ($ty:ty, $re:ty, $dtype:ident) $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*} []) => {
        tephra_core::entry! {
            fn $name($($args)* batch_count: std::ffi::c_int, queue: tephra_core::face::magma::RawQueue) {
                use tephra_core::routine::{$P, Operation};
                let problem = || {
                    let dtype = tephra_core::Dtype::$dtype;
                    Ok(Operation::$P($P { dtype, $($fields)* batch: batch_count.into() }))
                };
                tephra_core::face::magma::blas::run(PROTOTYPE, problem(), queue)
            }
        }
    };
    ((magma $at:ident) ($ty:ty, $re:ty, $dtype:ident) $docs:tt $name:ident $P:ident {$($args:tt)*} {$($fields:tt)*} []) => {
        tephra_core::entry! {
            fn $name($($args)* batch_count: std::ffi::c_int, queue: tephra_core::face::magma::RawQueue) {
                use tephra_core::routine::{$P, Operation};
                let problem = |$at: &mut tephra_core::face::magma::blas::LocateBlock| {
                    let dtype = tephra_core::Dtype::$dtype;
                    Ok(Operation::$P($P { dtype, $($fields)* batch: batch_count.into() }))
                };
                tephra_core::face::magma::blas::run_on_blocks(PROTOTYPE, &problem, queue)
            }
        }
    };
}

/// Defines a routine's functions for pointer arrays and for strided batches, each preceded by its documentation.
macro_rules! define_native {
    ($routine:ident: $($ty:ty, $re:ty, $dtype:ident:
        $(#[$b:meta])* $batched:ident, $(#[$s:meta])* $strided:ident;)*) => {$(
        of_routine! { $routine, (native pointers) ($ty, $re, $dtype) ($(#[$b])*) $batched }
        of_routine! { $routine, (native strided) ($ty, $re, $dtype) ($(#[$s])*) $strided }
    )*};
}
