//! Panels with more rows than a block holds: by a tree of blocks, from their Gram matrix, or by clusters. Also block
//! reflectors, in one launch or with their rows divided among blocks.

pub mod clusters;
pub mod fused;
pub mod gram;
pub mod gram_steps;
pub mod tree;
pub mod tree_steps;
pub mod update;
pub mod update_steps;
