//! What the tests' own table of the driver has beside: contexts, captures and modules, which the recorder refuses.

use crate::Code;

const NOT_SUPPORTED: Code = 801;

macro_rules! refused {
    ($($name:ident)*) => {
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $name() -> Code {
                NOT_SUPPORTED
            }
        )*
    };
}

refused! {
    cuCtxCreate_v2
    cuCtxDestroy_v2
    cuGraphDestroy
    cuGraphExecDestroy
    cuGraphGetNodes
    cuGraphInstantiateWithFlags
    cuGraphLaunch
    cuGraphNodeGetType
    cuModuleGetFunction
    cuModuleLoadData
    cuStreamBeginCapture_v2
    cuStreamEndCapture
    cuStreamQuery
}
