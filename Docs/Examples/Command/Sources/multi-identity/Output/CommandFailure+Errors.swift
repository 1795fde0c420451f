import MultiIdentity
import MultiIdentityPolicy

extension CommandFailure {
    /// Finds out what an error means here.
    init(_ error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as PolicyFileError:
            self.init(Self.status(of: error), "\(error.code)", error.message, about: error.path)
        case let error as DataPlaceError: self.init(.usage, "\(error.code)", error.message)
        case let error as AccountsError: self.init(.no, "\(error.code)", error.message)
        case let error as IdentityError: self.init(.usage, "\(error.code)", error.message)
        default: self.init(.software, "unexpected", "\(error)")
        }
    }

    private static func status(of error: PolicyFileError) -> ExitStatus {
        switch error.code {
        case .missing, .unreadable, .notAFile: .noInput
        case .writableByAll: .configuration
        case .beingWritten: .tryLater
        default: .data
        }
    }
}
