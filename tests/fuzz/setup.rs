//! One call laid out in memory, and the memory's state after it.

use crate::case::Place;
use crate::fill::Data;
use crate::invoke::SCALARS;
use crate::placed::{Placed, Window};
use crate::region::Region;
use crate::varying::{Members, SIZES, is_array_argument};
use crate::wrong::CODES;
use std::cell::{Cell, OnceCell};
use std::ffi::c_int;
use tephra_testkit::Library;
use tephra_testkit::any_call;
use tephra_testkit::library::Backend;
use tephra_testkit::qr::Session;
use tephra_testkit::routines::routine::{Entry, Fill, Operand, Sizes, Writes};
use tephra_testkit::signatures::dimension_of;

/// At least the number of operands of any call, pointer arrays and workspaces included.
const REGIONS: usize = 16;
/// Regions for members that each have their own guard page.
const MEMBER_REGIONS: usize = 48;
const REGION_BYTES: usize = 1 << 23;
pub const POISON: u8 = 0xa7;

/// The resources of a worker: memory and a session.
pub struct Resources {
    pub session: Session,
    regions: Vec<Region>,
    used: Cell<usize>,
    /// A region of host memory.
    host: Region,
    solver: OnceCell<u64>,
    /// The number of library calls made so far.
    pub calls: Cell<usize>,
}

impl Drop for Resources {
    fn drop(&mut self) {
        if let Some(&solver) = self.solver.get() {
            self.plain("cusolverDnDestroy", &[solver]);
        }
    }
}

impl Resources {
    pub fn new(library: &'static Library) -> tephra_testkit::Result<Resources> {
        // On a device, which has no guard pages, the extra regions would be useless.
        let count = REGIONS + if library.backend()? == Backend::Cpu { MEMBER_REGIONS } else { 0 };
        let regions = (0..count).map(|_| Region::new(library, REGION_BYTES)).collect::<tephra_testkit::Result<_>>()?;
        let (session, host) = (Session::new(library), Region::of_host(REGION_BYTES));
        Ok(Resources { session, regions, host, used: Cell::new(0), solver: OnceCell::new(), calls: Cell::new(0) })
    }

    /// A cuSOLVER handle on the session's stream.
    pub fn solver(&self) -> u64 {
        *self.solver.get_or_init(|| {
            let mut made = 0u64;
            self.plain("cusolverDnCreate", &[&raw mut made as u64]);
            self.plain("cusolverDnSetStream", &[made, self.session.stream() as u64]);
            made
        })
    }

    /// Calls a function that has no precision.
    fn plain(&self, symbol: &str, arguments: &[u64]) {
        // SAFETY: the arguments match cuSOLVER's prototypes.
        let code = unsafe { any_call::call(self.session.library(), symbol, [0.0; 4], arguments) };
        assert_eq!(code, 0, "{symbol}");
    }

    /// Places `image` in the next region or, with `host`, in the region of host memory.
    pub fn window(&self, image: Vec<u8>, at_end: bool, host: bool) -> Window {
        let region = if host { self.regions.len() } else { self.used.replace(self.used.get() + 1) };
        let address = self.region(region).place(image.len(), at_end);
        self.region(region).write(address, &image);
        Window { region, address, image }
    }

    /// Whether this many regions remain besides those reserved for every call.
    pub fn has_room_for(&self, windows: usize) -> bool {
        self.used.get() + windows + REGIONS <= self.regions.len()
    }

    pub fn region(&self, number: usize) -> &Region {
        self.regions.get(number).unwrap_or(&self.host)
    }

    pub fn read(&self, window: &Window) -> Vec<u8> {
        let mut data = vec![0; window.image.len()];
        self.region(window.region).read(window.address, &mut data);
        data
    }
}

/// A call laid out in memory.
pub struct Setup<'a> {
    pub resources: &'a Resources,
    pub sizes: &'a Sizes,
    pub entry: &'static Entry,
    /// The routine's operands in order, then codes, scalars and workspaces.
    pub placed: Vec<Placed>,
    /// The sizes of each member, if each is a group of its own.
    pub own: Vec<Sizes>,
    /// The bytes of workspace that the query returned.
    pub work_bytes: usize,
}

impl<'a> Setup<'a> {
    pub fn new(
        resources: &'a Resources,
        sizes: &'a Sizes,
        entry: &'static Entry,
        place: &Place,
        members: &Members,
        data: &Data,
    ) -> Result<Setup<'a>, String> {
        resources.used.set(0);
        let put = |operand: &Operand, data: &[Vec<u8>]| {
            Placed::new(resources, entry, place, &Members::identical(*operand), 0, data)
        };
        let mut setup = Setup {
            resources,
            sizes,
            entry,
            placed: (0..)
                .zip(data)
                .map(|(which, data)| Placed::new(resources, entry, place, members, which, data))
                .collect(),
            own: vec![],
            work_bytes: 0,
        };
        let single = |name, rows, element| {
            let (cols, fill, writes) = (1, Fill::Poison, Writes::All);
            Operand { name, rows, cols, fill, writes, each: false, element }
        };
        for word in CODES.into_iter().filter(|word| entry.has(word) && !place.without_info) {
            let codes = single(word, if word == "info" { sizes["batch"] as usize } else { 1 }, 4);
            setup.placed.push(put(&codes, &[vec![POISON; codes.rows * 4]]));
        }
        for (i, name) in SCALARS.into_iter().enumerate() {
            if entry.has(name) && place.device_scalars {
                let element = sizes.dtype.bytes();
                let scalar = Operand { writes: Writes::Nothing, ..single(name, 1, element) };
                setup.placed.push(put(&scalar, &[crate::invoke::scalar_bytes(sizes, i)[..element].to_vec()]));
            }
        }
        for word in entry.arguments().filter(|word| !members.are_alike() && is_array_argument(word, &members.largest)) {
            let lds = setup.placed.iter().find(|placed| placed.has_dimension(word)).map(|placed| &placed.lds[..]);
            let values = members.passed_values(word, lds);
            let sizes = Operand { writes: Writes::Nothing, ..single(word, values.len(), 4) };
            setup.placed.push(put(&sizes, &[values.iter().flat_map(|value| value.to_ne_bytes()).collect()]));
        }
        if entry.has("groups") {
            setup.own = (0..sizes["batch"] as usize).map_while(|i| members.sizes(i).cloned()).collect();
        }
        setup.work_bytes = setup.workspace()?;
        if setup.work_bytes > 0 {
            // In units of the alignment.
            let work = single("work", setup.work_bytes.div_ceil(16), 16);
            setup.placed.push(put(&work, &[vec![POISON; work.rows * 16]]));
        }
        Ok(setup)
    }

    pub fn find(&self, name: &str) -> Option<&Placed> {
        self.placed.iter().find(|placed| placed.operand.name == name)
    }

    /// Whether a word stands for an array of sizes.
    pub fn is_of_sizes(&self, word: &str) -> bool {
        (SIZES.contains(&word) || dimension_of(word).is_some()) && self.find(word).is_some()
    }

    /// Whether the call copies this array to the host before anything else, even if there is nothing to do.
    pub fn is_copied(&self, word: &str) -> bool {
        self.is_of_sizes(word) && (self.entry.checks_sizes() || !self.entry.has_maxima())
    }

    /// Gives one member an invalid size.
    pub fn set_invalid_size(&mut self, word: &str, member: usize, value: c_int) {
        let placed = self.placed.iter_mut().find(|placed| placed.operand.name == word).expect("an array of sizes");
        let (at, window) = (placed.spots[0].start + member * 4, &mut placed.windows[0]);
        window.image[at..at + 4].copy_from_slice(&value.to_ne_bytes());
        self.resources.region(window.region).write(window.address, &window.image);
    }

    /// The current codes on the device.
    pub fn codes(&self) -> Option<Vec<c_int>> {
        let placed = self.placed.iter().find(|placed| CODES.contains(&placed.operand.name))?;
        let (all, column) = (self.resources.read(&placed.windows[0]), placed.column(0, 0));
        Some(all[column].chunks(4).map(|bytes| c_int::from_ne_bytes(bytes.try_into().expect("four"))).collect())
    }

    /// The contents of all operands after a call; an error if anything else was written.
    pub fn collect(&self) -> Result<Data, String> {
        self.check_guards()?;
        self.placed.iter().map(|placed| placed.collect(self.resources)).collect()
    }

    /// Checks that nothing at all was written.
    pub fn untouched(&self) -> Result<(), String> {
        self.check_guards()?;
        self.placed.iter().try_for_each(|placed| placed.untouched(self.resources))
    }

    /// Checks that nothing but codes was written.
    pub fn untouched_but_codes(&self) -> Result<(), String> {
        self.check_guards()?;
        self.placed.iter().try_for_each(|placed| match CODES.contains(&placed.operand.name) {
            true => placed.collect(self.resources).map(|_| ()),
            false => placed.untouched(self.resources),
        })
    }

    fn check_guards(&self) -> Result<(), String> {
        let mut found = Ok(());
        for (number, region) in self.resources.regions.iter().chain([&self.resources.host]).enumerate() {
            if let Some(side) = region.touched() {
                let names = self.placed.iter().filter(|placed| placed.is_in(number)).map(|placed| placed.operand.name);
                let names: Vec<&str> = names.collect();
                found = Err(format!("the guard page {side} {} was touched", names.join(", ")));
            }
        }
        found
    }
}
