/// A transport to a policy service, such as HTTP with `If-None-Match` and `Prefer: wait`.
///
/// If an answer takes longer than the wait and ``RemotePoliciesOptions/answerLimit``, it is ignored and the request's
/// task is cancelled.
public protocol PolicyTransport: Sendable {
    /// Requests the policies.
    ///
    /// - Parameters:
    ///   - tag: The tag of the known policies; `nil` if none are known.
    ///   - wait: The time that the service may wait for new ones.
    /// - Returns: The answer.
    /// - Throws: Any error if there is no answer: no connection, or a status that is neither 200 nor 304.
    func fetch(after tag: String?, waiting wait: Duration) async throws -> PolicyAnswer
}

/// The answer of a policy service.
public enum PolicyAnswer: Hashable, Sendable {
    /// The policies have not changed: status 304.
    case unchanged
    /// The policies, in the text that `PolicySet` reads: status 200.
    ///
    /// - Parameters:
    ///   - text: The body; bytes beyond ``RemotePolicies/maximumSize`` may be dropped.
    ///   - tag: The value of the field `ETag`.
    ///   - signature: The value of the field ``PolicySignature/fieldName``: a detached JWS over the body.
    case policies(text: [UInt8], tag: String?, signature: String?)
}
