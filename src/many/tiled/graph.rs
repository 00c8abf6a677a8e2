//! A sequence of tasks and the dependencies between them, which follow from hazards on what they read and write.

/// Tasks in sequential order, with their dependencies.
#[derive(Default)]
pub struct Graph {
    steps: Vec<u32>,
    priorities: Vec<i32>,
    /// Number of tasks that each task waits for.
    pub(super) waits: Vec<u32>,
    /// Which tasks are not run by the threads of an execution.
    external: Vec<bool>,
    /// Dependencies (from, to).
    edges: Vec<[u32; 2]>,
    uses: Vec<Uses>,
}

/// The last users of a resource.
#[derive(Clone, Default)]
struct Uses {
    writer: Option<u32>,
    /// Its readers since it was last written.
    readers: Vec<u32>,
}

impl Graph {
    /// Adds a task and returns its number. The task waits for the last writer of everything it reads (read after
    /// write), and for the last writer and the later readers of everything it writes (write after write, write after
    /// read). A resource that is both read and written may be in `writes` only.
    ///
    /// Look-ahead is counted in steps, which must not decrease.
    pub fn add(&mut self, step: u32, priority: i32, reads: &[usize], writes: &[usize]) -> usize {
        debug_assert!(self.steps.last().is_none_or(|last| *last <= step), "steps never decrease");
        let task = self.steps.len() as u32;
        let most = reads.iter().chain(writes).map(|resource| resource + 1).max().unwrap_or(0);
        if self.uses.len() < most {
            self.uses.resize(most, Uses::default());
        }
        let before = self.edges.len();
        for &resource in reads {
            let of = &mut self.uses[resource];
            self.edges.extend(of.writer.map(|writer| [writer, task]));
            of.readers.push(task);
        }
        for &resource in writes {
            let of = &mut self.uses[resource];
            // Readers since then have already waited for the writer.
            if of.readers.is_empty() {
                self.edges.extend(of.writer.filter(|writer| *writer != task).map(|writer| [writer, task]));
            }
            self.edges.extend(of.readers.drain(..).filter(|reader| *reader != task).map(|reader| [reader, task]));
            of.writer = Some(task);
        }
        self.steps.push(step);
        self.priorities.push(priority);
        self.external.push(false);
        self.waits.push((self.edges.len() - before) as u32);
        task as usize
    }

    /// Adds a task that runs elsewhere, on a device, and stands for several tasks: `reads` and `writes` are those of
    /// all of them together, so it has all their hazards. It counts one more wait, which ends when its completion is
    /// reported.
    pub fn add_external(&mut self, step: u32, reads: &[usize], writes: &[usize]) -> usize {
        let task = self.add(step, 0, reads, writes);
        self.external[task] = true;
        self.waits[task] += 1;
        task
    }

    /// Number of tasks.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Replaces the priorities.
    #[cfg(test)]
    pub(super) fn prioritise(&mut self, mut priority: impl FnMut(usize) -> i32) {
        self.priorities.iter_mut().enumerate().for_each(|(task, old)| *old = priority(task));
    }

    pub(super) fn step(&self, task: u32) -> usize {
        self.steps[task as usize] as usize
    }

    pub(super) fn is_external(&self, task: u32) -> bool {
        self.external[task as usize]
    }

    pub(super) fn priority(&self, task: u32) -> i32 {
        self.priorities[task as usize]
    }

    /// Number of tasks in each step.
    pub(super) fn in_steps(&self) -> Vec<u32> {
        let mut counts = vec![0; self.steps.last().map_or(0, |last| *last as usize + 1)];
        self.steps.iter().for_each(|step| counts[*step as usize] += 1);
        counts
    }

    /// The dependents of each task: those of task i are `list[starts[i]..starts[i + 1]]`.
    pub(super) fn successors(&self) -> (Vec<usize>, Vec<u32>) {
        let mut starts = vec![0usize; self.len() + 1];
        self.edges.iter().for_each(|[from, _]| starts[*from as usize + 1] += 1);
        for i in 0..self.len() {
            starts[i + 1] += starts[i];
        }
        let (mut next, mut list) = (starts.clone(), vec![0; self.edges.len()]);
        for [from, to] in &self.edges {
            list[next[*from as usize]] = *to;
            next[*from as usize] += 1;
        }
        (starts, list)
    }
}
