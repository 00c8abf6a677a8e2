//! What comes from the one spelling of a prototype (`tephra_vendor`): a call's fields.

use tephra_vendor::types::RawHandle;

/// What a prototype gives of each call.
pub trait Prototype {
    /// The exported function, for messages.
    fn name(&self) -> &'static str;
    /// The handle, which is cuSOLVER's first argument.
    fn handle(&self) -> RawHandle;
}

/// `tephra_vendor::ROUTINE!(call NAME)` defines the struct NAME with the arguments after the handle as fields.
macro_rules! call {
    ($Call:ident ($($(#[$doc:meta])* $arg:ident: $ty:ty,)*) $($name:ident $dtype:ident $size:ident;)*) => {
        /// One call, as it came in.
        #[derive(Clone, Copy, Debug)]
        pub struct $Call {
            /// The exported function, for messages.
            pub name: &'static str,
            /// Element type.
            pub dtype: $crate::Dtype,
            /// The handle.
            pub handle: RawHandle,
            $($(#[$doc])* pub $arg: $ty,)*
        }

        impl $crate::face::cusolver::prototype::Prototype for $Call {
            fn name(&self) -> &'static str {
                self.name
            }
            fn handle(&self) -> RawHandle {
                self.handle
            }
        }
    };
}
pub(super) use call;
