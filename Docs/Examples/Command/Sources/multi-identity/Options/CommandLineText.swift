import ArgumentParser

/// The command line as it was given.
enum CommandLineText {
    /// Refuses arguments that are not UTF-8: as text they would name another file, or somebody else.
    static func check() throws {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            if String(validatingCString: argument) == nil {
                throw ValidationError("Argument \(index), \(String(cString: argument)), is not UTF-8.")
            }
        }
    }

    /// Indicates whether JSON is asked for, as far as it shows where the arguments are wrong.
    static var wantsJSON: Bool { CommandLine.arguments.dropFirst().prefix { $0 != "--" }.contains("--json") }
}
