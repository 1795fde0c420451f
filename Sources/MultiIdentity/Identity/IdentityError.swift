/// An error of this package: what went wrong, with which value, and what to do.
public struct IdentityError: Error, Hashable, Sendable {
    /// What went wrong, for code to match on.
    public let code: Code

    /// What went wrong, for people: what was tried, with which value, and what to do.
    public let message: String

    /// Where in the name the rule was broken, in UTF-8 bytes from its start; `nil` for an error about no name.
    public let utf8Offset: Int?

    package init(_ code: Code, _ message: String, utf8Offset: Int? = nil) {
        self.code = code
        self.message = message
        self.utf8Offset = utf8Offset
    }
}

extension IdentityError {
    /// What went wrong, for code to match on; a minor release can add codes.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case emptyName, nameTooLong, controlCharacter, lineBreak, surroundingWhiteSpace, invalidUTF8, noIdentity
            case inferredIdentity
        }

        private let kind: Kind

        /// The name was empty. (Nobody is ``Identity/nobody``, not an empty name.)
        public static let emptyName = Code(kind: .emptyName)
        /// The name had more than ``Identity/maximumNameLength`` UTF-8 bytes.
        public static let nameTooLong = Code(kind: .nameTooLong)
        /// The name had a control character.
        public static let controlCharacter = Code(kind: .controlCharacter)
        /// The name had a line break.
        public static let lineBreak = Code(kind: .lineBreak)
        /// The name began or ended with white space.
        public static let surroundingWhiteSpace = Code(kind: .surroundingWhiteSpace)
        /// The bytes of the name were not UTF-8.
        public static let invalidUTF8 = Code(kind: .invalidUTF8)
        /// An identity was required, and the thread level was unset.
        public static let noIdentity = Code(kind: .noIdentity)
        /// An identity was required, and the one that is bound was inferred and is only shown (``IdentityInference``).
        public static let inferredIdentity = Code(kind: .inferredIdentity)
    }
}

extension IdentityError.Code: CustomStringConvertible {
    /// The code's name.
    public var description: String { "\(kind)" }
}

extension IdentityError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
