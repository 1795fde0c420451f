/// The places that a policy lets data go to, or come from.
public struct PlaceRules: Hashable, Sendable {
    /// Indicates whether local storage is allowed.
    public var localStorage: Bool
    /// Indicates whether the account's own documents are allowed: its own space, and unlisted places reached with it.
    public var ownDocuments: Bool
    /// The services that are listed, with what is said of each.
    public var services: [ServiceName: ServiceRule]
    /// The other identities with spaces that are allowed.
    public var spaces: IdentityRule
    /// Indicates whether device input is allowed (camera, microphone, scanner, other sensors); only opened from.
    public var deviceInput: Bool
    /// Indicates whether any other place is allowed.
    public var other: Bool

    /// Rules for places; what is not given is refused.
    ///
    /// - Parameters:
    ///   - localStorage: Whether local storage is allowed.
    ///   - ownDocuments: Whether the account's own documents are.
    ///   - services: The services that are listed.
    ///   - spaces: The other identities with spaces that are allowed.
    ///   - deviceInput: Whether device input is.
    ///   - other: Whether any other place is.
    public init(
        localStorage: Bool = false,
        ownDocuments: Bool = false,
        services: [ServiceName: ServiceRule] = [:],
        spaces: IdentityRule = .noOne,
        deviceInput: Bool = false,
        other: Bool = false
    ) {
        self.localStorage = localStorage
        self.ownDocuments = ownDocuments
        self.services = services
        self.spaces = spaces
        self.deviceInput = deviceInput
        self.other = other
    }

    /// No place at all.
    public static let nowhere = PlaceRules()

    /// Every place.
    public static let anywhere = PlaceRules(
        localStorage: true,
        ownDocuments: true,
        spaces: .anyone,
        deviceInput: true,
        other: true
    )
}

/// The rule of a policy for a service that it lists.
public enum ServiceRule: String, Hashable, Sendable, CaseIterable {
    /// It is refused, whatever account it is reached with.
    case refused
    /// It is allowed when reached with the managed account itself; with another account, or none, it counts as other.
    case ownAccount
    /// It is allowed, whatever account it is reached with.
    case anyAccount
}
