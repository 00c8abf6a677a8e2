//! The library's SONAME, for the build scripts of both shared objects. scripts/soname.sh must agree.

/// Before 1.0 a minor release may break programs, so the name contains the minor version.
pub fn soname() -> String {
    let [major, minor] = ["MAJOR", "MINOR"].map(|part| std::env::var(format!("CARGO_PKG_VERSION_{part}")).unwrap());
    let version = if major == "0" { format!("0.{minor}") } else { major };
    format!("libtephra.so.{version}")
}
