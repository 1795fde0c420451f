/// The times for which a service may confirm no policy of an enrolled account; `nil` for as long as it likes.
public struct OfflineLimits: Hashable, Sendable {
    /// The time after which an event warns.
    public var warn: Duration? = .seconds(3 * 86_400)
    /// The time after which nothing is allowed to the account, and no work of it admitted, until the service confirms one.
    public var block: Duration? = .seconds(14 * 86_400)
    /// The time after which the account is removed, and its data wiped where the registry has what wipes.
    ///
    /// Only once it is blocked and two more checks have failed, and only time counts that has certainly passed.
    public var wipe: Duration?

    /// The limits as they are by default: no account is wiped.
    public init() {}
}

/// The settings of a registry of accounts.
public struct AccountRegistryOptions: Hashable, Sendable {
    /// The rule for work of a managed identity while its policy is not there.
    public enum Readiness: Hashable, Sendable, CaseIterable {
        /// It begins.
        case open
        /// It begins, and the program is notified once in each process.
        case warn
        /// It does not begin.
        case required
    }

    /// The way in which the first policy of an identity comes into force.
    public enum FirstPolicy: Hashable, Sendable, CaseIterable {
        /// At once.
        case live
        /// When the program has restarted, which it is asked to do.
        case afterRestart
    }

    /// The rule for work without a policy.
    public var readiness = Readiness.open
    /// The way in which a first policy comes into force.
    public var firstPolicy = FirstPolicy.live
    /// Indicates whether the user whom the provider knows is enrolled before ``AccountRegistry/start()`` returns.
    public var enrollsAtLaunch = false
    /// The share of each time between two requests by which it is longer, from 0 up to this.
    ///
    /// So that a fleet does not knock at once. 0 turns it off.
    public var spread = 0.05
    /// The longest time that a service or provider may take.
    public var requestLimit = Duration.seconds(120)
    /// The most requests that run at once, of all kinds; others wait for them.
    public var requestsAtOnce = 64
    /// The time after which the store is looked at for what other processes did.
    public var lookInterval = Duration.seconds(5)

    /// What is done where the service confirms no policy of an enrolled account for long, by the store's clock.
    public var offline = OfflineLimits()

    /// The time for which others wait for this process when an account is removed, after it last reached the store.
    ///
    /// Two thirds of it later it admits no work (``AccountRegistry/admit(_:)``), as it does before ``AccountRegistry/start()`` and
    /// after ``AccountRegistry/run()``; others wait by the store's clock. `nil` where nobody waits for it;
    /// else the start turns `IdentityRevocation.isOn` on, so that what runs is counted.
    public var presence: Duration?

    /// The settings as they are by default.
    public init() {}

    /// The time from a failed request to the next one: a day.
    static let retryInterval = Duration.seconds(24 * 3_600)
    /// The time from one check of a policy to the next: eight hours.
    static let checkInterval = Duration.seconds(8 * 3_600)
    /// The time from the end of a request to the next one.
    static func interval(of stage: AccountRecord.Stage) -> Duration {
        stage == .enrolled ? checkInterval : retryInterval
    }
    /// The time for which the store keeps events for a process that nobody waits for, after it last reached the store.
    static let readerLifetime = Duration.seconds(86_400)

    /// The longest time that one process answers for an account: the credential, the request, and some more to write it down.
    var leaseTime: Duration { requestLimit * 4 + .seconds(60) }
}

extension AccountRegistryOptions {
    /// The options that settings make.
    ///
    /// - Parameter settings: The settings.
    public init(_ settings: IdentitySettings) {
        readiness = settings.isOn(.policyRequired) ? .required : settings.isOn(.policyWarnAbsent) ? .warn : .open
        firstPolicy = settings.isOn(.restartsForFirstPolicy) ? .afterRestart : .live
        enrollsAtLaunch = settings.isOn(.enrollsAtLaunch)
        if case .number(let spread) = settings.value(of: .spread) { self.spread = spread }
        if case .number(let limit) = settings.value(of: .requestLimit) { requestLimit = .seconds(limit) }
        if case .integer(let most) = settings.value(of: .requestsAtOnce) { requestsAtOnce = most }
        if case .number(let interval) = settings.value(of: .lookInterval) { lookInterval = .seconds(interval) }
        for (setting, limit) in [
            (IdentitySetting.offlineWarnDays, \OfflineLimits.warn), (.offlineBlockDays, \.block),
            (.offlineWipeDays, \.wipe),
        ] {
            guard case .number(let days) = settings.value(of: setting) else { continue }
            offline[keyPath: limit] = days == 0 ? nil : .seconds(days * 86_400)
        }
    }
}
