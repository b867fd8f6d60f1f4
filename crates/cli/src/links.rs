//! Other names of the command: called through a link `digest`, `mac`, `encrypt` or `decrypt`, it is that subcommand.

use std::ffi::OsString;
use std::path::Path;

/// The subcommands that have a name of their own. Those with `true` also print as Solaris' commands do.
const LINKS: &[(&str, bool)] = &[("digest", true), ("mac", true), ("encrypt", false), ("decrypt", false)];

/// Puts the subcommand into the arguments if the command was called by its name.
pub fn translate(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    let called = arguments.first().and_then(|called| Path::new(called).file_stem());
    let Some((name, as_link)) = LINKS.iter().find(|(name, _)| called.is_some_and(|called| called == *name)) else {
        return arguments;
    };
    if *as_link {
        arguments.insert(1, "--as-link".into());
    }
    arguments.insert(1, name.into());
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_the_subcommand() {
        let translated = |text: &str| {
            let words = translate(text.split(' ').map(OsString::from));
            words.join(&OsString::from(" ")).into_string().unwrap()
        };
        assert_eq!(translated("/usr/bin/digest -a md5 f"), "/usr/bin/digest digest --as-link -a md5 f");
        assert_eq!(translated("speedwell digest f"), "speedwell digest f");
    }
}
