import MultiIdentity
import MultiIdentityPolicy

/// An error of the package as the command tells it: what to end with, what it is called, and what it says.
struct CommandFailure: Error {
    let status: ExitStatus
    let code: String
    let message: String

    init(_ status: ExitStatus, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    /// Finds out what an error means here.
    init(_ error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as PolicyFileError: self.init(Self.status(of: error), "\(error.code)", "\(error)")
        case let error as DataPlaceError: self.init(.usage, "\(error.code)", error.message)
        case let error as AccountsError: self.init(.no, "\(error.code)", error.message)
        case let error as IdentityError: self.init(.usage, "\(error.code)", error.message)
        default: self.init(.software, "unexpected", "\(error)")
        }
    }

    private static func status(of error: PolicyFileError) -> ExitStatus {
        switch error.code {
        case .missing, .unreadable, .notAFile: .noInput
        case .beingWritten: .tryLater
        default: .data
        }
    }
}
