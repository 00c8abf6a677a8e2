//! Everything that is generated from the single definition of a prototype in `tephra_vendor`: a struct with the
//! arguments of a call, the call of the vendor's function, and the exported functions.

use super::handle::RawHandle;
use super::status::Status;
use std::ffi::{c_int, c_void};
pub use tephra_vendor::types;

/// The integer type of a prototype: 32-bit, or 64-bit in functions whose names end in `_64`.
pub trait Size: Copy + Into<i64> {}
impl Size for c_int {}
impl Size for i64 {}

/// What is known of every call from its prototype.
pub trait Prototype {
    /// The exported function, for messages.
    fn name(&self) -> &'static str;
    /// The handle, which is cuBLAS's first argument.
    fn handle(&self) -> RawHandle;
    /// Calls the real library's function at `address`.
    ///
    /// # Safety
    /// As cuBLAS documents the routine; `address` must be that of the real library's function for this call.
    unsafe fn call_vendor(&self, address: *mut c_void) -> Status;
}

/// `tephra_vendor::ROUTINE!(prototype $ MACRO in MODULE:)` in `face/cublas/MODULE.rs` defines the struct `Call`, whose
/// fields are the arguments after the handle, and `MACRO!()`, which exports the functions. For MODULE`<Size>`, each
/// function determines its integer type `Size`.
macro_rules! prototype {
    (
        $d:tt $export:ident in $module:ident $(<$Size:ident>)?:
        ($($(#[$doc:meta])* $arg:ident: $ty:ty,)*)
        $($name:ident $dtype:ident $size:ident;)*
    ) => {
        /// The arguments of one call.
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
                // The C prototype, with the element type erased.
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

        /// Exports the functions.
        #[macro_export]
        macro_rules! $export {
            () => {
                $crate::$export! { $($name $dtype $size;)* }
            };
            ($d($d name:ident $d dtype:ident $d size:ident;)*) => {$d(
                const _: () = {
                    #[allow(unused_imports)]
                    use $crate::face::{cublas::{Status, prototype::types::*, serve::serve}, process::{CUBLAS, Symbol}};
                    $(type $Size = $d size;)?
                    $crate::entry! {
                        fn $d name(handle: RawHandle, $($arg: $ty),*) -> Status {
                            const NAME: &str = stringify!($d name);
                            static VENDOR: Symbol = Symbol::named(CUBLAS, concat!(stringify!($d name), "\0"));
                            let dtype = $crate::Dtype::$d dtype;
                            let call = $crate::face::cublas::$module::Call { name: NAME, dtype, handle, $($arg),* };
                            Ok(serve(&call, || VENDOR.get()))
                        }
                    }
                };
            )*};
        }
    };
}
pub(super) use prototype;
