/// The reason why the runtime asks for a switch: one of a list, to act on, and a text, to show.
///
/// A text alone is a reason of the kind `other`: `requireSwitch(to: ada, reason: "a reminder is due")`.
public struct SwitchReason: Hashable, Sendable {
    /// The kind of a reason; a later version can add some.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let description: String

        private init(_ name: String = #function) { description = name }

        /// A link was opened to a target of the identity.
        public static var linkOpened: Self { Self() }
        /// Documents were handed over that are the identity's.
        public static var documentsImported: Self { Self() }
        /// A launch check was cancelled, and the identity must not be shown any longer.
        public static var checkCancelled: Self { Self() }
        /// Something else, which the text says.
        public static var other: Self { Self() }
    }

    /// The kind, to act on.
    public let kind: Kind
    /// The purpose of the switch, for people; it can be empty.
    public let text: String

    /// A reason.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - text: The purpose, for people.
    public init(_ kind: Kind, _ text: String = "") {
        self.kind = kind
        self.text = text
    }
}

extension SwitchReason: ExpressibleByStringInterpolation {
    /// A reason of the kind `other`.
    public init(stringLiteral text: String) { self.init(.other, text) }
}

extension SwitchReason: CustomStringConvertible {
    /// The text, or the kind where there is none.
    public var description: String { text.isEmpty ? "\(kind)" : text }
}
