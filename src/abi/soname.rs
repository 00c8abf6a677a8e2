//! The library's SONAME, for the build scripts of both objects; scripts/soname.sh agrees.

/// Before 1.0 a minor release may break programs: the name tells it from the others.
pub fn soname() -> String {
    let [major, minor] = ["MAJOR", "MINOR"].map(|part| std::env::var(format!("CARGO_PKG_VERSION_{part}")).unwrap());
    let version = if major == "0" { format!("0.{minor}") } else { major };
    format!("libtephra.so.{version}")
}
