# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_speedwell_global_optspecs
    string join \n h/help V/version
end

function __fish_speedwell_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_speedwell_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_speedwell_using_subcommand
    set -l cmd (__fish_speedwell_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c speedwell -n "__fish_speedwell_needs_command" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_needs_command" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "speed" -d 'Time algorithms, kernels and other libraries side by side'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "list" -d 'List the algorithms, their kernels, and which is chosen and why'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "run" -d 'Run an experiment from its file: build what is missing, measure, keep and show'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "results" -d 'List, show, compare and export the results that were kept'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "selftest" -d 'Try whether verdicts on this machine hold: plant a small slowdown and look for it, many times'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "subjects" -d 'List what can be compared with: which libraries are here, and how to install the others'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "build" -d 'Build libraries from source with several compilers and flags, to compare the builds'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "tune" -d 'Measure every kernel on this host, and write the profile from which the library chooses here'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "report" -d 'Show runs: as a page, as figures, or in the terminal'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "recommend" -d 'Say what to use for what, by measurement'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "import" -d 'Read results from elsewhere: tables of `openssl speed`, speed-ups, timings, Phoronix XML'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "digest" -d 'Print or check digests of files'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "mac" -d 'Print or check message authentication codes of files'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "encrypt" -d 'Encrypt a file'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "decrypt" -d 'Decrypt a file'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "completions" -d 'Print a completion script for a shell'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "share" -d 'Write manual pages and completions into a folder, as packages install them'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "worker" -d 'Serve the laboratory from a process of its own: one line of JSON in, one out'
complete -c speedwell -n "__fish_speedwell_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l operation -d 'Only this operation' -r -f -a "encrypt\t'Encryption'
decrypt\t'Decryption'
hash\t'Hashing'
mac\t'Message authentication'
sign\t'Signing'
verify\t'Checking a signature'
generate\t'Making a key'"
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l bytes -d 'Message sizes in bytes' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l seconds -d 'Seconds spent on each subject at each size' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l kernel -d 'Time this kernel by itself (`x86_64_aesni` or `aes.ctr/x86_64_aesni`), or `all`' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l vs -d 'Compare with this: a library that `speedwell subjects` lists (`openssl`, `libgcrypt=PATH`, …), `speedwell` (itself: the noise), `speedwell=PATH` (another build of this command), or a worker\'s command line as `worker=COMMAND`' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l messages -d 'Messages handed over or signed at once: by us as a batch, by others one by one. All of them count' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l threads -d 'Threads that work at the same time, each on messages of its own' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l store -d 'The file with the results [default: SPEEDWELL_STORE, or speedwell/results.db in XDG_DATA_HOME or ~/.local/share]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l whole -d 'Time the whole operation of a cipher: key, initialisation vector and data without padding, for each message anew'
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l leak -d 'Look for secrets in the time instead of measuring speed: fixed against random keys, and the correlation with how many of their bits are ones'
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l quick -d 'Fewer and shorter rounds: an overview in under twenty seconds'
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l json -d 'Print one JSON document'
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l jsonl -d 'Print one JSON object a line'
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l csv -d 'Print comma-separated values'
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l mr -d 'Print the machine format of `openssl speed -mr`'
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l save -d 'Keep the results, and what every round took, in the store'
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -l no-color -d 'No colours and no progress bar'
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c speedwell -n "__fish_speedwell_using_subcommand speed" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand list" -l policy -d 'Show the choice under this policy [default: public for digests, secret for ciphers]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand list" -l json -d 'Print one JSON document'
complete -c speedwell -n "__fish_speedwell_using_subcommand list" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand list" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand run" -l resume -d 'Go on with this run of the store. Without it, an unfinished run of the same file on this machine is gone on with' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand run" -l store -d 'The file with the results [default: SPEEDWELL_STORE, or speedwell/results.db in XDG_DATA_HOME or ~/.local/share]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand run" -l fresh -d 'Begin anew, even if there is an unfinished run'
complete -c speedwell -n "__fish_speedwell_using_subcommand run" -l json -d 'Print one JSON document for each number of threads'
complete -c speedwell -n "__fish_speedwell_using_subcommand run" -l no-color -d 'No colours and no progress bar'
complete -c speedwell -n "__fish_speedwell_using_subcommand run" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand run" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and not __fish_seen_subcommand_from list show compare export delete merge help" -l store -d 'The file with the results [default: SPEEDWELL_STORE, or speedwell/results.db in XDG_DATA_HOME or ~/.local/share]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and not __fish_seen_subcommand_from list show compare export delete merge help" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and not __fish_seen_subcommand_from list show compare export delete merge help" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and not __fish_seen_subcommand_from list show compare export delete merge help" -f -a "list" -d 'List the runs'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and not __fish_seen_subcommand_from list show compare export delete merge help" -f -a "show" -d 'Print the tables of a run'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and not __fish_seen_subcommand_from list show compare export delete merge help" -f -a "compare" -d 'Say what became faster or slower from one run to another; the exit code is 1 if something became slower'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and not __fish_seen_subcommand_from list show compare export delete merge help" -f -a "export" -d 'Write runs in the form of another program'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and not __fish_seen_subcommand_from list show compare export delete merge help" -f -a "delete" -d 'Forget runs'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and not __fish_seen_subcommand_from list show compare export delete merge help" -f -a "merge" -d 'Take over the runs of other stores'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and not __fish_seen_subcommand_from list show compare export delete merge help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from list" -l store -d 'The file with the results [default: SPEEDWELL_STORE, or speedwell/results.db in XDG_DATA_HOME or ~/.local/share]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON document'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from list" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from show" -l store -d 'The file with the results [default: SPEEDWELL_STORE, or speedwell/results.db in XDG_DATA_HOME or ~/.local/share]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from show" -l json -d 'Print one JSON document, with what every round took'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from show" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from compare" -l threshold -d 'How much slower something may become, in per cent: less is not told from what a machine does on another day' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from compare" -l store -d 'The file with the results [default: SPEEDWELL_STORE, or speedwell/results.db in XDG_DATA_HOME or ~/.local/share]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from compare" -l json -d 'Print one JSON document'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from compare" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from compare" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from export" -l format -d 'The form' -r -f -a "jsonl\t'One JSON object a line'
csv\t'Comma-separated values'
parquet\t'Apache Parquet'
junit\t'JUnit\'s XML, as CI services show it: a test a figure, a wrong answer is a failure'
bencher\t'The JSON of Bencher'"
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from export" -s o -l output -d 'Write to this file' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from export" -l store -d 'The file with the results [default: SPEEDWELL_STORE, or speedwell/results.db in XDG_DATA_HOME or ~/.local/share]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from export" -l samples -d 'What every round took, a row a round, instead of the figures made of it: with csv and parquet'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from export" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from delete" -l store -d 'The file with the results [default: SPEEDWELL_STORE, or speedwell/results.db in XDG_DATA_HOME or ~/.local/share]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from delete" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from delete" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from merge" -l store -d 'The file with the results [default: SPEEDWELL_STORE, or speedwell/results.db in XDG_DATA_HOME or ~/.local/share]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from merge" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from merge" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from help" -f -a "list" -d 'List the runs'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from help" -f -a "show" -d 'Print the tables of a run'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from help" -f -a "compare" -d 'Say what became faster or slower from one run to another; the exit code is 1 if something became slower'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from help" -f -a "export" -d 'Write runs in the form of another program'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from help" -f -a "delete" -d 'Forget runs'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from help" -f -a "merge" -d 'Take over the runs of other stores'
complete -c speedwell -n "__fish_speedwell_using_subcommand results; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c speedwell -n "__fish_speedwell_using_subcommand selftest" -l runs -d 'Experiments for each row' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand selftest" -l slowdown -d 'Per cent of work that is planted' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand selftest" -l seconds -d 'Seconds spent on each subject in each experiment' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand selftest" -l json -d 'Print one JSON document'
complete -c speedwell -n "__fish_speedwell_using_subcommand selftest" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand selftest" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand subjects" -l json -d 'Print one JSON document'
complete -c speedwell -n "__fish_speedwell_using_subcommand subjects" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand subjects" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and not __fish_seen_subcommand_from openssl speedwell help" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and not __fish_seen_subcommand_from openssl speedwell help" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and not __fish_seen_subcommand_from openssl speedwell help" -f -a "openssl" -d 'OpenSSL\'s libcrypto, of any version from 1.0.0 on'
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and not __fish_seen_subcommand_from openssl speedwell help" -f -a "speedwell" -d 'This command from a checkout of its source, with other profiles and flags'
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and not __fish_seen_subcommand_from openssl speedwell help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from openssl" -l source -d 'The source: a folder, or one that is packed' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from openssl" -l cc -d 'Compilers' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from openssl" -l cflags -d 'Sets of flags behind the library\'s own; several flags of a set stand in quotes' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from openssl" -l asm -d 'With its assembly or without' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from openssl" -l name -d 'What the builds\' names begin with [default: the library\'s name and version]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from openssl" -s j -l jobs -d 'Jobs at a time' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from openssl" -l cache -d 'Where builds and their logs are kept [default: the user\'s cache]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from openssl" -l json -d 'Print one JSON document'
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from openssl" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from openssl" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from speedwell" -l source -d 'The checkout' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from speedwell" -l profile -d 'Profiles of Cargo' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from speedwell" -l target-cpu -d 'Processors that code outside of kernels is compiled for: `native`, `x86-64-v3`' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from speedwell" -l codegen-units -d 'In how many units a crate is compiled' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from speedwell" -l lto -d 'Optimisation across crates: off, thin or fat' -r -f -a "off\t''
thin\t''
fat\t''"
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from speedwell" -l name -d 'What the builds\' names begin with [default: the library\'s name and version]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from speedwell" -s j -l jobs -d 'Jobs at a time' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from speedwell" -l cache -d 'Where builds and their logs are kept [default: the user\'s cache]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from speedwell" -l json -d 'Print one JSON document'
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from speedwell" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from speedwell" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from help" -f -a "openssl" -d 'OpenSSL\'s libcrypto, of any version from 1.0.0 on'
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from help" -f -a "speedwell" -d 'This command from a checkout of its source, with other profiles and flags'
complete -c speedwell -n "__fish_speedwell_using_subcommand build; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c speedwell -n "__fish_speedwell_using_subcommand tune" -s o -l output -d 'Where to write the profile [default: speedwell/profile in the user\'s configuration folder]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand tune" -l seconds -d 'Seconds that it may take' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand tune" -l json -d 'Print the measurements as one JSON document instead of writing a profile'
complete -c speedwell -n "__fish_speedwell_using_subcommand tune" -l jsonl -d 'Print them as one JSON object a line, as measurements/ keeps them'
complete -c speedwell -n "__fish_speedwell_using_subcommand tune" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand tune" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand report" -l store -d 'The file with the results [default: SPEEDWELL_STORE, or speedwell/results.db in XDG_DATA_HOME or ~/.local/share]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand report" -s o -l output -d 'Write a page (HTML) that needs no network; without it and --svg, print to the terminal' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand report" -l svg -d 'Write the figures as SVG files into this folder' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand report" -l baseline -d 'The subject that others are compared with [default: what the run compared with, or the first]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand report" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand report" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand recommend" -l store -d 'The file with the results [default: SPEEDWELL_STORE, or speedwell/results.db in XDG_DATA_HOME or ~/.local/share]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand recommend" -l format -d 'The form' -r -f -a "text\t'For people: which subject from which size on, by how much, how certain'
profile\t'A local profile for SPEEDWELL_PROFILE, from a run of `tune --json`'
openssl-cnf\t'A property query for openssl.cnf'
cpp\t'Lines for the C preprocessor'"
complete -c speedwell -n "__fish_speedwell_using_subcommand recommend" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c speedwell -n "__fish_speedwell_using_subcommand recommend" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand import" -s o -l output -d 'Write them into this file, one a line' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand import" -l algorithm -d 'What timings are of, which do not say it' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand import" -l operation -d 'The operation that timings are of' -r -f -a "encrypt\t'Encryption'
decrypt\t'Decryption'
hash\t'Hashing'
mac\t'Message authentication'
sign\t'Signing'
verify\t'Checking a signature'
generate\t'Making a key'"
complete -c speedwell -n "__fish_speedwell_using_subcommand import" -l bytes -d 'Bytes of a message that timings are of' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand import" -l calls -d 'Messages that one timing is of' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand import" -l json -d 'Print the documents as JSON, one a line'
complete -c speedwell -n "__fish_speedwell_using_subcommand import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c speedwell -n "__fish_speedwell_using_subcommand import" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -s a -l algorithm -d 'The algorithm; with --check, that of lines that do not name one, and lines that name another are refused [default: sha256, and with --check each line\'s]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -s j -l jobs -d 'Threads [default: as many as the processor runs at once]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -s l -l list -d 'List the algorithms'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -s r -l recursive -d 'Go into folders; links are followed to files, and to folders only where they are named here'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -s v -l verbose -d 'Print `algorithm (file) = digest`, as Solaris\' commands do'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -l tag -d 'Print `ALGORITHM (file) = digest`, as BSD\'s commands do'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -l untagged -d 'Print `digest  file`, as coreutils\' commands do: the default'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -l json -d 'Print one JSON array with an object for each file'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -l base64 -d 'Write digests in base64 instead of hexadecimal digits'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -s z -l zero -d 'End lines with a zero byte, and escape no names'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -s c -l check -d 'Check lists in any of these forms, and in those of sha256sum, md5sum, cksum -a, shasum and openssl dgst'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -l quiet -d 'With --check, do not print `OK` for each file that is'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -l status -d 'With --check, print nothing: the exit code tells'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -l strict -d 'With --check, fail if a line has none of the forms'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -l ignore-missing -d 'With --check, pass over files that are not there'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -s w -l warn -d 'With --check, name every line that has none of the forms'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -l debug -d 'Name the kernels that run'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -l as-link -d 'Print as Solaris\' command does, the digest alone for one file: set where that command\'s name is used'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand digest" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -s a -l algorithm -d 'The algorithm; with --check, lines that name another are refused [default: hmac-sha256]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -s k -l key-file -d 'Read the key from this file: its bytes are the key' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -l key-fd -d 'Read the key from this open file descriptor' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -l key-env -d 'Take the key from this environment variable, in hexadecimal digits' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -s j -l jobs -d 'Threads [default: as many as the processor runs at once]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -s l -l list -d 'List the algorithms'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -s r -l recursive -d 'Go into folders; links are followed to files, and to folders only where they are named here'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -s v -l verbose -d 'Print `algorithm (file) = digest`, as Solaris\' commands do'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -l tag -d 'Print `ALGORITHM (file) = digest`, as BSD\'s commands do'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -l untagged -d 'Print `digest  file`, as coreutils\' commands do: the default'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -l json -d 'Print one JSON array with an object for each file'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -l base64 -d 'Write digests in base64 instead of hexadecimal digits'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -s z -l zero -d 'End lines with a zero byte, and escape no names'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -s c -l check -d 'Check lists in any of these forms, and in those of sha256sum, md5sum, cksum -a, shasum and openssl dgst'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -l quiet -d 'With --check, do not print `OK` for each file that is'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -l status -d 'With --check, print nothing: the exit code tells'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -l strict -d 'With --check, fail if a line has none of the forms'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -l ignore-missing -d 'With --check, pass over files that are not there'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -s w -l warn -d 'With --check, name every line that has none of the forms'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -l debug -d 'Name the kernels that run'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -l as-link -d 'Print as Solaris\' command does, the digest alone for one file: set where that command\'s name is used'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand mac" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -s i -l input -d 'The input [default: standard input]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -s o -l output -d 'The output [default: standard output]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -l format -d 'The form of the encrypted file' -r -f -a "speedwell\t'Our own: AES-256-GCM in chunks, which finds every change'
openssl\t'That of `openssl enc -pbkdf2`; changes are not found'
solaris\t'That of Solaris\' encrypt and decrypt; changes are not found'"
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -s a -l algorithm -d 'The cipher, with --format [default: aes-256-cbc for openssl, aes-128-cbc for solaris]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -l iterations -d 'Iterations of PBKDF2, with --format [default: 10000 for openssl, 1000 for solaris]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -l digest -d 'The digest of PBKDF2, with --format openssl [default: sha256]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -s j -l jobs -d 'Threads [default: as many as the processor runs at once]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -s k -l key-file -d 'Read the key from this file: its bytes are the key' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -l key-fd -d 'Read the key from this open file descriptor' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -l key-env -d 'Take the key from this environment variable, in hexadecimal digits' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -s p -l passphrase-file -d 'Read the passphrase from the first line of this file' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -l passphrase-fd -d 'Read the passphrase from the first line of this open file descriptor' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -l passphrase-env -d 'Take the passphrase from this environment variable' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -s v -l verbose -d 'Show how far the work is, and its rate'
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c speedwell -n "__fish_speedwell_using_subcommand encrypt" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -s i -l input -d 'The input [default: standard input]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -s o -l output -d 'The output [default: standard output]' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -l format -d 'The form of the encrypted file' -r -f -a "speedwell\t'Our own: AES-256-GCM in chunks, which finds every change'
openssl\t'That of `openssl enc -pbkdf2`; changes are not found'
solaris\t'That of Solaris\' encrypt and decrypt; changes are not found'"
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -s a -l algorithm -d 'The cipher, with --format [default: aes-256-cbc for openssl, aes-128-cbc for solaris]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -l iterations -d 'Iterations of PBKDF2, with --format [default: 10000 for openssl, 1000 for solaris]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -l digest -d 'The digest of PBKDF2, with --format openssl [default: sha256]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -s j -l jobs -d 'Threads [default: as many as the processor runs at once]' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -s k -l key-file -d 'Read the key from this file: its bytes are the key' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -l key-fd -d 'Read the key from this open file descriptor' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -l key-env -d 'Take the key from this environment variable, in hexadecimal digits' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -s p -l passphrase-file -d 'Read the passphrase from the first line of this file' -r -F
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -l passphrase-fd -d 'Read the passphrase from the first line of this open file descriptor' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -l passphrase-env -d 'Take the passphrase from this environment variable' -r
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -s v -l verbose -d 'Show how far the work is, and its rate'
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c speedwell -n "__fish_speedwell_using_subcommand decrypt" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand completions" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand completions" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand share" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand share" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand worker" -s h -l help -d 'Print help'
complete -c speedwell -n "__fish_speedwell_using_subcommand worker" -s V -l version -d 'Print version'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "speed" -d 'Time algorithms, kernels and other libraries side by side'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "list" -d 'List the algorithms, their kernels, and which is chosen and why'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "run" -d 'Run an experiment from its file: build what is missing, measure, keep and show'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "results" -d 'List, show, compare and export the results that were kept'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "selftest" -d 'Try whether verdicts on this machine hold: plant a small slowdown and look for it, many times'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "subjects" -d 'List what can be compared with: which libraries are here, and how to install the others'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "build" -d 'Build libraries from source with several compilers and flags, to compare the builds'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "tune" -d 'Measure every kernel on this host, and write the profile from which the library chooses here'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "report" -d 'Show runs: as a page, as figures, or in the terminal'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "recommend" -d 'Say what to use for what, by measurement'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "import" -d 'Read results from elsewhere: tables of `openssl speed`, speed-ups, timings, Phoronix XML'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "digest" -d 'Print or check digests of files'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "mac" -d 'Print or check message authentication codes of files'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "encrypt" -d 'Encrypt a file'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "decrypt" -d 'Decrypt a file'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "completions" -d 'Print a completion script for a shell'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "share" -d 'Write manual pages and completions into a folder, as packages install them'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "worker" -d 'Serve the laboratory from a process of its own: one line of JSON in, one out'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and not __fish_seen_subcommand_from speed list run results selftest subjects build tune report recommend import digest mac encrypt decrypt completions share worker help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "list" -d 'List the runs'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "show" -d 'Print the tables of a run'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "compare" -d 'Say what became faster or slower from one run to another; the exit code is 1 if something became slower'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "export" -d 'Write runs in the form of another program'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "delete" -d 'Forget runs'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "merge" -d 'Take over the runs of other stores'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and __fish_seen_subcommand_from build" -f -a "openssl" -d 'OpenSSL\'s libcrypto, of any version from 1.0.0 on'
complete -c speedwell -n "__fish_speedwell_using_subcommand help; and __fish_seen_subcommand_from build" -f -a "speedwell" -d 'This command from a checkout of its source, with other profiles and flags'
