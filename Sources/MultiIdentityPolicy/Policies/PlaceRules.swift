/// The places that a policy allows data to go to or come from.
public struct PlaceRules: Hashable, Sendable {
    /// Indicates whether local storage is allowed.
    public var localStorage: Bool
    /// Indicates whether the account's own documents are allowed: its space, and unlisted places reached with it.
    public var ownDocuments: Bool
    /// The listed services, with the rule for each.
    public var services: [ServiceName: ServiceRule]
    /// The other identities whose spaces are allowed.
    public var spaces: IdentityRule
    /// Indicates whether device input is allowed (camera, microphone, scanner, other sensors); it can only be opened
    /// from.
    public var deviceInput: Bool
    /// Indicates whether any other place is allowed.
    public var other: Bool

    /// Creates rules for places; whatever is not given is refused.
    ///
    /// - Parameters:
    ///   - localStorage: Whether local storage is allowed.
    ///   - ownDocuments: Whether the account's own documents are allowed.
    ///   - services: The listed services, with the rule for each.
    ///   - spaces: The other identities whose spaces are allowed.
    ///   - deviceInput: Whether device input is allowed.
    ///   - other: Whether any other place is allowed.
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

/// The rule of a policy for a listed service.
public enum ServiceRule: String, Hashable, Sendable, CaseIterable {
    /// The service is refused, whatever account is used.
    case refused
    /// The service is allowed with the managed account itself; with another account or none, it counts as another
    /// place.
    case ownAccount
    /// The service is allowed, whatever account is used.
    case anyAccount
}
