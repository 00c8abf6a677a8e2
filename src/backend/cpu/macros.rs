//! Macros that several files use.

/// An expression for an element type, which is given a name in it.
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

/// Something for each of a few columns, whose number is a constant: what it indexes is in registers.
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
