//! One call laid out in memory: operands between red zones or against guard pages, and what became of them.

use crate::case::Place;
use crate::fill::Data;
use crate::invoke::SCALARS;
use crate::region::Region;
use crate::routine::{Entry, Fill, Operand, Sizes, Writes};
use crate::wrong::CODES;
use std::cell::{Cell, OnceCell};
use std::ffi::c_int;
use tephra_testkit::any_call;
use tephra_testkit::qr::Session;
use tephra_testkit::{Library, Rng};

/// More operands than any call has, pointer arrays and workspaces included.
const REGIONS: usize = 16;
const REGION_BYTES: usize = 1 << 23;
const POISON: u8 = 0xa7;

/// What a worker has: memory, and a session.
pub struct Stage {
    pub session: Session,
    regions: Vec<Region>,
    used: Cell<usize>,
    /// In host memory.
    host: Region,
    solver: OnceCell<u64>,
    /// Calls of the library made so far.
    pub calls: Cell<usize>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some(&solver) = self.solver.get() {
            self.plain("cusolverDnDestroy", &[solver]);
        }
    }
}

impl Stage {
    pub fn new(library: &'static Library) -> tephra_testkit::Result<Stage> {
        let regions =
            (0..REGIONS).map(|_| Region::new(library, REGION_BYTES)).collect::<tephra_testkit::Result<_>>()?;
        let (session, host) = (Session::new(library), Region::of_host(REGION_BYTES));
        Ok(Stage { session, regions, host, used: Cell::new(0), solver: OnceCell::new(), calls: Cell::new(0) })
    }

    /// cuSOLVER's handle, on the session's stream.
    pub fn solver(&self) -> u64 {
        *self.solver.get_or_init(|| {
            let mut made = 0u64;
            self.plain("cusolverDnCreate", &[&raw mut made as u64]);
            self.plain("cusolverDnSetStream", &[made, self.session.stream() as u64]);
            made
        })
    }

    /// A function without a precision.
    fn plain(&self, symbol: &str, arguments: &[u64]) {
        // SAFETY: cuSOLVER's prototypes.
        let code = unsafe { any_call::call(self.session.library(), symbol, [0.0; 4], arguments) };
        assert_eq!(code, 0, "{symbol}");
    }

    /// The next region; or, behind them, the one of host memory.
    fn window(&self, image: Vec<u8>, at_end: bool, host: bool) -> Window {
        let region = if host { REGIONS } else { self.used.replace(self.used.get() + 1) };
        let address = self.region(region).place(image.len(), at_end);
        self.region(region).write(address, &image);
        Window { region, address, image }
    }

    fn region(&self, number: usize) -> &Region {
        self.regions.get(number).unwrap_or(&self.host)
    }

    fn read(&self, window: &Window) -> Vec<u8> {
        let mut data = vec![0; window.image.len()];
        self.region(window.region).read(window.address, &mut data);
        data
    }
}

/// A piece of a region, and what was put there.
struct Window {
    region: usize,
    pub address: usize,
    image: Vec<u8>,
}

/// An operand in its place.
pub struct Placed {
    pub operand: Operand,
    /// Elements.
    pub ld: usize,
    pub stride: usize,
    /// Where members start, in bytes from the window's start.
    starts: Vec<usize>,
    window: Window,
    /// The pointers to them.
    array: Option<Window>,
}

impl Placed {
    /// What an entry point is given: the array of pointers, or the start of the first member.
    pub fn argument(&self) -> usize {
        self.array.as_ref().map_or_else(|| self.base(), |array| array.address)
    }

    pub fn base(&self) -> usize {
        self.window.address + self.starts.first().copied().unwrap_or(0)
    }

    /// Where its memory starts, red zone included.
    pub fn start(&self) -> usize {
        self.window.address
    }

    /// Where it ends.
    pub fn end(&self) -> usize {
        self.window.address + self.window.image.len()
    }

    /// Bytes of column `j` of member `i` in the window; all rows.
    fn column(&self, i: usize, j: usize) -> std::ops::Range<usize> {
        let start = self.starts[i] + j * self.ld * self.operand.element;
        start..start + self.operand.rows * self.operand.element
    }

    fn new(stage: &Stage, entry: &Entry, place: &Place, operand: &Operand, data: &[Vec<u8>]) -> Placed {
        let name = operand.name.to_lowercase();
        let has_ld = entry.has(&format!("ld{name}")) || entry.has(&format!("inc{name}"));
        // Packed: strided without a gap, so that no argument says the stride.
        let packed = entry.has(&format!("packed_{name}"));
        let strided = packed || entry.is_single() || entry.has(&format!("stride_{name}"));
        let count = data.len();
        let same = place.shared && operand.writes == Writes::Nothing && count > 1;
        let rows = operand.rows.max(1);
        let (ld, mut stride) = match (has_ld, place.interleaved && !same) {
            (false, _) => (rows, rows * operand.cols.max(1) + if packed { 0 } else { place.gap }),
            (true, false) => (rows + place.padding, (rows + place.padding) * operand.cols.max(1) + place.gap),
            (true, true) => (rows * count.max(1) + place.padding, rows),
        };
        if same && !packed {
            stride = 0;
        }
        // Vectors and matrices in orders of their own.
        let order = match place.shuffle {
            Some(seed) if !strided => Rng::new(seed ^ name.as_bytes()[0] as u64).permutation(count),
            _ => (0..count).collect(),
        };
        let extent = if operand.is_empty() { 0 } else { ld * (operand.cols - 1) + operand.rows };
        let reach = order.iter().map(|slot| slot * stride + extent).max().unwrap_or(0);
        let (first, end) = if place.at_end { (place.zone, place.zone + reach) } else { (0, reach + place.zone) };
        let e = operand.element;
        let mut image = vec![POISON; end * e];
        let starts: Vec<usize> = order.iter().map(|slot| (first + slot * stride) * e).collect();
        let mut placed = Placed {
            operand: *operand,
            ld,
            stride,
            starts,
            window: Window { region: 0, address: 0, image: vec![] },
            array: None,
        };
        for (i, member) in data.iter().enumerate() {
            for j in operand.columns() {
                image[placed.column(i, j)].copy_from_slice(&member[j * operand.rows * e..][..operand.rows * e]);
            }
        }
        placed.window = stage.window(image, place.at_end, entry.has(&format!("host_{name}")));
        if operand.each && !strided {
            let pointers = placed.starts.iter().flat_map(|start| (placed.window.address + start).to_ne_bytes());
            placed.array = Some(stage.window(pointers.collect(), place.at_end, false));
        }
        placed
    }

    /// Its members after a call, or where else something was written.
    fn collect(&self, stage: &Stage) -> Result<Vec<Vec<u8>>, String> {
        let (after, mut expected) = (stage.read(&self.window), self.window.image.clone());
        let e = self.operand.element;
        let members = 0..self.starts.len();
        for i in members.clone() {
            for j in self.operand.columns() {
                let (column, rows) = (self.column(i, j), self.operand.written(j));
                let may = column.start + rows.start * e..column.start + rows.end * e;
                expected[may.clone()].copy_from_slice(&after[may]);
            }
        }
        if after != expected {
            let at = (0..after.len()).find(|&at| after[at] != expected[at]).expect("they differ");
            let start = self.starts.first().copied().unwrap_or(0) as i64;
            let element = (at as i64 - start).div_euclid(e as i64);
            return Err(format!(
                "{}: element {element} from the first member's start was written, which is no result (ld {}, stride {})",
                self.operand.name, self.ld, self.stride
            ));
        }
        self.pointers_stand(stage)?;
        Ok(members.map(|i| self.operand.columns().flat_map(|j| after[self.column(i, j)].to_vec()).collect()).collect())
    }

    fn pointers_stand(&self, stage: &Stage) -> Result<(), String> {
        match &self.array {
            Some(array) if stage.read(array) != array.image => Err(format!("{}: pointers changed", self.operand.name)),
            _ => Ok(()),
        }
    }

    fn untouched(&self, stage: &Stage) -> Result<(), String> {
        self.pointers_stand(stage)?;
        let same = stage.read(&self.window) == self.window.image;
        if same { Ok(()) } else { Err(format!("{} was written, and nothing should be", self.operand.name)) }
    }
}

/// A call laid out.
pub struct Setup<'a> {
    pub stage: &'a Stage,
    pub sizes: &'a Sizes,
    pub entry: &'static Entry,
    /// The routine's operands in their order; then codes, scalars, workspaces.
    pub placed: Vec<Placed>,
    /// Bytes of workspace that the query asks for.
    pub work_bytes: usize,
}

impl<'a> Setup<'a> {
    pub fn new(
        stage: &'a Stage,
        sizes: &'a Sizes,
        entry: &'static Entry,
        place: &Place,
        operands: &[Operand],
        data: &Data,
    ) -> Result<Setup<'a>, String> {
        stage.used.set(0);
        let put = |operand: &Operand, data: &[Vec<u8>]| Placed::new(stage, entry, place, operand, data);
        let mut setup = Setup {
            stage,
            sizes,
            entry,
            placed: operands.iter().zip(data).map(|(operand, data)| put(operand, data)).collect(),
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
        setup.work_bytes = setup.workspace()?;
        if setup.work_bytes > 0 {
            // In units of its alignment.
            let work = single("work", setup.work_bytes.div_ceil(16), 16);
            setup.placed.push(put(&work, &[vec![POISON; work.rows * 16]]));
        }
        Ok(setup)
    }

    pub fn find(&self, name: &str) -> Option<&Placed> {
        self.placed.iter().find(|placed| placed.operand.name == name)
    }

    /// The codes on the device, as they are now.
    pub fn codes(&self) -> Option<Vec<c_int>> {
        let placed = self.placed.iter().find(|placed| CODES.contains(&placed.operand.name))?;
        let (all, column) = (self.stage.read(&placed.window), placed.column(0, 0));
        Some(all[column].chunks(4).map(|bytes| c_int::from_ne_bytes(bytes.try_into().expect("four"))).collect())
    }

    /// By operand and member what a call left there, if it wrote nothing else.
    pub fn collect(&self) -> Result<Data, String> {
        self.guards_stand()?;
        self.placed.iter().map(|placed| placed.collect(self.stage)).collect()
    }

    /// Whether nothing at all was written.
    pub fn untouched(&self) -> Result<(), String> {
        self.guards_stand()?;
        self.placed.iter().try_for_each(|placed| placed.untouched(self.stage))
    }

    /// Whether nothing was written but codes.
    pub fn untouched_but_codes(&self) -> Result<(), String> {
        self.guards_stand()?;
        self.placed.iter().try_for_each(|placed| match CODES.contains(&placed.operand.name) {
            true => placed.collect(self.stage).map(|_| ()),
            false => placed.untouched(self.stage),
        })
    }

    fn guards_stand(&self) -> Result<(), String> {
        let mut found = Ok(());
        for (number, region) in self.stage.regions.iter().chain([&self.stage.host]).enumerate() {
            if let Some(side) = region.touched() {
                let names = self.placed.iter().filter_map(|p| {
                    let array = p.array.as_ref().is_some_and(|a| a.region == number);
                    (p.window.region == number || array).then_some(p.operand.name)
                });
                let names: Vec<&str> = names.collect();
                found = Err(format!("the guard page {side} {} was touched", names.join(", ")));
            }
        }
        found
    }
}
