/// The reason why the runtime requires a switch: a kind to act on, and a text to show.
///
/// A text alone is a reason of the kind `other`: `requireSwitch(to: ada, reason: "a reminder is due")`.
public struct SwitchReason: Hashable, Sendable {
    /// The kind of a reason; a minor release can add kinds.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let description: String

        private init(_ name: String = #function) { description = name }

        /// A link to data of the identity was opened.
        public static var linkOpened: Self { Self() }
        /// Documents of the identity were imported.
        public static var documentsImported: Self { Self() }
        /// A launch check was cancelled, and the identity must not be shown any longer.
        public static var checkCancelled: Self { Self() }
        /// Another reason, given by the text.
        public static var other: Self { Self() }
    }

    /// The kind, to act on.
    public let kind: Kind
    /// The purpose of the switch in words; it can be empty.
    public let text: String

    /// Creates a reason.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - text: The purpose in words.
    public init(_ kind: Kind, _ text: String = "") {
        self.kind = kind
        self.text = text
    }
}

extension SwitchReason: ExpressibleByStringInterpolation {
    /// Creates a reason of the kind `other` from its text.
    public init(stringLiteral text: String) { self.init(.other, text) }
}

extension SwitchReason: CustomStringConvertible {
    /// The text, or the kind if there is none.
    public var description: String { text.isEmpty ? "\(kind)" : text }
}
