//! Driver functions that only the tests' own table needs (contexts, captures, modules), which the recorder rejects.

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
