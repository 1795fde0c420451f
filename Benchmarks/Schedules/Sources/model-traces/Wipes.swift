import Foundation

/// A wipe by processes that are killed, each of which goes on where the one before was: runs this program for each of them.
struct Wipes {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("wipes-\(UUID())").path

    func run(seed: UInt64) throws -> String {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try WipingProcess.prepare(folder)
        // Three are killed at most, and what comes then does not fail.
        for number in 0..<4 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["wiping-process", folder, "\(seed)", "\(number)"]
            try process.run()
            process.waitUntilExit()
            let events = WipeEvents(folder)
            if try process.terminationReason == .exit || events.line.hasSuffix("P1,0,0") { break }
            events.add("X")
        }
        return try WipeEvents(folder).line
    }
}

/// The events of all processes that wipe, in a file.
struct WipeEvents: Sendable {
    private let path: String

    init(_ folder: String) { path = folder + "/events" }

    /// Adds one at the end: one call of the system, so that a process that is killed leaves no half of it.
    func add(_ letter: Character, _ one: Int = 0, _ two: Int = 0) {
        let file = open(path, O_WRONLY | O_APPEND)
        let text = Array("\(letter)\(one),\(two),0 ".utf8)
        guard write(file, text, text.count) == text.count else { fatalError("\(path) cannot be written.") }
        close(file)
    }

    var line: String {
        get throws { try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespaces) }
    }
}
