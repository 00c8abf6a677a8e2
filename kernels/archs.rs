//! The architectures that kernels are compiled for, from TEPHRA_CUDA_ARCHS. Part of build.rs.

pub struct Archs {
    pub text: String,
    /// Compute capabilities for which code is generated, as 80 for 8.0.
    pub native: Vec<u32>,
    /// Compute capabilities for which PTX is generated.
    pub ptx: Vec<u32>,
}

impl Archs {
    /// Parses a list such as `80,90,80-ptx`, `all`, `native`, or an empty string (90). `devices` returns the compute
    /// capabilities of this machine's GPUs as the driver writes them, one per line (`9.0`).
    pub fn parse(text: &str, devices: impl Fn() -> Result<String, String>) -> Result<Archs, String> {
        let text = match text.trim() {
            "" => "90".to_owned(),
            "all" => "80,90,100,120,80-ptx".to_owned(),
            "native" => of_devices(&devices()?)?,
            list => list.to_owned(),
        };
        let (mut native, mut ptx) = (vec![], vec![]);
        for arch in text.split(',').map(str::trim) {
            let (list, number) = match arch.strip_suffix("-ptx") {
                Some(number) => (&mut ptx, number),
                None => (&mut native, arch),
            };
            list.push(number.parse().map_err(|_| format!("{arch} is not like 90 or 80-ptx"))?);
        }
        if native.is_empty() {
            return Err("PTX alone serves no tuned kernel; name an architecture".into());
        }
        Ok(Archs { text, native, ptx })
    }
}

/// Converts lines such as `8.0` and `9.0` to `80,90`, without duplicates.
fn of_devices(lines: &str) -> Result<String, String> {
    let mut archs = vec![];
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let number = line.split_once('.').and_then(|(major, minor)| format!("{major}{minor}").parse::<u32>().ok());
        archs.push(number.ok_or_else(|| format!("native: the driver says '{line}' for a GPU's compute capability"))?);
    }
    archs.sort_unstable();
    archs.dedup();
    if archs.is_empty() {
        return Err("native: this machine has no NVIDIA GPU; name the architecture, such as 90".into());
    }
    Ok(archs.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
}
