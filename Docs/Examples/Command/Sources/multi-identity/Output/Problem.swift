/// Something that went wrong, as `--json` writes it.
struct Problem: Encodable {
    /// The file or the identity that it is about; else the subcommand.
    let subject: String
    /// The kind of error, as the package calls it.
    let code: String
    /// A sentence that says what was wrong and what to do.
    let message: String
    /// The status that the program ends with because of it, if it is the first.
    let exitStatus: Int32

    init(_ failure: CommandFailure, about subject: String) {
        self.subject = subject
        code = failure.code
        message = failure.message
        exitStatus = failure.status.number
    }
}
