/// The rules for the data of one managed identity.
public struct Policy: Hashable, Sendable {
    /// The places that its data may be saved to.
    public var saveTo: PlaceRules
    /// The places that it may open data from.
    public var openFrom: PlaceRules
    /// The identities that its data may be shared with.
    public var shareWith: IdentityRule
    /// The identities that its space may receive data from; this limits unmanaged identities and nobody, too.
    public var receiveFrom: IdentityRule
    /// Indicates whether its data may be logged.
    public var log: Bool
    /// Indicates whether its data may be sent out, such as in a mail or to a system that is not a listed service.
    public var sendOut: Bool
    /// The most that notifications may show of its data.
    public var notify: NotificationContent
    /// Indicates whether other programs may act for it.
    public var automate: Bool

    /// Creates a policy; whatever is not given is refused.
    ///
    /// - Parameters:
    ///   - saveTo: The places that its data may be saved to.
    ///   - openFrom: The places that it may open data from.
    ///   - shareWith: The identities that its data may be shared with.
    ///   - receiveFrom: The identities that its space may receive data from.
    ///   - log: Whether its data may be logged.
    ///   - sendOut: Whether its data may be sent out.
    ///   - notify: The most that notifications may show of its data.
    ///   - automate: Whether other programs may act for it.
    public init(
        saveTo: PlaceRules = .nowhere,
        openFrom: PlaceRules = .nowhere,
        shareWith: IdentityRule = .noOne,
        receiveFrom: IdentityRule = .noOne,
        log: Bool = false,
        sendOut: Bool = false,
        notify: NotificationContent = .nothing,
        automate: Bool = false
    ) {
        self.saveTo = saveTo
        self.openFrom = openFrom
        self.shareWith = shareWith
        self.receiveFrom = receiveFrom
        self.log = log
        self.sendOut = sendOut
        self.notify = notify
        self.automate = automate
    }

    /// Nothing is allowed.
    public static let nothing = Policy()

    /// Everything that a managed identity can be allowed.
    public static let everything = Policy(
        saveTo: .anywhere,
        openFrom: .anywhere,
        shareWith: .anyone,
        receiveFrom: .anyone,
        log: true,
        sendOut: true,
        notify: .everything,
        automate: true
    )
}
