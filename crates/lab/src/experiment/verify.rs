//! Right before fast: whose answer is wrong.

use crate::case::Answer;
use crate::subjects::Skip;

/// Judges the answers of the subjects, in their order, and gives for each what is wrong with it, if anything.
///
/// The reference kernel decides where there is one; otherwise a strict majority; and where that is missing too, nobody
/// can be trusted.
pub(super) fn judge(answers: &[(&str, &Answer)], reference: Option<&Answer>) -> Vec<Option<Skip>> {
    let votes = |answer: &Answer| answers.iter().filter(|(_, other)| *other == answer).count();
    let majority = answers.iter().find(|(_, answer)| votes(answer) * 2 > answers.len());
    let (expected, by) = match (reference, majority) {
        (Some(answer), _) => (Some(answer), "the reference kernel".to_owned()),
        (None, Some((name, answer))) => (Some(*answer), (*name).to_owned()),
        (None, None) => (None, String::new()),
    };
    let verdict = |(name, made): &(&str, &Answer)| {
        let (expected, by) = match expected {
            Some(expected) => (expected, by.clone()),
            // No two of three or more agree, or the only two differ: show each somebody else's.
            None => {
                let (other, answer) = answers.iter().find(|(_, answer)| answer != made)?;
                (*answer, if other == name { "another".to_owned() } else { (*other).to_owned() })
            }
        };
        (expected != *made).then(|| Skip::wrong(made, expected, by))
    };
    answers.iter().map(verdict).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(answers: &[(&str, &[u8])], reference: Option<&[u8]>) -> Vec<bool> {
        let answers: Vec<(&str, Answer)> = answers.iter().map(|(name, bytes)| (*name, Answer::new(bytes))).collect();
        let answers: Vec<(&str, &Answer)> = answers.iter().map(|(name, answer)| (*name, answer)).collect();
        judge(&answers, reference.map(Answer::new).as_ref()).iter().map(Option::is_some).collect()
    }

    #[test]
    fn the_reference_decides() {
        assert_eq!(wrong(&[("a", b"1"), ("b", b"1"), ("c", b"2")], Some(b"2")), [true, true, false]);
        assert_eq!(wrong(&[("a", b"1")], Some(b"2")), [true]);
    }

    #[test]
    fn then_the_majority() {
        assert_eq!(wrong(&[("a", b"1"), ("b", b"2"), ("c", b"2")], None), [true, false, false]);
        assert_eq!(wrong(&[("a", b"1")], None), [false]);
        assert_eq!(wrong(&[], None), [false; 0]);
    }

    #[test]
    fn then_nobody() {
        assert_eq!(wrong(&[("a", b"1"), ("b", b"2")], None), [true, true]);
        assert_eq!(wrong(&[("a", b"1"), ("b", b"1"), ("c", b"2"), ("d", b"2")], None), [true; 4]);
    }
}
