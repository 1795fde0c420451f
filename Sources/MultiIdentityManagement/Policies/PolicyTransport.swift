/// A way to a service of policies, as HTTP: asks with `If-None-Match` and `Prefer: wait`, and answers with what came.
///
/// An answer that takes longer than the wait and ``RemotePoliciesOptions/answerLimit`` is ignored, and the task of the question cancelled.
public protocol PolicyTransport: Sendable {
    /// Asks for the policies.
    ///
    /// - Parameter request: The tag of those that are known, and how long the service may wait for others.
    /// - Returns: The answer.
    /// - Throws: What keeps it from answering: no route, a status that is neither 200 nor 304.
    func fetch(_ request: PolicyRequest) async throws -> PolicyAnswer
}

/// A question for policies.
public struct PolicyRequest: Hashable, Sendable {
    /// The tag of the policies that are known (`ETag`), to be sent as `If-None-Match`; `nil` where none are.
    public let tag: String?
    /// The longest time that the service may wait until it has others, to be sent as `Prefer: wait`, in whole seconds.
    public let wait: Duration

    /// A question for policies.
    ///
    /// - Parameters:
    ///   - tag: The tag of the policies that are known.
    ///   - wait: The longest time that the service may wait until it has others.
    public init(tag: String?, wait: Duration) {
        self.tag = tag
        self.wait = wait
    }
}

/// The answer of a service of policies.
public enum PolicyAnswer: Hashable, Sendable {
    /// They are what they were: status 304.
    case unchanged
    /// The policies, in the text that `PolicySet` reads: status 200.
    ///
    /// - Parameters:
    ///   - text: The bytes of the body, of which no more than ``RemotePolicies/maximumSize`` have to be kept.
    ///   - tag: The field `ETag`.
    ///   - signature: The field ``PolicySignature/fieldName``: a detached JWS over the body.
    case policies(text: [UInt8], tag: String?, signature: String?)
}
