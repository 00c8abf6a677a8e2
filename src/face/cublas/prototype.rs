//! One spelling of a prototype, from which its C type, a call's fields, the call of the vendor's function and the exported
//! names come.

use super::handle::RawHandle;
use super::status::Status;
use std::ffi::{c_int, c_void};

/// The C types of prototypes.
pub mod types {
    use super::{c_int, c_void};
    /// `int`, and cuBLAS's enumerations.
    pub type Int = c_int;
    /// Device array of device pointers to matrices or vectors.
    pub type Array = *const *mut c_void;
    /// One scalar, in host or device memory by the handle's pointer mode.
    pub type Scalar = *const c_void;
    /// Integers that are written: one on the host, or one per matrix on the device.
    pub type Codes = *mut c_int;
}

/// What a prototype gives of each call.
pub trait Prototype {
    /// The exported function, for messages.
    fn name(&self) -> &'static str;
    /// The handle, which is cuBLAS's first argument.
    fn handle(&self) -> RawHandle;
    /// Calls the real library's function, which is at `address`.
    ///
    /// # Safety
    /// As cuBLAS documents the routine, and `address` is the function that this call is of.
    unsafe fn call_vendor(&self, address: *mut c_void) -> Status;
}

/// `prototype! { $ MACRO in MODULE: NAME DTYPE SIZE; ... (ARGUMENT: TYPE, ...) }` in `face/cublas/MODULE.rs` defines `Call`
/// with the arguments after the handle as fields, and `MACRO!(serve)`, which exports the names with `serve` as what stands
/// behind them ([`serve`](super::serve::serve) or [`serve_foreign`](super::serve::serve_foreign)). Of a MODULE`<Size>` each
/// name says what `Size` is. The first `$` stands for itself in the macro that is defined.
macro_rules! prototype {
    (
        $d:tt $export:ident in $module:ident $(<$Size:ident>)?:
        $($name:ident $dtype:ident $size:ty;)*
        ($($(#[$doc:meta])* $arg:ident: $ty:ty,)*)
    ) => {
        /// One call, as it came in.
        #[derive(Clone, Copy, Debug)]
        pub struct Call $(<$Size>)? {
            /// The exported function, for messages.
            pub name: &'static str,
            /// Element type.
            pub dtype: $crate::Dtype,
            /// The handle.
            pub handle: $crate::face::cublas::RawHandle,
            $($(#[$doc])* pub $arg: $ty,)*
        }

        impl $(<$Size: Copy>)? $crate::face::cublas::prototype::Prototype for Call $(<$Size>)? {
            fn name(&self) -> &'static str {
                self.name
            }
            fn handle(&self) -> $crate::face::cublas::RawHandle {
                self.handle
            }
            unsafe fn call_vendor(&self, address: *mut std::ffi::c_void) -> $crate::face::cublas::Status {
                // As C declares it, with the matrices' type erased.
                type Function $(<$Size>)? = unsafe extern "C" fn(
                    $crate::face::cublas::RawHandle,
                    $($ty),*
                ) -> $crate::face::cublas::Status;
                unsafe {
                    let function = std::mem::transmute::<*mut std::ffi::c_void, Function $(<$Size>)?>(address);
                    function(self.handle, $(self.$arg),*)
                }
            }
        }

        /// Exports the names; the argument is what stands behind them.
        #[macro_export]
        macro_rules! $export {
            ($d serve:path) => {
                $crate::$export! { $d serve: $($name $dtype $size;)* }
            };
            ($d serve:path: $d($d name:ident $d dtype:ident $d size:ty;)*) => {$d(
                const _: () = {
                    #[allow(unused_imports)]
                    use $crate::face::{cublas::{RawHandle, Status, prototype::types::*}, process::{CUBLAS, Symbol}};
                    $(type $Size = $d size;)?
                    $crate::entry! {
                        fn $d name(handle: RawHandle, $($arg: $ty),*) -> Status {
                            const NAME: &str = stringify!($d name);
                            static VENDOR: Symbol = Symbol::named(CUBLAS, concat!(stringify!($d name), "\0"));
                            let dtype = $crate::Dtype::$d dtype;
                            let call = $crate::face::cublas::$module::Call { name: NAME, dtype, handle, $($arg),* };
                            Ok($d serve(&call, || VENDOR.get()))
                        }
                    }
                };
            )*};
        }
    };
}
pub(super) use prototype;
