//! Lists in host memory whose length follows from the caller's sizes. If there is no memory for one, the call fails,
//! whereas the allocations of `Vec` itself would end the process.

use tephra_core::Error;

#[cold]
fn refused<T>(elements: usize) -> Error {
    Error::OutOfMemory(format!("{elements} elements of {} bytes of host memory", size_of::<T>()))
}

/// Makes room for this many more elements, and for others to come.
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Error> {
    list.try_reserve(more).map_err(|_| refused::<T>(list.len() + more))
}

/// Appends an element.
pub(crate) fn push<T>(list: &mut Vec<T>, element: T) -> Result<(), Error> {
    reserve(list, 1)?;
    list.push(element);
    Ok(())
}

/// An empty list with room for this many elements.
pub(crate) fn reserved<T>(elements: usize) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    list.try_reserve_exact(elements).map_err(|_| refused::<T>(elements))?;
    Ok(list)
}

/// A list of this many equal elements.
pub(crate) fn filled<T: Clone>(elements: usize, with: T) -> Result<Vec<T>, Error> {
    let mut list = reserved(elements)?;
    list.resize(elements, with);
    Ok(list)
}

/// A list of what an iterator yields.
pub(crate) fn collected<T>(elements: impl Iterator<Item = T>) -> Result<Vec<T>, Error> {
    let mut list = reserved(elements.size_hint().0)?;
    for element in elements {
        push(&mut list, element)?;
    }
    Ok(list)
}
