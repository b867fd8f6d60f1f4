//! The options of `openssl speed` in its own spelling, so that habits and scripts carry over.

use std::ffi::OsString;

/// Turns `-evp A -bytes N -seconds N -decrypt -elapsed -multi N -mr` after `speed` into our own options. All else stays
/// as it is. `-elapsed` asks for wall-clock time, which is what is always measured.
pub fn translate(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_none_or(|command| command != "speed") {
        return arguments;
    }
    let options = arguments.split_off(2);
    for option in options {
        match option.to_str() {
            // Its value follows, and is an algorithm's name as ours are.
            Some("-evp" | "-elapsed") => {}
            Some("-bytes") => arguments.push("--bytes".into()),
            Some("-seconds") => arguments.push("--seconds".into()),
            Some("-decrypt") => arguments.push("--operation=decrypt".into()),
            Some("-multi") => arguments.push("--threads".into()),
            Some("-mr") => arguments.push("--mr".into()),
            _ => arguments.push(option),
        }
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(text: &str) -> String {
        let words = translate(text.split(' ').map(OsString::from));
        words.join(&OsString::from(" ")).into_string().unwrap()
    }

    #[test]
    fn openssl_options_become_ours() {
        assert_eq!(
            translated("speedwell speed -evp aes-128-cbc -bytes 8192 -seconds 1 -decrypt -elapsed -multi 2 -mr"),
            "speedwell speed aes-128-cbc --bytes 8192 --seconds 1 --operation=decrypt --threads 2 --mr"
        );
    }

    #[test]
    fn other_commands_and_options_stay() {
        assert_eq!(translated("speedwell list -evp"), "speedwell list -evp");
        assert_eq!(translated("speedwell speed --json sha256"), "speedwell speed --json sha256");
        assert_eq!(translated("speedwell"), "speedwell");
    }
}
