/// The kind of an event of an account; a minor release can add some, and so there is no exhaustive switch.
public struct AccountEventStatus: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The status by the name that stores keep.
    public let rawValue: String

    /// The status of a name.
    ///
    /// - Parameter rawValue: The name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    private init(_ name: String = #function) { rawValue = name }

    /// Indicates whether the request came to what it was made for.
    public var isSuccess: Bool { Self.successes.contains(self) }

    private static let successes: Set<Self> = [
        .enrolled, .policyUnchanged, .policyReplaced, .configurationReplaced, .settingOverridden, .aliasAdded,
        .deregistered, .serviceTold, .wiped,
    ]
}

extension AccountEventStatus {
    /// Indicates whether each process revokes the account.
    var revokes: Bool { self == .removed || self == .wipeBegan }

    /// Indicates whether some work is not to be any more after it, which `AccountRegistry.settled(within:)` waits for.
    var isSettled: Bool { revokes || self == .aliasAdded }

    /// Indicates whether what the store has of an account can be another thing for the processes after it.
    var changesAccount: Bool { leaves || Self.changing.contains(self) }

    private static let changing: Set<Self> = [.registered, .enrolled, .policyReplaced, .configurationReplaced, .wiped]

    /// Indicates whether the account has left by it.
    var leaves: Bool { revokes || self == .deregistered }

    /// The account is registered, which no program is told of: the one that does it knows.
    package static var registered: Self { Self() }
    /// The account is enrolled, and its policy in force.
    public static var enrolled: Self { Self() }
    /// The service has no other policy than before.
    public static var policyUnchanged: Self { Self() }
    /// The service gave another policy, which is in force where the registry has a feed for it.
    public static var policyReplaced: Self { Self() }
    /// The service gave another configuration, or none any more; it is in force.
    public static var configurationReplaced: Self { Self() }
    /// The service gave no configuration that can be read, or did not answer; the one before is in force.
    public static var configurationFailed: Self { Self() }
    /// A setting of the account's own was set, or taken back; requests that begin after that go by it.
    public static var settingOverridden: Self { Self() }
    /// Another name stands for the account.
    public static var aliasAdded: Self { Self() }
    /// The program deregistered the account, which is not enrolled any more either.
    public static var deregistered: Self { Self() }
    /// A wipe of the account, which the program deregistered or wipes itself, begins: it is revoked in each process.
    public static var wipeBegan: Self { Self() }
    /// The account left from outside: it is deregistered, unenrolled and revoked.
    public static var removed: Self { Self() }
    /// The service was notified that the account has left.
    public static var serviceTold: Self { Self() }
    /// All of the account's data are wiped.
    public static var wiped: Self { Self() }
    /// The wipe is not complete, and is tried again.
    public static var wipeIncomplete: Self { Self() }
    /// The first policy of the account is there: a program that does not apply it live restarts.
    public static var restartWanted: Self { Self() }
    /// Events were missed, or the store was put back, and all accounts were read again: nobody's, before those that had left.
    public static var eventsMissed: Self { Self() }
    /// The service has confirmed no policy of the account for so long that somebody is to look why.
    public static var serviceSilent: Self { Self() }
    /// The service has confirmed no policy of the account for so long that it is blocked until it does.
    public static var blocked: Self { Self() }
    /// Work of the account began without its policy, as the setting lets it.
    public static var policyAbsent: Self { Self() }

    /// The provider has no credential for the account.
    public static var credentialMissing: Self { Self() }
    /// The service has no policy for the account: it is not targeted.
    public static var notTargeted: Self { Self() }
    /// The account has no licence for the service.
    public static var notLicensed: Self { Self() }
    /// The credential is another account's.
    public static var wrongAccount: Self { Self() }
    /// The service could not be reached.
    public static var unreachable: Self { Self() }
    /// The service did not answer in time.
    public static var timedOut: Self { Self() }
    /// The answer of the service cannot be read.
    public static var malformedAnswer: Self { Self() }
    /// Another account is enrolled, and one user is managed at a time.
    public static var anotherIsEnrolled: Self { Self() }
    /// The accounts of the process refuse it: it is not allowed, has no policy, or is revoked.
    public static var refused: Self { Self() }
    /// The request failed in another way.
    public static var failed: Self { Self() }
}
