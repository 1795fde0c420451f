public import MultiIdentity

/// A file of policies cannot be put into force: which one, what is wrong, and what to do.
public struct PolicyFileError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<PolicyFileError>

    /// The file's path, as it was given.
    public let path: String

    /// The problem with the text, and its place, if ``code`` is `.invalidText`.
    public let textError: PolicyTextError?

    /// A description of the failure, for people, and what to do.
    public let message: String

    init(_ code: Code, path: String, _ message: String) {
        self.code = code
        self.path = path
        self.textError = nil
        self.message = message
    }

    init(_ error: PolicyTextError, path: String) {
        code = .invalidText
        self.path = path
        textError = error
        message = error.description
    }
}

extension ErrorCode where Failure == PolicyFileError {
    /// There is no file.
    public static var missing: Self { Self() }
    /// The system refused to open or to read it.
    public static var unreadable: Self { Self() }
    /// It is a folder, a pipe, a device.
    public static var notAFile: Self { Self() }
    /// Anybody on the machine may write it, and so set the policies.
    public static var writableByAll: Self { Self() }
    /// It has more bytes than ``PolicyFile/maximumSize``.
    public static var tooLarge: Self { Self() }
    /// It changed each time while it was being read.
    public static var beingWritten: Self { Self() }
    /// Its text is no set of policies; ``PolicyFileError/textError`` says where.
    public static var invalidText: Self { Self() }
}

extension PolicyFileError: CustomStringConvertible {
    /// The path, the code and the message.
    public var description: String { "\(path): \(code): \(message)" }
}
