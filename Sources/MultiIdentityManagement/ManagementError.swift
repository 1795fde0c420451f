public import MultiIdentity

/// An account, its store, a configuration, a report or a service's policies cannot be had: what was wrong, where, and what to do.
///
/// No message shows a value of a configuration, or what a service sent, which can be a secret.
public struct ManagementError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<ManagementError>
    /// A description of the failure, for people: what was tried, with which account, file, line or key, and what to do.
    public let message: String

    /// Says what went wrong, as a store of a program's own does.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: A description for people: what was tried, with which value, and what to do.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error of a registry whose store failed with this one.
    var ofRegistry: Self {
        let ofStores: Set<Code> = [.unavailable, .noSpace, .damaged, .unsupportedVersion]
        return ofStores.contains(code) ? Self(.storeFailed, message) : self
    }
}

/// What a registry refuses.
extension ErrorCode where Failure == ManagementError {
    /// Nobody is no account.
    public static var nobody: Self { Self() }
    /// It is no work account.
    public static var notWorkAccount: Self { Self() }
    /// The identity was signed out or is being wiped.
    public static var revoked: Self { Self() }
    /// The account is not registered.
    public static var notRegistered: Self { Self() }
    /// The provider has no credential, or another account's.
    public static var noCredential: Self { Self() }
    /// The account's policy is not there yet, and is required.
    public static var policyRequired: Self { Self() }
    /// The service has confirmed no policy of the account for too long.
    public static var offlineTooLong: Self { Self() }
    /// This process has not reached the store for so long that others do not wait for it.
    public static var outOfTouch: Self { Self() }
    /// The name is an account's, another name of another one, or has data of its own.
    public static var aliasTaken: Self { Self() }
    /// A wipe was asked for, and the registry was given nothing that wipes.
    public static var cannotWipe: Self { Self() }
    /// An account cannot have the setting, or not this value of it.
    public static var invalidSetting: Self { Self() }
    /// The store failed; policies of a service are in force in this process all the same.
    public static var storeFailed: Self { Self() }
}

/// What a store fails with.
extension ErrorCode where Failure == ManagementError {
    /// The store cannot be reached, or is busy for too long.
    public static var unavailable: Self { Self() }
    /// The store has no more room.
    public static var noSpace: Self { Self() }
    /// The stored data are damaged, or another program's.
    public static var damaged: Self { Self() }
    /// A later version wrote the store.
    public static var unsupportedVersion: Self { Self() }
}

/// What is wrong with a configuration of accounts or of the program.
extension ErrorCode where Failure == ManagementError {
    /// A value is of another type than was asked for.
    public static var wrongType: Self { Self() }
    /// A value is of another type than the setting takes, or out of its range.
    public static var wrongValue: Self { Self() }
    /// A text is no JSON, no configuration, or has no section of settings where one has to be.
    public static var malformedText: Self { Self() }
    /// A text has a section whose name is nearly that of the settings: what is set there would not count.
    public static var unknownSection: Self { Self() }
    /// A file cannot be read.
    public static var unreadableFile: Self { Self() }
    /// Policies for tests are named, and this is a release build that was not set to take them.
    public static var testPoliciesInRelease: Self { Self() }
}

/// Why a service's policies are not put into force.
extension ErrorCode where Failure == ManagementError {
    /// The service could not be asked, or did not answer.
    public static var unreachable: Self { Self() }
    /// The answer makes no sense: unchanged, where nothing is known.
    public static var malformedAnswer: Self { Self() }
    /// The text has more bytes than ``RemotePolicies/maximumSize``.
    public static var tooLarge: Self { Self() }
    /// The policies have no signature.
    public static var unsigned: Self { Self() }
    /// The signature cannot be read.
    public static var malformedSignature: Self { Self() }
    /// The signature is not one of the text.
    public static var wrongSignature: Self { Self() }
    /// The policies were signed before those that are in force.
    public static var olderThanInForce: Self { Self() }
    /// The text is no set of policies.
    public static var malformedPolicies: Self { Self() }
}

/// Why a report is not offered, given or read.
extension ErrorCode where Failure == ManagementError {
    /// Another socket answers at this path.
    public static var inUse: Self { Self() }
    /// No program listens at this path.
    public static var nobodyListens: Self { Self() }
    /// The socket is another user's.
    public static var notAllowed: Self { Self() }
    /// The text is no report, or of a later version.
    public static var malformed: Self { Self() }
    /// The system refused a call; the message names it.
    public static var systemCall: Self { Self() }
}
