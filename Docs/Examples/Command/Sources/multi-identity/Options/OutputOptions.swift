import ArgumentParser

/// How results are written.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Write one document of JSON to the standard output.")
    var json = false

    @Flag(help: "Show progress on the standard error, even where that is no terminal.")
    var progress = false
}
