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

/// What a launch of QR, or of a product with Q, does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Factors the part, or forms it, in one launch.
    #[default]
    Whole,
    /// The same for those members with individual sizes that registers hold.
    Held,
    /// Factors a panel by a tree of launches ([`tree`]).
    Tree,
    /// Applies a panel's `k` reflectors, in one launch.
    Update,
    /// The same in several launches, with rows divided among blocks ([`update`]).
    DividedUpdate,
}
