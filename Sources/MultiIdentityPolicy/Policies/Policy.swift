/// What may be done with the data of one managed identity.
public struct Policy: Hashable, Sendable {
    /// Where its data may be saved to.
    public var saveTo: PlaceRules
    /// Where it may open data from.
    public var openFrom: PlaceRules
    /// Whom its data may be shared with.
    public var shareWith: IdentityRule
    /// Whose data may come into its space; unmanaged identities' and nobody's too.
    public var receiveFrom: IdentityRule
    /// Whether its data may be logged.
    public var log: Bool
    /// Whether its data may be sent out, as in a mail or a call to a system that is no listed service.
    public var sendOut: Bool

    /// A policy; what is not given is refused.
    ///
    /// - Parameters:
    ///   - saveTo: Where its data may be saved to.
    ///   - openFrom: Where it may open data from.
    ///   - shareWith: Whom its data may be shared with.
    ///   - receiveFrom: Whose data may come into its space.
    ///   - log: Whether its data may be logged.
    ///   - sendOut: Whether its data may be sent out.
    public init(
        saveTo: PlaceRules = .nowhere,
        openFrom: PlaceRules = .nowhere,
        shareWith: IdentityRule = .noOne,
        receiveFrom: IdentityRule = .noOne,
        log: Bool = false,
        sendOut: Bool = false
    ) {
        self.saveTo = saveTo
        self.openFrom = openFrom
        self.shareWith = shareWith
        self.receiveFrom = receiveFrom
        self.log = log
        self.sendOut = sendOut
    }

    /// Nothing is allowed.
    public static let nothing = Policy()

    /// Everything is allowed, of a managed identity.
    public static let everything = Policy(
        saveTo: .anywhere,
        openFrom: .anywhere,
        shareWith: .anyone,
        receiveFrom: .anyone,
        log: true,
        sendOut: true
    )
}
