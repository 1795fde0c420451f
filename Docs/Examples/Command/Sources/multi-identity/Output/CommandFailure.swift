import Foundation

/// An error as the command tells it: what to end with, what it is called, and what it says.
struct CommandFailure: Error {
    let status: ExitStatus
    let code: String
    /// Empty where all was reported.
    let message: String
    /// The file or the identity that it is about, where the error knows it.
    let subject: String?

    init(_ status: ExitStatus, _ code: String, _ message: String, about subject: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.subject = subject
    }

    /// An end with all of it reported.
    init(_ status: ExitStatus) { self.init(status, "told", "") }

    /// True if there is no going on with the next file: nobody reads, or the user wants an end.
    var endsAll: Bool { code == "outputFailed" || code == "interrupted" }

    /// Tells it where there is no reporter, or where that failed.
    static func tellDirectly(_ failure: CommandFailure, about subject: String) {
        try? StandardStreams.write("multi-identity: \(subject.shown): \(failure.message.shown)\n", to: STDERR_FILENO)
    }
}
