import MultiIdentity
import MultiIdentityFiles

extension ProtectionError {
    /// Creates the error of a failure of the cryptographic library: it lacks memory, or the algorithm.
    static func cryptography(failedTo step: String) -> ProtectionError {
        ProtectionError(
            .cryptographyFailed,
            "The cryptographic library failed to \(step): it lacks memory, or its configuration lacks the algorithm."
        )
    }

    init(_ error: SystemCallError) {
        let advice = error.isNoSpace ? " Nothing has changed; free disk space and try again." : ""
        self.init(error.isNoSpace ? .noSpace : error.isNotFound ? .notFound : .systemCall, "\(error).\(advice)")
    }

    init(_ error: IdentityFileError) {
        let code: Code =
            switch error.code {
            case .revoked: .revoked
            case .notAFile, .changedMeanwhile: .unsuitableFile
            case .notFound: .notFound
            case .noSpace: .noSpace
            case .systemCall: .systemCall
            default: .fileFailed
            }
        self.init(code, error.message)
        fileError = error
    }

    /// The error of a wipe's journal.
    init(_ error: RecordLogError) {
        switch error.code {
        case .systemCall:
            if let cause = error.systemError { self.init(cause) } else { self.init(.systemCall, error.message) }
        case .inUse: self.init(.inUse, "\(error.message) It is being wiped there.")
        case .newerVersion: self.init(.futureVersion, error.message)
        case .wrongOwner, .wrongPermissions, .notAFile: self.init(.unsafeFile, error.message)
        default: self.init(.damaged, error.message)
        }
    }

    /// Runs a body that makes system calls, and converts its errors.
    static func from<Value: ~Copyable>(
        _ body: () throws(SystemCallError) -> Value
    ) throws(ProtectionError) -> Value {
        do { return try body() } catch { throw ProtectionError(error) }
    }
}
