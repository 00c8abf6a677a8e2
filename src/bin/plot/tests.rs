use super::*;

fn files(rows: &str) -> (PathBuf, PathBuf) {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let id = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("tephra-plot-{}-{id}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("rows.csv");
    std::fs::write(&file, rows).unwrap();
    (file, folder)
}

const ROWS: &str = "library,precision,op,m,n,batch,ms,gflops,device\n\
    tephra,d,qr,8,8,10000,0.01,600,NVIDIA H200\n\
    tephra,d,qr,32,32,10000,0.1,4000,NVIDIA H200\n\
    tephra,d,qr,32,32,100000,0.9,4800,NVIDIA H200\n\
    cublas,d,qr,8,8,10000,0.03,200,NVIDIA H200\n\
    cublas,d,qr,32,32,10000,1.2,360,NVIDIA H200\n\
    magma,d,qr,32,32,10000,0.2,2100,\n\
    tephra,d,qr,64,16,1000,0.01,3000,NVIDIA H200\n";

#[test]
fn every_library_and_the_limit_have_their_line() {
    let (file, folder) = files(ROWS);
    let written = run(&[file], &folder, None).unwrap();
    let names: Vec<_> = written.iter().map(|p| p.file_name().unwrap().to_str().unwrap().to_string()).collect();
    assert!(names.contains(&"geqrf-h200-square.svg".to_string()), "{names:?}");
    assert!(names.contains(&"geqrf-h200-speedup.svg".to_string()), "{names:?}");
    let square = std::fs::read_to_string(folder.join("geqrf-h200-square.svg")).unwrap();
    for must in ["Tephra", "cuBLAS", "MAGMA", "hardware limit", "larger batch", "d (FP64)"] {
        assert!(square.contains(must), "{must} is missing");
    }
    assert!(!square.contains("s (FP32)"), "no panel for a precision without rows");
    assert!(!square.contains("NaN") && !square.contains("inf"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn speedups_pair_equal_shapes() {
    let (file, folder) = files(ROWS);
    let records = csv::read(&file).unwrap();
    let subject =
        Subject { device: "NVIDIA H200", op: named("geqrf"), ceilings: None, records: latest(records.iter()) };
    let sheet = subject.speedups().unwrap();
    assert_eq!(sheet.panels.len(), 1, "the tall row has no vendor beside it");
    let points = &sheet.panels[0].series[0].points;
    assert_eq!(points.len(), 2);
    assert!((points[0].1 - 3.0).abs() < 1e-9 && (points[1].1 - 12.0).abs() < 1e-9, "{points:?}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_line_joins_cases_of_one_batch_only() {
    let more = "tephra,d,qr,64,64,1000,0.5,4000,NVIDIA H200\ntephra,d,qr,128,128,1000,0.9,4800,NVIDIA H200\n\
                cublas,d,qr,64,64,1000,2,1000,NVIDIA H200\n";
    let (file, folder) = files(&format!("{ROWS}{more}"));
    let records = csv::read(&file).unwrap();
    let records = latest(records.iter());
    let of = |series: &[Series], name: &str| -> Vec<Vec<f64>> {
        let named = series.iter().filter(|s| s.name == name && s.mark != Mark::Dots);
        named.map(|s| s.points.iter().map(|p| p.0).collect()).collect()
    };
    let drawn = lines(Family::Square, &records, &|r| Some(r.gflops));
    assert_eq!(of(&drawn, "Tephra"), [vec![64.0, 128.0], vec![8.0, 32.0]]);
    assert_eq!(of(&drawn, "cuBLAS"), [vec![64.0], vec![8.0, 32.0]]);
    let subject = Subject { device: "NVIDIA H200", op: named("geqrf"), ceilings: None, records };
    assert_eq!(of(&subject.speedups().unwrap().panels[0].series, "d (FP64)"), [vec![64.0], vec![8.0, 32.0]]);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn charts_that_show_the_limit_say_what_it_is() {
    let (file, folder) = files(ROWS);
    run(std::slice::from_ref(&file), &folder, None).unwrap();
    for (name, shows) in [("square", true), ("square-efficiency", true), ("speedup", false)] {
        let text = std::fs::read_to_string(folder.join(format!("geqrf-h200-{name}.svg"))).unwrap();
        assert_eq!(text.contains("T_limit, the hardware limit: "), shows, "{name}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn later_rows_supersede_earlier_ones() {
    let (file, folder) = files(&format!("{ROWS}tephra,d,qr,8,8,10000,0.005,1200,NVIDIA H200\n"));
    let records = csv::read(&file).unwrap();
    let kept = latest(records.iter());
    let of_8: Vec<_> = kept.iter().filter(|r| r.library == "tephra" && r.shape.n == 8).collect();
    assert_eq!((of_8.len(), of_8[0].ms), (1, 0.005));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_without_rows_are_an_error() {
    let (file, folder) = files("# nothing\n");
    assert!(run(&[file], &folder, None).is_err());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn numbers_and_names_read_well() {
    assert_eq!(thousands(12345.0), "12,345");
    assert_eq!(thousands(100.0), "100");
    assert_eq!((percent(0.374).as_str(), percent(0.005).as_str()), ("37 %", "0.5 %"));
    assert_eq!(slug("NVIDIA H200"), "h200");
    assert_eq!(slug("Intel(R) Xeon(R) Processor (2 threads)"), "intel-xeon-processor-threads");
    assert_eq!(slug("AMD EPYC 9474F 48-Core Processor"), "amd-epyc-9474f-48");
}
