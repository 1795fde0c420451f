public import MultiIdentity

/// A place that data is saved to or opened from, with the account used to reach it.
///
/// ```swift
/// DataPlace.localStorage
/// try DataPlace.service("sharepoint", account: .identity(ada))
/// try DataPlace.space(of: bob)
/// ```
public struct DataPlace: Hashable, Sendable {
    /// A kind of place.
    public enum Kind: Hashable, Sendable {
        /// The disk of this machine, or any other place that belongs to no account.
        case localStorage
        /// A service with a name, listed by a policy or not.
        case service(ServiceName)
        /// The space of an identity in this program.
        case space(Identity)
        /// A camera, a microphone, a scanner or another sensor; data can only be opened from it.
        case deviceInput
        /// Any other place.
        case other
    }

    /// The kind of the place.
    public let kind: Kind

    /// The account used to reach the place; `nil` for none.
    public let account: PlaceAccount?

    private init(unchecked kind: Kind) {
        self.kind = kind
        account = nil
    }

    /// Creates a place of a kind, reached with an account.
    ///
    /// - Parameters:
    ///   - kind: The kind of place.
    ///   - account: The account used to reach it; only services and other places have one.
    /// - Throws: ``PolicyError`` if the place takes no account, or if the account or the space is nobody's.
    public init(_ kind: Kind, account: PlaceAccount? = nil) throws(PolicyError) {
        self.kind = kind
        self.account = account
        if case .space(.nobody) = kind {
            throw PolicyError(
                .nobody,
                "Nobody has no space. Name another place, such as local storage."
            )
        }
        guard let account else { return }
        switch kind {
        case .service, .other: break
        case .localStorage, .deviceInput, .space:
            throw PolicyError(
                .takesNoAccount,
                "\(self.capitalized) is reached without an account, but \(account) was given. Leave it out, or name a service."
            )
        }
        if case .identity(.nobody) = account {
            throw PolicyError(.nobody, "Nobody has no account. Leave the account out.")
        }
    }

    /// The disk of this machine, or any other place that belongs to no account.
    public static let localStorage = DataPlace(unchecked: .localStorage)

    /// A camera, a microphone, a scanner or another sensor; data can only be opened from it.
    public static let deviceInput = DataPlace(unchecked: .deviceInput)

    /// Any other place, reached without an account.
    public static let other = DataPlace(unchecked: .other)

    /// Returns a service, reached with an account or without one.
    ///
    /// - Parameters:
    ///   - name: The service's name, as policies list it.
    ///   - account: The account used to reach it.
    /// - Returns: The place.
    /// - Throws: ``PolicyError`` if the name is invalid or the account is nobody's.
    public static func service(_ name: String, account: PlaceAccount? = nil) throws(PolicyError) -> DataPlace {
        try DataPlace(.service(ServiceName(name)), account: account)
    }

    /// Returns the space of an identity in this program.
    ///
    /// - Parameter identity: The owner of the space.
    /// - Returns: The place.
    /// - Throws: ``PolicyError`` for nobody's space.
    public static func space(of identity: Identity) throws(PolicyError) -> DataPlace {
        try DataPlace(.space(identity))
    }

    /// The identity that the place belongs to, if any: the owner of the space, or of the account.
    var owner: Identity? {
        if case .space(let identity) = kind { return identity }
        if case .identity(let identity) = account { return identity }
        return nil
    }
}

extension DataPlace: CustomStringConvertible {
    /// The place in words, such as `the service box, reached with ada@contoso.com`.
    public var description: String {
        let reached = account.map { ", reached with \($0)" } ?? ""
        return switch kind {
        case .localStorage: "local storage" + reached
        case .service(let name): "the service \(name)" + reached
        case .space(let identity): "the space of \(identity)"
        case .deviceInput: "device input" + reached
        case .other: "another place" + reached
        }
    }

    private var capitalized: String {
        let text = DataPlace(unchecked: kind).description
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}

/// The account used to reach a place: an identity's own, or one that exists only at a service.
///
/// The account `ada@contoso.com` at another service is not the identity `ada@contoso.com`.
public enum PlaceAccount: Hashable, Sendable {
    /// The account of an identity itself, as with single sign-on.
    case identity(Identity)
    /// An account that exists only at a service, with any name.
    case foreign(name: String, at: ServiceName)
}

extension PlaceAccount: CustomStringConvertible {
    /// The identity, or the name and the service that keeps it.
    public var description: String {
        switch self {
        case .identity(let identity): identity.description
        case .foreign(let name, let service): "\(EscapedText(name).quoted) of the service \(service)"
        }
    }
}
