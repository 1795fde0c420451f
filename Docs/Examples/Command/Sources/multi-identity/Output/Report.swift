/// What a command found and did: with `--json`, the one document that is written to the standard output.
struct Report: Codable {
    /// The subcommand, as `policy check`.
    let command: String
    /// What the program ends with.
    var exitStatus: Int32 = 0
    /// One entry for each thing that was asked about or done, in order.
    var entries: [Entry] = []
    /// What went wrong.
    var problems: [Problem] = []

    /// Something that went wrong.
    struct Problem: Codable {
        /// The file or the identity that it is about.
        let subject: String
        /// The kind of error, as the package calls it; else the exit status's name.
        let code: String
        /// What was wrong and what to do, for people.
        let message: String
        let exitStatus: Int32
    }

    init(_ command: String) { self.command = command }

    /// Adds what went wrong; the first problem decides what the program ends with.
    mutating func add(_ failure: CommandFailure, about subject: String) {
        let status = failure.status.rawValue
        problems.append(Problem(subject: subject, code: failure.code, message: failure.message, exitStatus: status))
        if exitStatus == 0 || exitStatus == ExitStatus.no.rawValue { exitStatus = status }
    }

    /// Notes that the answer is no, unless something went wrong.
    mutating func answerNo() {
        if exitStatus == 0 { exitStatus = ExitStatus.no.rawValue }
    }
}
