//! Macros shared by several files.

/// Evaluates `$value` with `$T` as the element type that `$dtype` denotes.
macro_rules! for_dtype {
    ($dtype:expr, $T:ident => $value:expr) => {
        match $dtype {
            $crate::routine::Dtype::S => {
                type $T = f32;
                $value
            }
            $crate::routine::Dtype::D => {
                type $T = f64;
                $value
            }
            $crate::routine::Dtype::C => {
                type $T = $crate::scalar::C32;
                $value
            }
            $crate::routine::Dtype::Z => {
                type $T = $crate::scalar::C64;
                $value
            }
        }
    };
}

/// Evaluates an expression for each of up to eight columns with the column as a constant, so that arrays indexed by it
/// stay in registers.
macro_rules! unrolled {
    ($j:ident => $something:expr) => {
        unrolled!($j => $something; 0 1 2 3 4 5 6 7)
    };
    ($j:ident => $something:expr; $($number:literal)*) => {
        $({
            const $j: usize = $number;
            $something;
        })*
    };
}
