import Foundation

/// Writes what a command finds and does, as it comes: lines for people, or one document of JSON.
///
/// The document is written piece by piece, so that a million files take no memory.
final class Reporter {
    /// The subcommand, as `policy check`.
    let command: String
    let progress: Progress
    private let json: JSONEncoder?
    private let isSilent: Bool
    private var pending: [UInt8] = []
    private let isTerminal = isatty(STDOUT_FILENO) != 0
    private var entryCount = 0
    private var problems: [Problem] = []

    /// The status that the program ends with.
    private(set) var status = ExitStatus.success

    /// Begins a report.
    ///
    /// - Parameters:
    ///   - command: The subcommand.
    ///   - options: How to write.
    ///   - isSilent: The standard output is for data: only problems are written.
    /// - Throws: ``CommandFailure`` where nobody takes it.
    init(_ command: String, _ options: OutputOptions, isSilent: Bool = false) throws(CommandFailure) {
        self.command = command
        self.isSilent = isSilent
        progress = Progress(options)
        guard options.json else {
            json = nil
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        json = encoder
        try put(#"{"version": 1, "command": "\#(command)", "entries": ["#)
    }

    /// Tells one thing that was found or done.
    func tell(_ entry: Entry) throws(CommandFailure) {
        if isSilent { return }
        if let json {
            try put(entryCount == 0 ? "\n" : ",\n")
            try put(encoded(entry, json))
        } else {
            progress.clear()
            try put(entry.line + "\n")
        }
        entryCount += 1
    }

    /// Tells what went wrong; the first problem decides what the program ends with.
    func tell(_ failure: CommandFailure, about subject: String? = nil) {
        let problem = note(failure, about: subject)
        progress.clear()
        // In order with the lines of what went well.
        try? flush()
        let about = "multi-identity: \(problem.subject.shown)"
        try? StandardStreams.write("\(about): \(problem.message.shown)\n", to: STDERR_FILENO)
    }

    /// As ``tell(_:about:)``, where people have been notified.
    @discardableResult
    func note(_ failure: CommandFailure, about subject: String? = nil) -> Problem {
        let problem = Problem(failure, about: subject ?? failure.subject ?? command)
        if status == .success || status == .no { status = failure.status }
        if json != nil { problems.append(problem) }
        return problem
    }

    /// Notes that the answer is no, unless something went wrong.
    func answerNo() {
        if status == .success { status = .no }
    }

    /// Runs something for one of several; its failure is a problem and ends nothing else.
    ///
    /// - Throws: ``CommandFailure`` where nothing can go on: the user wants an end, or nobody reads.
    func each(_ subject: String, _ body: () throws -> Void) throws(CommandFailure) {
        do {
            try body()
        } catch {
            let failure = CommandFailure(error)
            if failure.endsAll { throw failure }
            tell(failure, about: subject)
        }
        try Interruption.check()
    }

    /// Writes the end.
    func finish() throws(CommandFailure) {
        progress.clear()
        if let json {
            try put(entryCount == 0 ? "], \"problems\": [" : "\n], \"problems\": [")
            for (index, problem) in problems.enumerated() {
                try put(index == 0 ? "\n" : ",\n")
                try put(encoded(problem, json))
            }
            try put(problems.isEmpty ? "]" : "\n]")
            try put(", \"exitStatus\": \(status.number)}\n")
        }
        try flush()
    }

    private func encoded(_ value: some Encodable, _ encoder: JSONEncoder) throws(CommandFailure) -> String {
        do { return String(decoding: try encoder.encode(value), as: UTF8.self) } catch {
            throw CommandFailure(.software, "unexpected", "A result cannot be written as JSON: \(error).")
        }
    }

    private func put(_ text: String) throws(CommandFailure) {
        pending += text.utf8
        if isTerminal || pending.count >= 1 << 15 { try flush() }
    }

    private func flush() throws(CommandFailure) {
        defer { pending = [] }
        try StandardStreams.write(pending, to: STDOUT_FILENO)
    }
}
