import ArgumentParser
import Foundation
import Synchronization

/// A process of this run, by this same program, which answers by lines.
final class LeavingProcess: Sendable {
    private let process: Process
    private let (input, output) = (Pipe(), Pipe())
    private let rest = Mutex<[UInt8]>([])

    init(_ arguments: [String]) throws {
        process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    func tell(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Ends it, which it does where nobody tells it anything more.
    func end() { try? input.fileHandleForWriting.close() }

    /// Waits for the next line, which has to begin with one of these words, and returns the others.
    func line(_ words: String...) throws -> [String] {
        let line = rest.withLock { rest -> String? in
            while true {
                if let end = rest.firstIndex(of: 10) {
                    defer { rest.removeFirst(end + 1) }
                    return String(decoding: rest[..<end], as: UTF8.self)
                }
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { return nil }
                rest += more
            }
        }
        let found = (line ?? "").split(separator: " ").map(String.init)
        guard let first = found.first, words.contains(first) else {
            throw ValidationError("A process said \"\(line ?? "nothing")\" where \(words) was awaited.")
        }
        return Array(found.dropFirst())
    }
}
