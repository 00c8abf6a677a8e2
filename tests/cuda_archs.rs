//! How build.rs parses TEPHRA_CUDA_ARCHS (kernels/archs.rs).

#[path = "../kernels/archs.rs"]
mod archs;

use archs::Archs;

fn parse(text: &str, devices: Result<&str, &str>) -> Result<(Vec<u32>, Vec<u32>, String), String> {
    let devices = || devices.map(String::from).map_err(String::from);
    Archs::parse(text, devices).map(|archs| (archs.native, archs.ptx, archs.text))
}

const NOT_ASKED: Result<&str, &str> = Err("the driver was asked");

#[test]
fn lists_defaults_and_all() {
    assert_eq!(parse("", NOT_ASKED), Ok((vec![90], vec![], "90".into())));
    assert_eq!(parse(" 80, 90,80-ptx", NOT_ASKED), Ok((vec![80, 90], vec![80], "80, 90,80-ptx".into())));
    assert_eq!(parse("all", NOT_ASKED).unwrap().1, [80]);
    assert!(parse("80-ptx", NOT_ASKED).unwrap_err().contains("PTX alone"));
    assert!(parse("sm_90", NOT_ASKED).unwrap_err().contains("sm_90"));
}

#[test]
fn native_is_what_the_driver_says() {
    assert_eq!(parse("native", Ok("9.0\n")), Ok((vec![90], vec![], "90".into())));
    assert_eq!(parse("native", Ok("12.0\n8.6\n12.0\n")), Ok((vec![86, 120], vec![], "86,120".into())));
}

#[test]
fn native_without_a_gpu_is_an_error_that_says_so() {
    assert!(parse("native", Ok("\n")).unwrap_err().contains("no NVIDIA GPU"));
    assert_eq!(parse("native", Err("nvidia-smi: not found")), Err("nvidia-smi: not found".into()));
    assert!(parse("native", Ok("[N/A]\n")).unwrap_err().contains("[N/A]"));
}
