import ArgumentParser

/// The options that name what is converted, and where to.
struct ConversionOptions: ParsableArguments {
    @Argument(help: "The files, or - for the standard input.", completion: .file())
    var files: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Where to write, or - for the standard output; without, each file is replaced at once.",
            valueName: "file"
        ),
        completion: .file()
    )
    var output: String?

    @Flag(help: "Replace an output file that is there, convert files of several names, write to a terminal.")
    var force = false

    /// Indicates whether the standard output is for data.
    var writesData: Bool { files.contains { DataTarget(output, for: DataSource($0)) == .standardOutput } }

    /// Refuses what cannot be meant.
    func check(_ options: OutputOptions) throws {
        if files.count > 1 {
            guard output == nil else { throw ValidationError("--output goes with one file.") }
            guard !files.contains("-") else {
                throw ValidationError("- for the standard input goes with no other file.")
            }
        }
        if writesData, options.json {
            throw ValidationError("The standard output is for the data, so --json needs --output with a file.")
        }
    }
}
