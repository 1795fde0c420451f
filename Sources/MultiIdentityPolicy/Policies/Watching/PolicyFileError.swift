/// A file of policies cannot be put into force: which one, what is wrong, and what to do.
public struct PolicyFileError: Error, Hashable, Sendable {
    /// What went wrong, for code to match on.
    public let code: Code

    /// The file's path, as it was given.
    public let path: String

    /// What is wrong with the text, and where, if ``code`` is ``Code/invalidText``.
    public let textError: PolicyTextError?

    /// What went wrong, for people, and what to do.
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

extension PolicyFileError {
    /// What went wrong, for code to match on; a minor release can add codes.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case missing, unreadable, notAFile, writableByAll, tooLarge, beingWritten, invalidText
        }

        private let kind: Kind

        /// There is no file.
        public static let missing = Code(kind: .missing)
        /// The system refused to open or to read it.
        public static let unreadable = Code(kind: .unreadable)
        /// It is a folder, a pipe, a device.
        public static let notAFile = Code(kind: .notAFile)
        /// Anybody on the machine may write it, and so set the policies.
        public static let writableByAll = Code(kind: .writableByAll)
        /// It has more bytes than ``PolicyFile/maximumSize``.
        public static let tooLarge = Code(kind: .tooLarge)
        /// It changed each time while it was being read.
        public static let beingWritten = Code(kind: .beingWritten)
        /// Its text is no set of policies; ``PolicyFileError/textError`` says where.
        public static let invalidText = Code(kind: .invalidText)
    }
}

extension PolicyFileError.Code: CustomStringConvertible {
    /// The code's name.
    public var description: String { "\(kind)" }
}

extension PolicyFileError: CustomStringConvertible {
    /// The path, the code and the message.
    public var description: String { "\(path): \(code): \(message)" }
}
