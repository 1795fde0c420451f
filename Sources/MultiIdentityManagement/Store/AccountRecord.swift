public import MultiIdentity

/// The state of one registered account, as a store keeps it.
///
/// Members that only stores need are `@_spi(Stores)`, for this repository's stores in any package.
public struct AccountRecord: Hashable, Sendable {
    /// The stage of an account.
    public enum Stage: String, Hashable, Sendable, CaseIterable {
        /// The account is waiting for its enrolment.
        case registered
        /// The account is enrolled, and its policy is checked regularly.
        case enrolled
        /// The account has left, and its data are not wiped yet.
        case wiping
        /// The account has left, and the service, which may still have it enrolled, is not notified yet.
        case leaving

        /// All stages as SQL has them; a row with any other value is reported as damaged, not skipped.
        @_spi(Stores) public static let list = allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    }

    /// The steps taken while the service does not confirm an enrolled account's policy.
    @_spi(Stores) public enum Silence: Int, Hashable, Sendable, CaseIterable {
        /// The service has confirmed a policy in time.
        case heard
        /// A warning was sent.
        case warned
        /// The account is blocked.
        case blocked
        /// The service was asked once more after the account was blocked.
        case last

        var isBlocked: Bool { self == .blocked || self == .last }
    }

    /// The account.
    public let identity: Identity
    /// The stage of the account.
    public var stage: Stage
    /// The time of its next request, by the store's clock; `nil` if none is due.
    public var due: WallInstant?
    /// The time when its last request ended, by the store's clock; `nil` before the first.
    public var lastRun: WallInstant?
    /// The number of requests begun.
    @_spi(Stores) public var runs: Int64
    /// The lease of the running request; while there is one, ``due`` is the end of the lease.
    @_spi(Stores) public var lease: String?
    /// Indicates whether the account has had a policy, so that a new one requests no restart.
    @_spi(Stores) public var hadPolicy: Bool
    /// The last policy of the service, as a policy text; `nil` if it gave none.
    @_spi(Stores) public var policyText: String?
    /// The time when the service last gave or confirmed the policy, by the store's clock; `nil` before.
    @_spi(Stores) public var policyConfirmed: StoreInstant?
    /// The step taken since the service last confirmed the policy.
    @_spi(Stores) public var silence = Silence.heard
    /// The last configuration of the service, as a text of ``AppConfiguration``; `nil` if it gave none.
    @_spi(Stores) public var configurationText: String?
    /// The account's own settings, as a section of a settings text; `nil` if it has none.
    @_spi(Stores) public var overridesText: String?
    /// The number of the next event when the account was registered; it distinguishes this registration from an earlier
    /// one.
    ///
    /// During a wipe, it is the number of the event that revoked the account.
    @_spi(Stores) public var life: Int64 = 0
    /// Indicates whether the service was asked for the account, may have it enrolled, and must be notified when it
    /// leaves.
    @_spi(Stores) public var wasAsked = false

    /// Returns whether the request with this record is valid for its account's current record: it is not if the account
    /// left meanwhile, even if it is registered again, or if another process has the request.
    func counts(in now: AccountRecord?) -> Bool { now?.lease == lease && now?.stage == stage && now?.life == life }

    /// Indicates whether the account has not left.
    var isRegistered: Bool { stage == .registered || stage == .enrolled }

    /// Creates the record of an account.
    ///
    /// - Parameters:
    ///   - identity: The account.
    ///   - stage: The stage of the account.
    ///   - due: The time of its next request.
    @_spi(Stores) public init(_ identity: Identity, _ stage: Stage = .registered, due: WallInstant? = nil) {
        self.identity = identity
        self.stage = stage
        self.due = due
        runs = 0
        hadPolicy = false
    }
}
