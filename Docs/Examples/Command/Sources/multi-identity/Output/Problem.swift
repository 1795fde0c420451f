/// Something that went wrong, as `--json` writes it.
struct Problem: Encodable {
    /// The file or the identity that it is about; else the subcommand.
    let subject: String
    /// The kind of error, as the package calls it.
    let code: String
    /// What was wrong and what to do, for people.
    let message: String
    /// What the program ends with because of it, if it is the first.
    let exitStatus: Int32

    init(_ failure: CommandFailure, about subject: String) {
        self.subject = subject
        code = failure.code
        message = failure.message
        exitStatus = failure.status.number
    }
}
