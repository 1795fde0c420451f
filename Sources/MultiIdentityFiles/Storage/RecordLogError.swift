package import MultiIdentity

/// An error of opening or writing a log of records: what is wrong, with which file, and what to do.
package struct RecordLogError: CodedError {
    /// The kind of failure, for code to match on.
    package let code: ErrorCode<RecordLogError>
    /// A description of the failure, for people.
    package let message: String
    /// The error of the system call that failed, if any.
    package let systemError: SystemCallError?

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
        systemError = nil
    }

    package init(_ error: SystemCallError) {
        code = .systemCall
        message = error.description
        systemError = error
    }

    init(damagedHeaderOf path: String) {
        self.init(.damagedHeader, "\(path) does not begin like such a log. Repair it, or move it away.")
    }

    init(removed path: String) {
        let message = "\(path) was removed or replaced while it was in use, and nothing can be recorded. "
        self.init(.removed, message + "Restore it, or restart.")
    }

    /// Runs a body that makes system calls, and converts its errors.
    static func from<Value: ~Copyable>(_ body: () throws(SystemCallError) -> Value) throws(RecordLogError) -> Value {
        do { return try body() } catch { throw RecordLogError(error) }
    }
}

extension ErrorCode where Failure == RecordLogError {
    /// Another descriptor, of this process or another, has the log locked.
    package static var inUse: Self { Self() }
    /// It belongs to another user than the process's.
    package static var wrongOwner: Self { Self() }
    /// Others than its owner may read or write it.
    package static var wrongPermissions: Self { Self() }
    /// It is not a regular file.
    package static var notAFile: Self { Self() }
    /// Its name is gone or refers to another file, so new records would be lost.
    package static var removed: Self { Self() }
    /// It does not begin as such a log does.
    package static var damagedHeader: Self { Self() }
    /// It was written by a later version of this package.
    package static var newerVersion: Self { Self() }
    /// A record is longer than a log accepts.
    package static var recordTooLong: Self { Self() }
    /// A system call failed: ``RecordLogError/systemError``.
    package static var systemCall: Self { Self() }
}
