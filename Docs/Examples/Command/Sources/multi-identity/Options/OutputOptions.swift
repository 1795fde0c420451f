import ArgumentParser

/// The form in which results are written.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Write one document of JSON to the standard output.")
    var json = false

    @Flag(inversion: .prefixedNo, help: "Show progress on the standard error; without, where that is a terminal.")
    var progress: Bool?

    /// For code that reads no arguments.
    static var asJSON: OutputOptions {
        var options = OutputOptions()
        options.json = true
        options.progress = false
        return options
    }
}
