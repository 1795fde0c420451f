/// The kind of an account's event; a minor release can add kinds, so give each switch a `default`.
public struct AccountEventStatus: Hashable, Sendable, CustomStringConvertible {
    /// The name of the status in stores.
    public let description: String

    /// Creates a status from its name.
    ///
    /// - Parameter name: The name.
    @_spi(Stores) public init(_ name: String = #function) { description = name }

    /// Indicates whether the request succeeded.
    var isSuccess: Bool { Self.successes.contains(self) }

    private static let successes: Set<Self> = [
        .enrolled, .policyUnchanged, .policyReplaced, .configurationReplaced, .settingOverridden, .aliasAdded,
        .deregistered, .serviceNotified, .wiped,
    ]
}

extension AccountEventStatus {
    /// Indicates whether each process revokes the account.
    var revokes: Bool { self == .removed || self == .wipeBegan }

    /// Indicates whether some work must end after it, which `AccountRegistry.waitUntilSettled(timeout:)` waits for.
    var isSettled: Bool { revokes || self == .aliasAdded }

    /// Indicates whether it changes the stored account for other processes.
    var changesAccount: Bool { leaves || Self.changing.contains(self) }

    private static let changing: Set<Self> = [.registered, .enrolled, .policyReplaced, .configurationReplaced, .wiped]

    /// Indicates whether the account leaves with it.
    var leaves: Bool { revokes || self == .deregistered }

    /// The account is registered; programs are not notified, because the caller knows.
    package static var registered: Self { Self() }
    /// The account is enrolled, and its policy in force.
    public static var enrolled: Self { Self() }
    /// The service has no new policy.
    package static var policyUnchanged: Self { Self() }
    /// The service gave a new policy; it is in force if the registry has a feed for it.
    public static var policyReplaced: Self { Self() }
    /// The service gave a new configuration, or withdrew it; the change is in force.
    public static var configurationReplaced: Self { Self() }
    /// The service gave an invalid configuration or did not answer; the earlier one stays in force.
    package static var configurationFailed: Self { Self() }
    /// A setting of the account was overridden or restored; later requests use it.
    package static var settingOverridden: Self { Self() }
    /// An alias was added to the account.
    package static var aliasAdded: Self { Self() }
    /// The program deregistered the account, which is no longer enrolled either.
    public static var deregistered: Self { Self() }
    /// A wipe of the account begins, because the program deregistered or wiped it; it is revoked in each process.
    public static var wipeBegan: Self { Self() }
    /// The account was removed on an outside request: it is deregistered, unenrolled and revoked.
    public static var removed: Self { Self() }
    /// The service was notified that the account has left.
    package static var serviceNotified: Self { Self() }
    /// All of the account's data are wiped.
    public static var wiped: Self { Self() }
    /// The wipe is not complete, and is retried.
    public static var wipeIncomplete: Self { Self() }
    /// The account's first policy has arrived; the program must restart unless it applies policies while it runs.
    public static var restartRequested: Self { Self() }
    /// Events were missed or the store was restored, so all accounts were read again; its identity is nobody.
    ///
    /// An event of the status ``removed`` follows for each account that has left.
    public static var eventsMissed: Self { Self() }
    /// The service has not confirmed a policy of the account for ``ManagementConfiguration/offlineWarn``.
    public static var serviceUnreachable: Self { Self() }
    /// The service has not confirmed a policy of the account for ``ManagementConfiguration/offlineBlock``; it is blocked.
    public static var blocked: Self { Self() }
    /// Work of the account began without its policy, as the setting allows.
    package static var policyAbsent: Self { Self() }

    /// The provider has no credential for the account.
    package static var credentialMissing: Self { Self() }
    /// The service has no policy for the account: the account is not targeted.
    public static var notTargeted: Self { Self() }
    /// The account has no license for the service.
    public static var notLicensed: Self { Self() }
    /// The credential belongs to another account.
    package static var wrongAccount: Self { Self() }
    /// The service could not be reached.
    public static var unreachable: Self { Self() }
    /// The service did not answer in time.
    public static var timedOut: Self { Self() }
    /// The service's answer cannot be read.
    package static var malformedAnswer: Self { Self() }
    /// Another account is enrolled, and only one can be managed at a time.
    package static var anotherIsEnrolled: Self { Self() }
    /// The process's accounts refuse it: it is not allowed, has no policy, or is revoked.
    public static var refused: Self { Self() }
    /// The request failed for another reason.
    public static var failed: Self { Self() }
}
