public import MultiIdentity

/// The state of one registered account, as a store keeps it.
///
/// What only stores need is there by `@_spi(Stores)`, for those of this repository, in whichever package they are.
public struct AccountRecord: Hashable, Sendable {
    /// The part of its life that an account is in.
    public enum Stage: String, Hashable, Sendable, CaseIterable {
        /// It wants to be enrolled.
        case registered
        /// It is enrolled, and its policy is checked now and then.
        case enrolled
        /// It has left, and its data are still to be wiped.
        case wiping
        /// It has left, and the service, which may have it enrolled, is still to be notified.
        case leaving

        /// All of them, as SQL has them: an account of another one is found damaged, and not passed over.
        @_spi(Stores) public static let list = allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    }

    /// The steps of what is done where the service confirms no policy of an enrolled account for long.
    public enum Silence: Int, Hashable, Sendable, CaseIterable {
        /// It has confirmed one in time.
        case heard
        /// Somebody was warned.
        case warned
        /// The account is blocked.
        case blocked
        /// It was asked once more since then.
        case last

        var isBlocked: Bool { self == .blocked || self == .last }
    }

    /// The account.
    public let identity: Identity
    /// The part of its life that it is in.
    public var stage: Stage
    /// The moment of its next request, by the store's clock; `nil` while it makes none.
    public var due: WallInstant?
    /// The moment when its last request ended, by the store's clock; `nil` before.
    public var lastRun: WallInstant?
    /// The number of requests that were begun.
    @_spi(Stores) public var runs: Int64
    /// The request that runs for it now, by the name of its lease; ``due`` is then when the lease ends.
    @_spi(Stores) public var lease: String?
    /// Indicates whether it has had a policy before, so that another one asks for no restart.
    @_spi(Stores) public var hadPolicy: Bool
    /// The policy that the service gave last, in the text of policies; `nil` where it gave none.
    @_spi(Stores) public var policyText: String?
    /// The moment when the service last gave or confirmed the policy, by the store's clock; `nil` before.
    @_spi(Stores) public var policyConfirmed: StoreInstant?
    /// The step that the time since then has led to.
    @_spi(Stores) public var silence = Silence.heard
    /// The configuration that the service gave last, in the text of ``AppConfiguration``; `nil` where it gave none.
    @_spi(Stores) public var configurationText: String?
    /// The settings of its own, as a section of a text of settings; `nil` where it has none.
    @_spi(Stores) public var overridesText: String?
    /// The number that the next event had when it was registered, by which an earlier life of it is told from this one.
    ///
    /// While it is being wiped it is that of the event that revoked it.
    @_spi(Stores) public var life: Int64 = 0
    /// Indicates whether the service was asked for it, may have it enrolled, and has to be notified when it leaves.
    @_spi(Stores) public var wasAsked = false

    /// Returns whether the request that has this record counts, by what its account is now: else that left meanwhile, even if it is
    /// registered again, or the request is another's.
    func counts(in now: AccountRecord?) -> Bool { now?.lease == lease && now?.stage == stage && now?.life == life }

    /// Indicates whether it has not left.
    var isRegistered: Bool { stage == .registered || stage == .enrolled }

    /// The record of an account.
    ///
    /// - Parameters:
    ///   - identity: The account.
    ///   - stage: The part of its life that it is in.
    ///   - due: The moment of its next request.
    @_spi(Stores) public init(_ identity: Identity, _ stage: Stage = .registered, due: WallInstant? = nil) {
        self.identity = identity
        self.stage = stage
        self.due = due
        runs = 0
        hadPolicy = false
    }
}
