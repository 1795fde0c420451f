/// A text that is no set of policies: what is wrong with it, where, and what to do.
public struct PolicyTextError: Error, Hashable, Sendable {
    /// What went wrong, for code to match on.
    public let code: Code

    /// The line where it went wrong, from 1 on.
    public let line: Int

    /// The keys that lead to it, as `identities["ada@contoso.com"].saveTo`; empty at the top and where it is no JSON.
    public let keyPath: String

    /// What went wrong, for people: with which value, and what to do.
    public let message: String

    init(_ code: Code, line: Int, keyPath: String = "", _ message: String) {
        self.code = code
        self.line = line
        self.keyPath = keyPath
        self.message = message
    }
}

extension PolicyTextError {
    /// What went wrong, for code to match on; a minor release can add codes.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case notJSON, tooDeep, duplicateKey, unknownKey, missingKey, wrongType, unknownWord, unsupportedVersion
            case invalidIdentity, duplicateIdentity, invalidServiceName, tooLarge
        }

        private let kind: Kind

        /// The text is no JSON (RFC 8259).
        public static let notJSON = Code(kind: .notJSON)
        /// Objects and arrays stand in one another more often than any set of policies needs.
        public static let tooDeep = Code(kind: .tooDeep)
        /// A key stands twice in one object, or two services differ in case alone.
        public static let duplicateKey = Code(kind: .duplicateKey)
        /// The key is none of those that can stand there.
        public static let unknownKey = Code(kind: .unknownKey)
        /// A key is missing that has to be there.
        public static let missingKey = Code(kind: .missingKey)
        /// The value is of another type than it should be.
        public static let wrongType = Code(kind: .wrongType)
        /// The string is none of the words that can stand there.
        public static let unknownWord = Code(kind: .unknownWord)
        /// The version is one that this release does not read.
        public static let unsupportedVersion = Code(kind: .unsupportedVersion)
        /// The name is no identity's.
        public static let invalidIdentity = Code(kind: .invalidIdentity)
        /// An identity is there twice, perhaps in two spellings.
        public static let duplicateIdentity = Code(kind: .duplicateIdentity)
        /// The name is no service's.
        public static let invalidServiceName = Code(kind: .invalidServiceName)
        /// The text is longer than a text of policies is to be.
        public static let tooLarge = Code(kind: .tooLarge)
    }
}

extension PolicyTextError.Code: CustomStringConvertible {
    /// The code's name.
    public var description: String { "\(kind)" }
}

extension PolicyTextError: CustomStringConvertible {
    /// The line, the keys that lead there, the code and the message.
    public var description: String {
        "line \(line)\(keyPath.isEmpty ? "" : ", \(keyPath)"): \(code): \(message)"
    }
}
