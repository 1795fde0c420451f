public import MultiIdentity

/// Policies of a service are not put into force: what was wrong, and what to do.
///
/// No message shows what the service sent.
public struct PolicyServiceError: CodedError {
    /// The kind of failure, for code to match on.
    public let code: ErrorCode<PolicyServiceError>
    /// A description of the failure, for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode where Failure == PolicyServiceError {
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
    /// The store failed; the policies are in force in this process all the same.
    public static var storeFailed: Self { Self() }
}
