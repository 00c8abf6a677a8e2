//! Panels with more rows than a block holds: by a tree of blocks, by their Gram matrix, by clusters; and block reflectors: in one launch, and
//! where rows are divided among blocks.

pub mod clusters;
pub mod fused;
pub mod gram;
pub mod gram_steps;
pub mod tree;
pub mod tree_steps;
pub mod update;
pub mod update_steps;
