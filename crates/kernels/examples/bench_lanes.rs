use speedwell_kernels::cpu::Cpu;
use speedwell_kernels::*;
use std::time::Instant;
macro_rules! bench { ($fam:ident, $w:ty, $n:literal, $b:literal, $filter:expr) => {
  for kernel in <$fam::CompressLanes as Primitive>::kernels() {
    let Some(k) = kernel.bind(Cpu::host()) else { continue };
    let name = kernel.descriptor().name;
    if !name.contains(&$filter) { continue }
    for lanes in [4usize, 8, 16, 32, 48, 64] {
    let data = vec![1u8; 64 * 16384 + 8192];
    let off = data.as_ptr().align_offset(4096);
    let data = &data[off..];
    let msgs: Vec<&[[u8; $b]]> = (0..lanes).map(|i| data[i*16384..(i+1)*16384].as_chunks::<$b>().0).collect();
    let mut st = vec![[1 as $w; $n]; lanes];
    let mut best = f64::MAX;
    for _ in 0..60 {
      let t = Instant::now();
      for _ in 0..3 { k.call(&mut st, &msgs); }
      best = best.min(t.elapsed().as_secs_f64() / 3.0);
    }
    println!("{name} lanes {lanes}: {:.0} MB/s", lanes as f64 * 16384.0 / best / 1e6);
    }
  }
}}
fn main() {
  let f = std::env::args().nth(1).unwrap_or_default();
  bench!(md5, u32, 4, 64, f);
  bench!(sha1, u32, 5, 64, f);
  bench!(sha256, u32, 8, 64, f);
  bench!(sha512, u64, 8, 128, f);
}
