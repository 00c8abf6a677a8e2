//! An operand in memory: its members between red zones or against guard pages, and their state after a call.

use crate::case::Place;
use crate::setup::{POISON, Resources};
use crate::varying::Members;
use tephra_testkit::Rng;
use tephra_testkit::routines::routine::{Entry, Operand, Writes};
use tephra_testkit::signatures::dimension_of;

/// A piece of a region, and its initial contents.
pub struct Window {
    pub region: usize,
    pub address: usize,
    pub image: Vec<u8>,
}

/// The position of a member: its window, and its first byte relative to the window's start.
#[derive(Clone, Copy)]
pub struct Spot {
    pub window: usize,
    pub start: usize,
}

/// An operand, placed in memory.
pub struct Placed {
    /// The operand with its largest sizes.
    pub operand: Operand,
    /// The operand with each member's own sizes.
    own: Vec<Operand>,
    /// Leading dimensions, in elements.
    pub lds: Vec<usize>,
    pub stride: usize,
    pub spots: Vec<Spot>,
    /// One window, or one per member if members are apart.
    pub windows: Vec<Window>,
    /// The array of pointers to the members.
    array: Option<Window>,
}

impl Placed {
    /// The argument for the entry point: the array of pointers, or the address of the first member.
    pub fn argument(&self) -> usize {
        self.array.as_ref().map_or_else(|| self.base(), |array| array.address)
    }

    pub fn base(&self) -> usize {
        self.spots.first().map_or(self.start(), |spot| self.windows[spot.window].address + spot.start)
    }

    /// The start of its memory, red zone included.
    pub fn start(&self) -> usize {
        self.windows[0].address
    }

    /// The end of its memory.
    pub fn end(&self) -> usize {
        self.windows[0].address + self.windows[0].image.len()
    }

    /// The leading dimension, if all members are alike.
    pub fn ld(&self) -> usize {
        self.lds.first().copied().unwrap_or(self.operand.rows.max(1))
    }

    /// Whether a word is its leading dimension or increment.
    pub fn has_dimension(&self, word: &str) -> bool {
        dimension_of(word).is_some_and(|of| self.operand.name.eq_ignore_ascii_case(of))
    }

    pub fn is_in(&self, region: usize) -> bool {
        self.windows.iter().chain(&self.array).any(|window| window.region == region)
    }

    /// The bytes of all rows of column `j` of member `i`, as a range in its window.
    pub fn column(&self, i: usize, j: usize) -> std::ops::Range<usize> {
        let start = self.spots[i].start + j * self.lds[i] * self.operand.element;
        start..start + self.own[i].rows * self.operand.element
    }

    pub fn new(
        resources: &Resources,
        entry: &Entry,
        place: &Place,
        members: &Members,
        which: usize,
        data: &[Vec<u8>],
    ) -> Placed {
        let operand = members.largest[which];
        let name = operand.name.to_lowercase();
        let has_ld = entry.arguments().any(|word| word != "tsize" && dimension_of(word) == Some(&name));
        // Packed means strided without gaps, so that no argument gives the stride.
        let packed = entry.has(&format!("packed_{name}"));
        let strided = packed || entry.is_single() || entry.has(&format!("stride_{name}"));
        let own: Vec<Operand> = (0..data.len()).map(|i| members.operands(i)[which]).collect();
        let count = data.len();
        let same = place.shared && operand.writes == Writes::Nothing && count > 1;
        let interleaved = has_ld && place.interleaved && !same && members.are_alike();
        let ld = |i: usize| match (has_ld, interleaved) {
            (false, _) => own[i].rows.max(1),
            (true, true) => own[i].rows.max(1) * count + place.padding,
            // Different members may have different leading dimensions.
            (true, false) => own[i].rows.max(1) + place.padding * if members.are_alike() { 1 } else { i % 3 },
        };
        let lds: Vec<usize> = (0..count).map(ld).collect();
        let stride = |i: usize| match interleaved {
            true => own[i].rows.max(1),
            false if same && !packed => 0,
            false => lds[i] * own[i].cols.max(1) + if packed { 0 } else { place.gap },
        };
        // Vectors and matrices have different orders.
        let order = match place.shuffle {
            Some(seed) if !strided => Rng::new(seed ^ name.as_bytes()[0] as u64).permutation(count),
            _ => (0..count).collect(),
        };
        let apart = place.apart && count > 0 && !strided && operand.each && resources.has_room_for(count);
        // The members in the order of their slots, which follow one another; positions in elements from the first one.
        let (mut spots, mut next) = (vec![Spot { window: 0, start: 0 }; count], 0);
        for i in (0..count).map(|slot| order.iter().position(|&other| other == slot).expect("a permutation")) {
            spots[i] = if apart { Spot { window: i, start: 0 } } else { Spot { window: 0, start: next } };
            next += stride(i);
        }
        let e = operand.element;
        let extent = |i: usize| if own[i].is_empty() { 0 } else { lds[i] * (own[i].cols - 1) + own[i].rows };
        let mut reach = vec![0; if apart { count } else { 1 }];
        for (i, spot) in spots.iter_mut().enumerate() {
            reach[spot.window] = reach[spot.window].max(spot.start + extent(i));
            spot.start = (spot.start + if place.at_end { place.zone } else { 0 }) * e;
        }
        let stride = if count > 0 { stride(0) } else { operand.rows.max(1) * operand.cols.max(1) + place.gap };
        let mut placed = Placed { operand, own, lds, stride, spots, windows: vec![], array: None };
        let mut images: Vec<Vec<u8>> = reach.iter().map(|reach| vec![POISON; (reach + place.zone) * e]).collect();
        for (i, member) in data.iter().enumerate() {
            let rows = placed.own[i].rows;
            for j in placed.own[i].columns() {
                images[placed.spots[i].window][placed.column(i, j)]
                    .copy_from_slice(&member[j * rows * e..][..rows * e]);
            }
        }
        let host = entry.has(&format!("host_{name}"));
        placed.windows = images.into_iter().map(|image| resources.window(image, place.at_end, host)).collect();
        if operand.each && !strided {
            let pointers: Vec<u8> = (0..count).flat_map(|i| placed.pointer(resources, i).to_ne_bytes()).collect();
            placed.array = Some(resources.window(pointers, place.at_end, false));
        }
        placed
    }

    /// The pointer to a member; to a guard page if the call must not access the member.
    fn pointer(&self, resources: &Resources, i: usize) -> usize {
        let (spot, untouched) = (self.spots[i], self.own[i].writes == Writes::Untouched);
        let window = &self.windows[spot.window];
        if untouched { resources.region(window.region).guard().unwrap_or(0) } else { window.address + spot.start }
    }

    /// The members after a call, or an error if anything else was written.
    pub fn collect(&self, resources: &Resources) -> Result<Vec<Vec<u8>>, String> {
        let after: Vec<Vec<u8>> = self.windows.iter().map(|window| resources.read(window)).collect();
        let mut expected: Vec<Vec<u8>> = self.windows.iter().map(|window| window.image.clone()).collect();
        let e = self.operand.element;
        let members = 0..self.spots.len();
        for i in members.clone() {
            let window = self.spots[i].window;
            for j in self.own[i].columns() {
                let (column, rows) = (self.column(i, j), self.own[i].written(j));
                let may = column.start + rows.start * e..column.start + rows.end * e;
                expected[window][may.clone()].copy_from_slice(&after[window][may]);
            }
        }
        let differ = after.iter().zip(&expected).enumerate().find(|(_, (after, expected))| after != expected);
        if let Some((window, (after, expected))) = differ {
            let at = (0..after.len()).find(|&at| after[at] != expected[at]).expect("they differ");
            let first = self.spots.iter().position(|spot| spot.window == window);
            let start = first.map_or(0, |i| self.spots[i].start) as i64;
            let element = (at as i64 - start).div_euclid(e as i64);
            return Err(format!(
                "{}: element {element} from the start of member {} was written, which is no result (ld {:?}, stride {})",
                self.operand.name,
                first.unwrap_or(0),
                self.lds,
                self.stride
            ));
        }
        self.check_pointers(resources)?;
        let of = |i: usize| {
            let column = |j: usize| after[self.spots[i].window][self.column(i, j)].to_vec();
            self.own[i].columns().flat_map(column).collect()
        };
        Ok(members.map(of).collect())
    }

    fn check_pointers(&self, resources: &Resources) -> Result<(), String> {
        match &self.array {
            Some(array) if resources.read(array) != array.image => {
                Err(format!("{}: pointers changed", self.operand.name))
            }
            _ => Ok(()),
        }
    }

    pub fn untouched(&self, resources: &Resources) -> Result<(), String> {
        self.check_pointers(resources)?;
        let same = self.windows.iter().all(|window| resources.read(window) == window.image);
        if same { Ok(()) } else { Err(format!("{} was written, and nothing should be", self.operand.name)) }
    }
}
