/// The name of an account that work is for, or nobody.
///
/// Two names are one identity if they match canonically and caselessly as Unicode defines it (definition D145), independent of
/// the locale. The given spelling is kept. A level without an identity is *unset*, `nil`.
///
/// ```swift
/// let ada = try Identity("ada@contoso.com")
/// let same = try Identity("Ada@Contoso.com")
/// ada == same  // true; each keeps its own spelling
/// ```
///
/// An identity is one reference: cheap to copy, to compare and to send. It is identified by its name alone: another name of the
/// same account is another identity, and the account registry resolves it where the name comes in.
public struct Identity: Sendable {
    let spelling: IdentitySpelling

    init(spelling: IdentitySpelling) {
        self.spelling = spelling
    }

    /// Creates the identity of an account, by its user principal name or its id.
    ///
    /// - Parameter name: 1 to 1,024 UTF-8 bytes without control characters, line breaks, or white space at an end.
    /// - Throws: ``IdentityError`` with the rule that the name breaks, and its UTF-8 offset.
    /// - Complexity: O(*n*) in the length of the name, and one lookup under a lock with little contention.
    public init(_ name: String) throws(IdentityError) {
        try IdentityName.validate(name)
        spelling = IdentitySpelling(name)
    }

    /// Creates the identity of an account from the bytes of its name, such as from a header or a log.
    ///
    /// `String(decoding:as:)` would replace invalid bytes and so could give two users one name; this initializer refuses them.
    ///
    /// - Parameter utf8: The bytes of the name; the rules are those of ``init(_:)``.
    /// - Throws: ``IdentityError`` with the rule that the name breaks, and its UTF-8 offset.
    /// - Complexity: As ``init(_:)``.
    public init(utf8: some Collection<UInt8>) throws(IdentityError) {
        try self.init(IdentityName.decode(utf8))
    }

    /// The explicit absence of an identity.
    ///
    /// It differs from unset (`nil`): if a level is unset, the next one decides; nobody ends the search. Its ``name`` is empty.
    public static let nobody = Identity(spelling: .nobody)

    /// The maximum number of UTF-8 bytes of a name: 1,024.
    package static var maximumNameLength: Int { IdentityName.maximumLength }

    /// The given spelling; empty for ``nobody``, which no name can be.
    public var name: String { spelling.name }

    /// Indicates whether this is ``nobody``.
    public var isNobody: Bool { spelling === IdentitySpelling.nobody }
}

extension Identity: Hashable {
    /// Returns whether both are the same identity, in any spelling, or both nobody.
    ///
    /// - Complexity: O(1): all living identities of one name share a record.
    public static func == (one: Identity, other: Identity) -> Bool { one.spelling.record === other.spelling.record }

    /// Hashes the values that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(spelling.record)) }
}

extension Identity: Comparable {
    /// Returns whether one name sorts before another, by the code points of their caseless forms; nobody comes first.
    public static func < (one: Identity, other: Identity) -> Bool {
        one.spelling.record.key < other.spelling.record.key
    }
}

extension Identity: CustomStringConvertible {
    /// The given name, or `(nobody)`.
    public var description: String { isNobody ? "(nobody)" : name }
}

extension Identity: CustomDebugStringConvertible {
    /// `Identity("ada@contoso.com")` or `Identity.nobody`.
    public var debugDescription: String { isNobody ? "Identity.nobody" : "Identity(\(name.debugDescription))" }
}

extension Identity {
    /// The form of the name that all spellings of this identity share: the key for database rows.
    ///
    /// Two identities are equal exactly if these forms are, byte for byte; store the ``name`` beside it for people. For names
    /// of characters that Unicode 15.0 assigns, the form stays the same in every later version of this package (source: Unicode
    /// Character Encoding Stability Policies). Empty for ``nobody``, as no name is.
    ///
    /// - Complexity: O(1): the form is computed when the name is first used.
    public var caselessName: String { spelling.record.key.form }
}
