internal import CSystemCalls

/// A system call that failed: which one, about what, and what the system said.
package struct SystemCallError: Error, Hashable, Sendable {
    /// The call's name, as its manual page has it.
    package let call: String

    /// The path of the call as given; empty if the call was about nothing with a name.
    package let path: String

    /// The system's error number, `errno`.
    package let code: Int32

    package init(_ call: String, _ path: String, code: Int32) {
        self.call = call
        self.path = path
        self.code = code
    }

    /// The system's text for the number, such as "No space left on device".
    package var reason: String {
        // Of the numbers that the system knows, `strerror` returns text that nobody overwrites.
        String(cString: strerror(code))
    }

    /// The disk is full, or a quota is used up.
    package var isNoSpace: Bool { code == ENOSPC || code == EDQUOT }
    package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
    package var isAlreadyThere: Bool { code == EEXIST || code == ENOTEMPTY }
    package var isInUse: Bool { code == EWOULDBLOCK || code == EAGAIN }
    /// The error number for a name that is taken.
    static var alreadyThere: Int32 { EEXIST }
    static var crossesFileSystems: Int32 { EXDEV }
    static var notThere: Int32 { ENOENT }
    static var notSupported: Int32 { ENOTSUP }
}

extension SystemCallError: CustomStringConvertible {
    /// The failed call and the reason, such as `rename of /data/a failed: No space left on device (28)`.
    package var description: String { "\(call) of \(path.isEmpty ? "(no path)" : path) failed: \(reason) (\(code))" }
}

/// The result of a call that returns the negated error number.
@discardableResult
func checked<Result: FixedWidthInteger & SignedInteger>(
    _ result: Result,
    _ call: String,
    _ path: @autoclosure () -> String
) throws(SystemCallError) -> Result {
    if result < 0 { throw SystemCallError(call, path(), code: Int32(truncatingIfNeeded: -result)) }
    return result
}
