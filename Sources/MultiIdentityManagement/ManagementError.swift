public import MultiIdentity

/// An error of an account, a store, a configuration, a report or a policy service.
///
/// No message contains a configuration value or a service's answer, since these can be secret.
public struct ManagementError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<ManagementError>
    /// The failure in words: what was tried, with which account, file, line or key, and what to do.
    public let message: String

    /// Creates an error, for use in a custom store.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: The failure in words: what was tried, with which value, and what to do.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The registry's error for this error of its store.
    var ofRegistry: Self {
        let ofStores: Set<Code> = [.unavailable, .noSpace, .damaged, .unsupportedVersion]
        return ofStores.contains(code) ? Self(.storeFailed, message) : self
    }
}

/// What a registry refuses.
extension ErrorCode where Failure == ManagementError {
    /// Nobody is not an account.
    package static var nobody: Self { Self() }
    /// The account is not a work account.
    public static var notWorkAccount: Self { Self() }
    /// The identity was signed out or is being wiped.
    public static var revoked: Self { Self() }
    /// The account is not registered.
    public static var notRegistered: Self { Self() }
    /// The provider has no credential, or one of another account.
    public static var noCredential: Self { Self() }
    /// The account's policy is required and has not arrived.
    public static var policyRequired: Self { Self() }
    /// The service has not confirmed a policy of the account for too long.
    public static var offlineTooLong: Self { Self() }
    /// This process has not reached the store for too long (``ManagementConfiguration/heartbeatTimeout``).
    public static var heartbeatMissed: Self { Self() }
    /// The name is itself an account, is an alias of another account, or has its own data.
    public static var aliasTaken: Self { Self() }
    /// A wipe was requested, and the registry was created without one.
    package static var cannotWipe: Self { Self() }
    /// The store failed; a service's policies are still in force in this process.
    public static var storeFailed: Self { Self() }
}

/// What a store fails with.
extension ErrorCode where Failure == ManagementError {
    /// The store cannot be reached, or has been busy for too long.
    public static var unavailable: Self { Self() }
    /// The store is full.
    public static var noSpace: Self { Self() }
    /// The stored data are damaged, or belong to another program.
    public static var damaged: Self { Self() }
    /// A later version wrote the store.
    public static var unsupportedVersion: Self { Self() }
}

/// What is wrong with a configuration of accounts or of the program.
extension ErrorCode where Failure == ManagementError {
    /// A value has the wrong type, is out of its range, or cannot be set for one account.
    public static var wrongValue: Self { Self() }
    /// The text is not JSON or not a configuration, or misspells the name of its section of settings.
    public static var malformedText: Self { Self() }
    /// A file cannot be read.
    package static var unreadableFile: Self { Self() }
    /// Test policies are configured in a release build that does not allow them.
    package static var testPoliciesInRelease: Self { Self() }
}

/// Why policies of a service are not put into force.
extension ErrorCode where Failure == ManagementError {
    /// The service could not be reached, or did not answer.
    public static var unreachable: Self { Self() }
    /// The policies have no signature.
    package static var unsigned: Self { Self() }
    /// The signature cannot be read, or does not match the text.
    public static var wrongSignature: Self { Self() }
    /// The policies were signed before those in force.
    package static var olderThanInForce: Self { Self() }
}

/// Why a report cannot be offered, sent or read.
extension ErrorCode where Failure == ManagementError {
    /// The text is not a report or a set of policies, or is too large; or an answer contradicts its request.
    public static var malformed: Self { Self() }
    /// Another socket answers at this path.
    package static var inUse: Self { Self() }
    /// No program listens at this path.
    public static var connectionRefused: Self { Self() }
    /// The socket belongs to another user.
    package static var notAllowed: Self { Self() }
    /// A system call failed; the message names it.
    package static var systemCall: Self { Self() }
}
