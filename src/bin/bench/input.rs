//! The input matrices of a batch: all of one class, or some of a class among uniform ones.

use std::fmt;
use std::str::FromStr;
use tephra_testkit::matrices::Class;

/// A class of matrices and its share of the batch. As text `CLASS`, or `CLASS:N` for one matrix in N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Input {
    pub class: Class,
    /// One matrix in this many is of the class, starting with the first; the others are uniform. Positive.
    pub one_in: usize,
}

impl Input {
    /// The input that speed is measured on.
    pub const UNIFORM: Input = Input::all(Class::Uniform);

    /// All matrices of one class.
    pub const fn all(class: Class) -> Self {
        Input { class, one_in: 1 }
    }

    /// The class of matrix `i`.
    pub fn class_of(self, i: usize) -> Class {
        if i.is_multiple_of(self.one_in) { self.class } else { Class::Uniform }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.class.name())?;
        if self.one_in > 1 { write!(f, ":{}", self.one_in) } else { Ok(()) }
    }
}

impl FromStr for Input {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, share) = text.split_once(':').unwrap_or((text, "1"));
        let class = Class::from_name(name).ok_or_else(|| {
            let known: Vec<&str> = Class::ALL.iter().map(|c| c.name()).collect();
            format!("the classes are {}", known.join(", "))
        })?;
        match share.parse() {
            Ok(one_in) if one_in > 0 => Ok(Input { class, one_in }),
            _ => Err(format!("'{share}': after the colon comes a positive number, N for one matrix in N")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_text_is_read_back() {
        for (text, class, one_in) in [("mixed", Class::Mixed, 1), ("zero:100", Class::Zero, 100)] {
            let input = Input { class, one_in };
            assert_eq!((input.to_string().as_str(), text.parse()), (text, Ok(input)));
        }
        for wrong in ["", "unknown", "zero:", "zero:0", "zero:-1", "zero:x"] {
            assert!(wrong.parse::<Input>().is_err(), "{wrong}");
        }
    }
}
