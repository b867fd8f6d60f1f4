//! Measured speeds of kernels, as the compiled-in table and local profiles hold them: a line for each kernel,
//! `aes.ctr/x86_64_aesni<tab>16:3.1 256:21.4`, with the nanoseconds that a call over so many bytes takes.

use speedwell_kernels::Descriptor;

/// What calls of kernels take, by their bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Speeds(Vec<(String, Vec<Point>)>);

/// One measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Bytes of a call; those of the key, where a primitive has no data.
    pub bytes: usize,
    /// What the call takes.
    pub nanoseconds: f64,
}

impl Speeds {
    /// What the calls of a kernel take, ascending in bytes; `None` if it was not measured.
    pub fn of(&self, kernel: &str) -> Option<&[Point]> {
        self.0.iter().find(|(name, _)| name == kernel).map(|(_, points)| &points[..])
    }

    /// Adds a measurement.
    pub fn add(&mut self, kernel: &str, point: Point) {
        let place = self.0.iter().position(|(name, _)| name == kernel).unwrap_or_else(|| {
            self.0.push((kernel.to_owned(), Vec::new()));
            self.0.len() - 1
        });
        let points = &mut self.0[place].1;
        let at = points.partition_point(|known| known.bytes < point.bytes);
        points.insert(at, point);
    }

    /// The names of the kernels, in the order in which they were added.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| &name[..])
    }

    /// Takes a line in; `false` if it is none.
    pub(super) fn take(&mut self, line: &str) -> bool {
        let Some((kernel, points)) = line.split_once('\t') else { return false };
        let point = |text: &str| {
            let (bytes, nanoseconds) = text.split_once(':')?;
            let nanoseconds: f64 = nanoseconds.parse().ok()?;
            let is_time = nanoseconds.is_finite() && nanoseconds > 0.0;
            Some(Point { bytes: bytes.parse().ok()?, nanoseconds }).filter(|_| is_time)
        };
        let Some(points) = points.split(' ').map(point).collect::<Option<Vec<Point>>>() else { return false };
        if !kernel.contains('/') || points.is_empty() {
            return false;
        }
        points.into_iter().for_each(|point| self.add(kernel, point));
        true
    }

    /// The lines.
    pub fn text(&self) -> String {
        let line = |(kernel, points): &(String, Vec<Point>)| {
            let points: Vec<String> =
                points.iter().map(|point| format!("{}:{}", point.bytes, rounded(point.nanoseconds))).collect();
            format!("{kernel}\t{}\n", points.join(" "))
        };
        self.0.iter().map(line).collect()
    }

    /// From how many bytes on which of these kernels, of which the first is preferred where no other is faster by
    /// [`MARGIN`]. `None` if the first was not measured: then nothing beats it. Others that were not measured do not count.
    pub(super) fn tiers(&self, kernels: &[&'static Descriptor], most: usize) -> Option<Vec<(usize, usize)>> {
        let measured: Vec<(usize, &[Point])> =
            kernels.iter().enumerate().filter_map(|(place, kernel)| Some((place, self.of(kernel.name)?))).collect();
        let (0, first) = measured.first()? else { return None };
        let time = |place: usize, bytes: usize| {
            let (_, points) = measured.iter().find(|(known, _)| *known == place)?;
            points.iter().find(|point| point.bytes == bytes).map(|point| point.nanoseconds)
        };
        let winner = |point: &Point| {
            let others = measured.iter().filter_map(|(place, _)| Some((*place, time(*place, point.bytes)?)));
            let (best, least) = others.min_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap_or((0, point.nanoseconds));
            if least * MARGIN < point.nanoseconds { best } else { 0 }
        };
        // The sizes of each tier, and its kernel.
        let mut tiers: Vec<(Vec<usize>, usize)> = Vec::new();
        for point in *first {
            let place = winner(point);
            match tiers.last_mut().filter(|(_, known)| *known == place) {
                Some((sizes, _)) => sizes.push(point.bytes),
                None => tiers.push((vec![point.bytes], place)),
            }
        }
        // Too many: the one that loses least by it goes with a neighbour.
        while tiers.len() > most.max(1) {
            let neighbour = |at: usize| if at == 0 { 1 } else { at - 1 };
            let loss = |at: usize| {
                let (sizes, own) = &tiers[at];
                let ratio = |bytes: &usize| Some(time(tiers[neighbour(at)].1, *bytes)? / time(*own, *bytes)?);
                sizes.iter().map(|bytes| ratio(bytes).map_or(f64::INFINITY, |ratio| ratio - 1.0)).sum::<f64>()
            };
            let least = (0..tiers.len()).min_by(|a, b| loss(*a).total_cmp(&loss(*b))).unwrap_or(0);
            tiers[least].1 = tiers[neighbour(least)].1;
            tiers.dedup_by(|next, one| {
                let same = next.1 == one.1;
                if same {
                    one.0.append(&mut next.0);
                }
                same
            });
        }
        let from = |index: usize, sizes: &[usize]| if index == 0 { 0 } else { sizes[0] };
        Some(tiers.iter().enumerate().map(|(index, (sizes, place))| (from(index, sizes), *place)).collect())
    }
}

/// A kernel is preferred to one before it in the list if it takes so many times less: two per cent is more than two runs of
/// the same kernel differ.
const MARGIN: f64 = 1.02;

/// Four digits, which is more than repeats.
fn rounded(nanoseconds: f64) -> String {
    let digits = (3 - nanoseconds.log10().floor() as i32).clamp(0, 4) as usize;
    format!("{nanoseconds:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernels() -> Vec<&'static Descriptor> {
        speedwell_kernels::all().map(|kernel| kernel.descriptor()).filter(|one| one.primitive() == "aes.ctr").collect()
    }

    fn speeds(rows: &[(usize, &str)]) -> Speeds {
        let mut speeds = Speeds::default();
        for (place, points) in rows {
            assert!(speeds.take(&format!("{}\t{points}", kernels()[*place].name)));
        }
        speeds
    }

    #[test]
    fn the_list_is_beaten_by_measurement_only() {
        let kernels = kernels();
        let tiers = |rows: &[(usize, &str)]| speeds(rows).tiers(&kernels, 3);
        assert_eq!(tiers(&[]), None);
        assert_eq!(tiers(&[(1, "16:1.0")]), None, "the first was not measured");
        assert_eq!(tiers(&[(0, "16:1.0 64:2.0")]), Some(vec![(0, 0)]));
        assert_eq!(tiers(&[(0, "16:1.0 64:2.0"), (1, "16:0.99 64:1.97")]), Some(vec![(0, 0)]), "inside of the margin");
        assert_eq!(tiers(&[(0, "16:1.0 64:2.0"), (1, "16:0.9 64:2.1")]), Some(vec![(0, 1), (64, 0)]));
        assert_eq!(tiers(&[(0, "16:1.0 64:2.0"), (1, "16:1.1 64:1.5")]), Some(vec![(0, 0), (64, 1)]));
    }

    #[test]
    fn there_are_no_more_tiers_than_a_plan_has() {
        let kernels = kernels();
        let rows = [(0, "16:1.0 64:2.0 256:4.0 1024:8.0"), (1, "16:0.5 64:3.0 256:3.8 1024:9.0")];
        let speeds = speeds(&rows);
        assert_eq!(speeds.tiers(&kernels, 4).unwrap().len(), 4);
        assert_eq!(
            speeds.tiers(&kernels, 3),
            Some(vec![(0, 1), (64, 0)]),
            "five per cent at one size are what is lost"
        );
        assert_eq!(speeds.tiers(&kernels, 1).unwrap().len(), 1);
    }

    #[test]
    fn lines_go_round() {
        let speeds = speeds(&[(0, "16:1.234 64:2000.0"), (1, "16:0.9")]);
        let mut again = Speeds::default();
        assert!(speeds.text().lines().all(|line| again.take(line)));
        assert_eq!(again.text(), speeds.text());
        for bad in
            ["", "aes.ctr/portable", "aes.ctr/portable\t", "aes.ctr/portable\t16", "aes.ctr/portable\t16:-1", "x\t16:1"]
        {
            assert!(!Speeds::default().take(bad), "{bad}");
        }
        assert!(!Speeds::default().take("aes.ctr/portable\t16:NaN"));
    }
}
