/// Which places a policy lets data go to, or come from.
public struct PlaceRules: Hashable, Sendable {
    /// Whether local storage is allowed.
    public var localStorage: Bool
    /// Whether the account's own documents are: its own space, and unlisted places that are reached with it.
    public var ownDocuments: Bool
    /// The services that are listed, with what is said of each.
    public var services: [ServiceName: ServiceRule]
    /// Whose spaces are allowed, of other identities.
    public var spaces: IdentityRule
    /// Whether device input is (camera, microphone, scanner, and whatever else a device senses); only opened from.
    public var deviceInput: Bool
    /// Whether any other place is.
    public var other: Bool

    /// Rules for places; what is not given is refused.
    ///
    /// - Parameters:
    ///   - localStorage: Whether local storage is allowed.
    ///   - ownDocuments: Whether the account's own documents are.
    ///   - services: The services that are listed.
    ///   - spaces: Whose spaces are allowed.
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
