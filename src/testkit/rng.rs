//! Seeded random numbers. A seed gives the same input on every machine, so that failures can be reproduced.

/// xoshiro256++ (Blackman and Vigna), seeded through splitmix64.
#[derive(Clone, Debug)]
pub struct Rng([u64; 4]);

impl Rng {
    /// Every seed gives a separate generator.
    pub fn new(seed: u64) -> Self {
        let mut z = seed;
        Rng(std::array::from_fn(|_| {
            z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut x = z;
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^ (x >> 31)
        }))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.0;
        let out = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        out
    }

    /// Uniform in (-1, 1); never exactly 0, -1 or 1.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-52) - 1.0 + 2f64.powi(-53)
    }

    /// Standard normal, by Marsaglia's polar method.
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (self.uniform(), self.uniform());
            let s = x * x + y * y;
            if s < 1.0 && s > 0.0 {
                return x * (-2.0 * s.ln() / s).sqrt();
            }
        }
    }

    /// Uniform in 0..n; 0 when n is 0. The bias is below n / 2^64.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.bits() as u128 * n as u128) >> 64) as usize
    }

    /// Uniform in low..=high.
    pub fn within(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True with probability 1/n.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the choices, uniformly.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// A random permutation of 0..n.
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_by_seed_and_stays_in_range() {
        let (mut a, mut b, mut c) = (Rng::new(7), Rng::new(7), Rng::new(8));
        assert_eq!(a.bits(), b.bits());
        assert_ne!(a.bits(), c.bits());
        assert!((0..1000).all(|_| a.uniform().abs() < 1.0 && a.below(5) < 5 && (2..=4).contains(&a.within(2, 4))));
    }

    #[test]
    fn normal_has_unit_variance() {
        let mut rng = Rng::new(1);
        let n = 100_000;
        let (sum, squares) = (0..n).map(|_| rng.normal()).fold((0.0, 0.0), |(s, q), x| (s + x, q + x * x));
        assert!((sum / n as f64).abs() < 0.02 && (squares / n as f64 - 1.0).abs() < 0.03);
    }

    #[test]
    fn permutation_is_one() {
        let mut p = Rng::new(3).permutation(50);
        assert_ne!(p, (0..50).collect::<Vec<_>>());
        p.sort_unstable();
        assert_eq!(p, (0..50).collect::<Vec<_>>());
    }
}
