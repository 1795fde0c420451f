/// A place that cannot be: what was wrong with it, and what to do.
public struct DataPlaceError: Error, Hashable, Sendable {
    /// What went wrong, for code to match on.
    public let code: Code

    /// What went wrong, for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension DataPlaceError {
    /// What went wrong, for code to match on; a minor release can add codes.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case invalidServiceName, takesNoAccount, spaceOfNobody, accountOfNobody
        }

        private let kind: Kind

        /// The text is no service's name.
        public static let invalidServiceName = Code(kind: .invalidServiceName)
        /// An account was given for a place that has none, as local storage.
        public static let takesNoAccount = Code(kind: .takesNoAccount)
        /// Nobody has no space.
        public static let spaceOfNobody = Code(kind: .spaceOfNobody)
        /// Nobody has no account.
        public static let accountOfNobody = Code(kind: .accountOfNobody)
    }
}

extension DataPlaceError.Code: CustomStringConvertible {
    /// The code's name.
    public var description: String { "\(kind)" }
}

extension DataPlaceError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
