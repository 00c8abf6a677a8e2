//! A sequence of tasks and the dependencies between them, which follow from hazards on what they read and write.

use crate::memory;
use tephra_core::Error;

/// Tasks in sequential order, with their dependencies.
#[derive(Default)]
pub struct Graph {
    tasks: Vec<Node>,
    /// Which tasks are not run by the threads of an execution. Apart from the rest, so that it stays in a cache.
    external: Vec<bool>,
    uses: Vec<Uses>,
    /// The elements of all lists of tasks: of those that wait for a task, and of the readers of a resource.
    links: Vec<Link>,
}

struct Node {
    step: u32,
    priority: i32,
    /// Number of tasks that it waits for.
    waits: u32,
    /// The list of the tasks that wait for it.
    successors: u32,
}

/// The last users of a resource.
#[derive(Clone)]
struct Uses {
    writer: Option<u32>,
    /// The list of its readers since it was last written.
    readers: u32,
}

/// A task in a list, and where the list continues. A list is the number of its first element, or [`END`].
#[derive(Clone, Copy)]
struct Link {
    task: u32,
    next: u32,
}

/// Where a list ends: no element has this number.
const END: u32 = u32::MAX;

impl Graph {
    /// Adds a task and returns its number. The task waits for the last writer of everything it reads (read after
    /// write), and for the last writer and the later readers of everything it writes (write after write, write after
    /// read). A resource that is both read and written may be in `writes` only.
    ///
    /// Look-ahead is counted in steps, which must not decrease.
    ///
    /// Fails if there is no memory for the task, and then leaves the graph as it was.
    pub fn add(&mut self, step: u32, priority: i32, reads: &[usize], writes: &[usize]) -> Result<usize, Error> {
        debug_assert!(self.tasks.last().is_none_or(|last| last.step <= step), "steps never decrease");
        let most = reads.iter().chain(writes).map(|resource| resource + 1).max().unwrap_or(0);
        // To wait for earlier readers takes no more elements, because theirs move from list to list.
        let links = 2 * reads.len() + writes.len();
        if self.tasks.len().max(self.links.len()) + links >= END as usize {
            return Err(Error::OutOfMemory("more tasks than can be counted".into()));
        }
        memory::reserve(&mut self.tasks, 1)?;
        memory::reserve(&mut self.external, 1)?;
        memory::reserve(&mut self.links, links)?;
        let more = most.saturating_sub(self.uses.len());
        memory::reserve(&mut self.uses, more)?;
        self.uses.resize(self.uses.len() + more, Uses { writer: None, readers: END });
        let task = self.tasks.len() as u32;
        self.tasks.push(Node { step, priority, waits: 0, successors: END });
        self.external.push(false);
        for &resource in reads {
            if let Some(writer) = self.uses[resource].writer {
                self.wait(task, writer);
            }
            let next = std::mem::replace(&mut self.uses[resource].readers, self.links.len() as u32);
            self.links.push(Link { task, next });
        }
        for &resource in writes {
            let of = &mut self.uses[resource];
            let Uses { writer, mut readers } = std::mem::replace(of, Uses { writer: Some(task), readers: END });
            // Readers since then have already waited for the writer.
            if let Some(writer) = writer.filter(|writer| *writer != task && readers == END) {
                self.wait(task, writer);
            }
            while let Some(&Link { task: reader, next }) = self.links.get(readers as usize) {
                if reader != task {
                    self.wait_by(readers, task, reader);
                }
                readers = next;
            }
        }
        Ok(task as usize)
    }

    /// Lets a task wait for another one, with a new element for which there is room.
    fn wait(&mut self, task: u32, before: u32) {
        self.links.push(Link { task, next: END });
        self.wait_by(self.links.len() as u32 - 1, task, before);
    }

    /// The same with an element that is in no other list any more.
    fn wait_by(&mut self, link: u32, task: u32, before: u32) {
        let next = std::mem::replace(&mut self.tasks[before as usize].successors, link);
        self.links[link as usize] = Link { task, next };
        self.tasks[task as usize].waits += 1;
    }

    /// Adds a task that runs elsewhere, on a device, and stands for several tasks: `reads` and `writes` are those of
    /// all of them together, so it has all their hazards. It counts one more wait, which ends when its completion is
    /// reported.
    pub fn add_external(&mut self, step: u32, reads: &[usize], writes: &[usize]) -> Result<usize, Error> {
        let task = self.add(step, 0, reads, writes)?;
        self.external[task] = true;
        self.tasks[task].waits += 1;
        Ok(task)
    }

    /// Number of tasks.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Replaces the priorities.
    #[cfg(test)]
    pub(super) fn prioritise(&mut self, mut priority: impl FnMut(usize) -> i32) {
        self.tasks.iter_mut().enumerate().for_each(|(task, node)| node.priority = priority(task));
    }

    /// Number of steps.
    pub(super) fn steps(&self) -> usize {
        self.tasks.last().map_or(0, |last| last.step as usize + 1)
    }

    pub(super) fn step(&self, task: u32) -> usize {
        self.tasks[task as usize].step as usize
    }

    pub(super) fn is_external(&self, task: u32) -> bool {
        self.external[task as usize]
    }

    pub(super) fn priority(&self, task: u32) -> i32 {
        self.tasks[task as usize].priority
    }

    /// Number of tasks that a task waits for.
    pub(super) fn waits(&self, task: u32) -> u32 {
        self.tasks[task as usize].waits
    }

    /// The tasks that wait for a task.
    pub(super) fn successors(&self, task: u32) -> impl Iterator<Item = u32> {
        let mut list = self.tasks[task as usize].successors;
        std::iter::from_fn(move || {
            let link = self.links.get(list as usize)?;
            list = link.next;
            Some(link.task)
        })
    }
}
