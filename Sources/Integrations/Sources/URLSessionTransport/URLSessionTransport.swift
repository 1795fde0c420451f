public import Foundation
public import MultiIdentityManagement

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport over `URLSession`, for the policies of `RemotePolicies` and the decisions of `PolicyDecisionPoint`.
///
/// ```swift
/// let policies = try await RemotePolicies(URLSessionTransport(url), verifying: isSigned, store: store)
/// let point = PolicyDecisionPoint(URLSessionTransport(other).evaluate)  // https://pdp.example/access/v1/evaluation
/// ```
///
/// Redirects are not followed: policies come from the configured URL, and a decision request names identities.
public struct URLSessionTransport: PolicyTransport {
    private let requests: ServiceRequests

    /// Creates a transport to one URL.
    ///
    /// - Parameters:
    ///   - url: The URL of the policies, or of AuthZEN's access evaluation.
    ///   - configuration: The configuration of the session.
    ///   - fields: Returns further header fields for each request, such as `Authorization`.
    public init(
        _ url: URL,
        configuration: URLSessionConfiguration = .ephemeral,
        fields: @escaping @Sendable () async throws -> [String: String] = { [:] }
    ) {
        requests = ServiceRequests(url: url, configuration: configuration, fields: fields)
    }

    /// Fetches the policies, with `If-None-Match` and `Prefer: wait`; accepts 200 and 304.
    public func fetch(after tag: String?, waiting wait: Duration) async throws -> PolicyAnswer {
        let seconds = wait.components.seconds
        let (body, answer) = try await requests.send(timeout: Double(seconds) + 30, limit: RemotePolicies.maximumSize) {
            url in
            url.setValue(tag, forHTTPHeaderField: "If-None-Match")
            if seconds > 0 { url.setValue("wait=\(seconds)", forHTTPHeaderField: "Prefer") }
        }
        if answer.statusCode == 304 { return .unchanged }
        guard answer.statusCode == 200 else { throw ServiceStatusError(status: answer.statusCode) }
        return .policies(
            text: Array(body),
            tag: answer.value(forHTTPHeaderField: "ETag"),
            signature: answer.value(forHTTPHeaderField: PolicySignature.fieldName)
        )
    }

    /// Sends a request for evaluation; accepts 200.
    public func evaluate(_ request: [UInt8]) async throws -> [UInt8] {
        let (body, answer) = try await requests.send(timeout: 30, limit: 1 << 20) { url in
            url.httpMethod = "POST"
            url.httpBody = Data(request)
            url.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        guard answer.statusCode == 200 else { throw ServiceStatusError(status: answer.statusCode) }
        return Array(body)
    }
}
