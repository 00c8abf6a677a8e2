//! The CUDA driver functions that tests and benchmarks need: contexts, streams, events, graphs, memory figures.

// Streams and contexts are opaque handles here, passed on and never dereferenced.
#![allow(clippy::not_unsafe_ptr_arg_deref)]

use crate::library::{open_first, symbol};
use crate::{Error, Result};
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::PathBuf;
use std::ptr::null_mut;
use std::sync::OnceLock;

/// A driver object (context, stream, event, graph).
pub type Raw = *mut c_void;

macro_rules! driver {
    ($($field:ident = $symbol:literal ($($arg:ty),*)),+ $(,)?) => {
        struct Table { $($field: unsafe extern "C" fn($($arg),*) -> c_int),+ }

        impl Table {
            fn load(object: &libloading::Library) -> Result<Self> {
                // SAFETY: the types match cuda.h.
                unsafe { Ok(Table { $($field: symbol(object, $symbol)?),+ }) }
            }
        }
    };
}

driver! {
    init = "cuInit"(c_uint),
    error_name = "cuGetErrorName"(c_int, *mut *const c_char),
    device_get = "cuDeviceGet"(*mut c_int, c_int),
    primary_retain = "cuDevicePrimaryCtxRetain"(*mut Raw, c_int),
    context_create = "cuCtxCreate_v2"(*mut Raw, c_uint, c_int),
    context_destroy = "cuCtxDestroy_v2"(Raw),
    context_get = "cuCtxGetCurrent"(*mut Raw),
    context_set = "cuCtxSetCurrent"(Raw),
    memory_info = "cuMemGetInfo_v2"(*mut usize, *mut usize),
    stream_create = "cuStreamCreate"(*mut Raw, c_uint),
    stream_destroy = "cuStreamDestroy_v2"(Raw),
    stream_query = "cuStreamQuery"(Raw),
    stream_synchronize = "cuStreamSynchronize"(Raw),
    capture_begin = "cuStreamBeginCapture_v2"(Raw, c_int),
    capture_end = "cuStreamEndCapture"(Raw, *mut Raw),
    graph_nodes = "cuGraphGetNodes"(Raw, *mut Raw, *mut usize),
    graph_node_type = "cuGraphNodeGetType"(Raw, *mut c_int),
    graph_instantiate = "cuGraphInstantiateWithFlags"(*mut Raw, Raw, u64),
    graph_launch = "cuGraphLaunch"(Raw, Raw),
    graph_exec_destroy = "cuGraphExecDestroy"(Raw),
    graph_destroy = "cuGraphDestroy"(Raw),
    event_create = "cuEventCreate"(*mut Raw, c_uint),
    event_record = "cuEventRecord"(Raw, Raw),
    event_synchronize = "cuEventSynchronize"(Raw),
    event_elapsed = "cuEventElapsedTime"(*mut f32, Raw, Raw),
    event_destroy = "cuEventDestroy_v2"(Raw),
    copy_async = "cuMemcpyAsync"(u64, u64, usize, Raw),
}

/// The loaded driver.
pub struct Driver {
    table: Table,
}

const NOT_READY: c_int = 600;

/// Calls a driver function and turns its code into a result that names it.
macro_rules! call {
    ($driver:expr, $field:ident($($arg:expr),*)) => {{
        let driver: &Driver = $driver;
        // SAFETY: arguments are out-pointers to locals or live driver objects.
        let code = unsafe { (driver.table.$field)($($arg),*) };
        driver.check(stringify!($field), code)
    }};
}

impl Driver {
    /// Loads and initialises `libcuda.so.1`, once. The error says why there is none.
    pub fn get() -> Result<&'static Driver> {
        static DRIVER: OnceLock<Result<Driver>> = OnceLock::new();
        DRIVER.get_or_init(Self::load).as_ref().map_err(Clone::clone)
    }

    fn load() -> Result<Driver> {
        let (_, object) = open_first("TEPHRA_LIBCUDA", &[PathBuf::from("libcuda.so.1")])?;
        let driver = Driver { table: Table::load(&object)? };
        std::mem::forget(object); // the function table points into the object
        call!(&driver, init(0))?;
        Ok(driver)
    }

    fn check(&self, function: &str, code: c_int) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        let mut name = std::ptr::null();
        unsafe { (self.table.error_name)(code, &mut name) };
        Err(Error::Status { function: format!("CUDA driver {function}"), code, text: crate::library::text(name) })
    }

    /// (free, total) bytes of the current context's device.
    pub fn memory_info(&self) -> Result<(usize, usize)> {
        let (mut free, mut total) = (0, 0);
        call!(self, memory_info(&mut free, &mut total))?;
        Ok((free, total))
    }

    /// The context current to this thread, or NULL.
    pub fn current_context(&self) -> Result<Raw> {
        let mut context = null_mut();
        call!(self, context_get(&mut context))?;
        Ok(context)
    }

    /// Makes a context current to this thread.
    pub fn set_current_context(&self, context: Raw) -> Result<()> {
        call!(self, context_set(context))
    }

    /// The primary context of device 0, retained for the life of the process.
    pub fn primary_context(&self) -> Result<Raw> {
        let (mut device, mut context) = (0, null_mut());
        call!(self, device_get(&mut device, 0))?;
        call!(self, primary_retain(&mut context, device))?;
        Ok(context)
    }

    /// Creates a context on device 0 and makes it current.
    pub fn create_context(&self) -> Result<Raw> {
        let (mut device, mut context) = (0, null_mut());
        call!(self, device_get(&mut device, 0))?;
        call!(self, context_create(&mut context, 0, device))?;
        Ok(context)
    }

    /// Destroys a context of [`Driver::create_context`].
    pub fn destroy_context(&self, context: Raw) -> Result<()> {
        call!(self, context_destroy(context))
    }

    /// A stream; a non-blocking one does not order itself against the legacy default stream.
    pub fn create_stream(&self, non_blocking: bool) -> Result<Raw> {
        let mut stream = null_mut();
        call!(self, stream_create(&mut stream, non_blocking as c_uint))?;
        Ok(stream)
    }

    /// Destroys a stream.
    pub fn destroy_stream(&self, stream: Raw) -> Result<()> {
        call!(self, stream_destroy(stream))
    }

    /// Whether all work of the stream is done.
    pub fn is_idle(&self, stream: Raw) -> Result<bool> {
        match unsafe { (self.table.stream_query)(stream) } {
            NOT_READY => Ok(false),
            code => self.check("stream_query", code).map(|()| true),
        }
    }

    /// Waits for a stream.
    pub fn synchronize(&self, stream: Raw) -> Result<()> {
        call!(self, stream_synchronize(stream))
    }

    /// Copies `bytes` between any two addresses in stream order, without waiting.
    ///
    /// # Safety
    /// Both addresses must stay valid for `bytes` until the stream has executed the copy.
    pub unsafe fn copy_async(&self, dst: *mut c_void, src: *const c_void, bytes: usize, stream: Raw) -> Result<()> {
        call!(self, copy_async(dst as u64, src as u64, bytes, stream))
    }

    /// Captures what `body` issues on `stream`, in the mode that forbids unsafe calls (allocation, synchronisation)
    /// process-wide.
    pub fn capture(&'static self, stream: Raw, body: impl FnOnce() -> Result<()>) -> Result<Graph> {
        const GLOBAL: c_int = 0;
        call!(self, capture_begin(stream, GLOBAL))?;
        let issued = body();
        let mut graph = null_mut();
        let ended = call!(self, capture_end(stream, &mut graph));
        issued?;
        ended?;
        let mut exec = null_mut();
        call!(self, graph_instantiate(&mut exec, graph, 0))?;
        Ok(Graph { driver: self, graph, exec })
    }

    /// Creates an event with timing.
    pub fn event(&'static self) -> Result<Event> {
        let mut raw = null_mut();
        call!(self, event_create(&mut raw, 0))?;
        Ok(Event { driver: self, raw })
    }
}

/// The kind of a graph node (values of `CUgraphNodeType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// A kernel.
    Kernel,
    /// A copy.
    Copy,
    /// A memset.
    Memset,
    /// Any other node, by number; 10 and 11 are memory allocation and free.
    Other(c_int),
}

/// A captured and instantiated graph.
pub struct Graph {
    driver: &'static Driver,
    graph: Raw,
    exec: Raw,
}

impl Graph {
    /// The kinds of the graph's nodes.
    pub fn nodes(&self) -> Result<Vec<Node>> {
        let mut count = 0;
        call!(self.driver, graph_nodes(self.graph, null_mut(), &mut count))?;
        let mut nodes = vec![null_mut(); count];
        call!(self.driver, graph_nodes(self.graph, nodes.as_mut_ptr(), &mut count))?;
        nodes
            .into_iter()
            .map(|node| {
                let mut kind = -1;
                call!(self.driver, graph_node_type(node, &mut kind))?;
                Ok(match kind {
                    0 => Node::Kernel,
                    1 => Node::Copy,
                    2 => Node::Memset,
                    other => Node::Other(other),
                })
            })
            .collect()
    }

    /// Launches the graph once on `stream`.
    pub fn launch(&self, stream: Raw) -> Result<()> {
        call!(self.driver, graph_launch(self.exec, stream))
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        // SAFETY: `capture` created both objects, and they are destroyed only here.
        unsafe {
            (self.driver.table.graph_exec_destroy)(self.exec);
            (self.driver.table.graph_destroy)(self.graph);
        }
    }
}

/// An event with timing.
pub struct Event {
    driver: &'static Driver,
    raw: Raw,
}

impl Event {
    /// Records the event on `stream`.
    pub fn record(&self, stream: Raw) -> Result<()> {
        call!(self.driver, event_record(self.raw, stream))
    }

    /// Waits until the event has completed.
    pub fn synchronize(&self) -> Result<()> {
        call!(self.driver, event_synchronize(self.raw))
    }

    /// Milliseconds since `start`. Both events must have completed.
    pub fn since(&self, start: &Event) -> Result<f32> {
        let mut ms = 0.0;
        call!(self.driver, event_elapsed(&mut ms, start.raw, self.raw))?;
        Ok(ms)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: `Driver::event` created it, and it is destroyed only here.
        unsafe { (self.driver.table.event_destroy)(self.raw) };
    }
}
