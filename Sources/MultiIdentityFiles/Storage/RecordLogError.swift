/// A log of records cannot be opened or written: what is wrong, with which file, and what to do.
package struct RecordLogError: Error, Hashable, Sendable {
    package enum Code: Hashable, Sendable {
        /// Another descriptor, of this process or another, has the log open.
        case inUse
        /// It belongs to another user than the process runs as.
        case wrongOwner
        /// Others than its owner may read or write it.
        case wrongPermissions
        case notAFile
        /// Its name is gone, or another file's: what is added to it would be lost.
        case removed
        /// It does not begin as such a log does.
        case damagedHeader
        /// It was written by a later version of this package.
        case newerVersion
        /// A record is longer than a log takes.
        case recordTooLong
        /// The system refused a call; ``RecordLogError/systemError`` says which.
        case systemCall
    }

    package let code: Code
    /// A description of the failure, for people.
    package let message: String
    /// The error of the system, where it refused a call.
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
        self.init(.damagedHeader, "\(path) does not begin as such a log does. Repair it, or put it aside.")
    }

    /// Returns what a body that makes system calls returns, its errors as ours.
    static func from<Value>(_ body: () throws(SystemCallError) -> Value) throws(RecordLogError) -> Value {
        do throws(SystemCallError) { return try body() } catch { throw RecordLogError(error) }
    }
}

extension RecordLogError: CustomStringConvertible {
    /// The code and the message.
    package var description: String { "\(code): \(message)" }
}
