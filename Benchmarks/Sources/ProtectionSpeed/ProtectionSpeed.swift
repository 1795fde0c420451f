import ArgumentParser

@main
struct ProtectionSpeed: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protection-speed",
        abstract: "Measures protection, for Benchmarks/protection-speed; each line that it prints is a number.",
        subcommands: [Memory.self, File.self, Peak.self]
    )

    struct Clock: ParsableArguments {
        @Flag(help: "Take the clock's time, and not the processor's with the system's calls.")
        var elapsed = false
    }

    struct Memory: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Bytes a second of protecting pieces of 1 MiB, after a tenth of the time to warm up."
        )

        @Argument(help: "For how many seconds.")
        var seconds: Int
        @OptionGroup var clock: Clock

        func run() throws {
            try Speed.measured(isElapsed: clock.elapsed) { try $0.memory(seconds: seconds) }
        }
    }

    struct File: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "For each round the bytes a second of protecting a file, and of the same loop in C."
        )

        @Argument(help: "Where the files are made.")
        var folder: String
        @Argument(help: "How large a file is, in MiB.")
        var mebibytes: Int
        @Argument(help: "How many rounds.")
        var rounds: Int
        @OptionGroup var clock: Clock

        func run() throws {
            try Speed.measured(isElapsed: clock.elapsed) { try $0.file(folder, mebibytes: mebibytes, rounds: rounds) }
        }
    }

    struct Peak: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The most memory, in bytes, of a process that has protected and unprotected a file."
        )

        @Argument(help: "Where the files are made.")
        var folder: String
        @Argument(help: "How large a file is, in MiB.")
        var mebibytes: Int

        func run() throws {
            try Speed.measured(isElapsed: false) { try $0.peak(folder, mebibytes: mebibytes) }
        }
    }
}
