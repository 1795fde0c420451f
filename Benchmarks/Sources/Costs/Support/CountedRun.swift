import ArgumentParser
import Foundation

/// Another run of this program, under a tool that counts what it does.
struct CountedRun {
    /// The arguments of the run; the number of repetitions is appended.
    let arguments: [String]

    /// Returns the number of instructions of one repetition.
    ///
    /// It is the difference of a long and a short run, so that the rest of the process does not count.
    func instructions(short: Int = 1_000, long: Int = 6_000) throws -> Double {
        func count(_ program: String, _ repetitions: Int) throws -> Int {
            let tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
            let output = try Self.run(tool + [program] + arguments + ["\(repetitions)"])
            guard let count = output.firstMatch(of: /Collected : (\d+)/).flatMap({ Int($0.1) }) else {
                throw ValidationError("valgrind printed no count:\n\(output)")
            }
            return count
        }
        return try Self.withStripped { program in
            Double(try count(program, long) - count(program, short)) / Double(long - short)
        }
    }

    /// Returns the system calls of one repetition, by name, without the few that do not belong to each repetition.
    func systemCalls(short: Int = 1_000, long: Int = 6_000) throws -> [String: Double] {
        var calls: [String: Int] = [:]
        for (repetitions, sign) in [(long, 1), (short, -1)] {
            for line in try trace(repetitions) {
                guard let name = line.firstMatch(of: /^\d+ +(\w+)\(/)?.1 else { continue }
                calls[String(name), default: 0] += sign
            }
        }
        return calls.mapValues { Double($0) / Double(long - short) }.filter { abs($0.value) > 0.01 }
    }

    /// Returns the output lines of `strace` for a run.
    private func trace(_ repetitions: Int) throws -> [Substring] {
        let file = NSTemporaryDirectory() + "costs-\(UUID().uuidString).trace"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let strace = ["strace", "-f", "-qq", "-o", file, Self.program]
        _ = try Self.run(strace + arguments + ["\(repetitions)"])
        return try String(decoding: Data(contentsOf: URL(filePath: file)), as: UTF8.self).split(separator: "\n")
    }

    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path

    /// This program without its debug information, which this valgrind cannot read in the format of Swift 6.3.
    private static func withStripped<Result>(_ body: (String) throws -> Result) throws -> Result {
        try withTemporaryFolder { folder in
            _ = try run(["strip", "-o", "\(folder)/costs", program])
            return try body("\(folder)/costs")
        }
    }

    private static func run(_ command: [String]) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        var environment = ProcessInfo.processInfo.environment
        // Each size has a list of free memory, so that counts do not depend on the order in which memory was freed before.
        environment["GLIBC_TUNABLES"] = "glibc.malloc.tcache_count=65535"
        // For the stripped program in a folder of its own.
        environment["LD_LIBRARY_PATH"] = URL(filePath: program).deletingLastPathComponent().path
        process.environment = environment
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ValidationError("\(command.joined(separator: " ")) ended with \(process.terminationStatus):\n\(text)")
        }
        return text
    }
}
