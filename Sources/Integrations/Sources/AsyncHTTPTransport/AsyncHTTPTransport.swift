#if AsyncHTTPClient
public import AsyncHTTPClient
public import MultiIdentityManagement
import NIOCore
import NIOHTTP1

/// A transport over AsyncHTTPClient, for the policies of `RemotePolicies` and the decisions of `PolicyDecisionPoint`.
public struct AsyncHTTPTransport: PolicyTransport {
    private let requests: ServiceRequests

    /// Creates a transport to one URL.
    ///
    /// - Parameters:
    ///   - url: The URL of the policies, or of AuthZEN's access evaluation.
    ///   - client: The client, which follows no redirects: `HTTPClient.Configuration(redirectConfiguration: .disallow)`.
    ///   - fields: Returns further header fields for each request, such as `Authorization`.
    public init(
        _ url: String,
        client: HTTPClient,
        fields: @escaping @Sendable () async throws -> [String: String] = { [:] }
    ) {
        requests = ServiceRequests(url: url, client: client, fields: fields)
    }

    /// Fetches the policies.
    public func fetch(after tag: String?, waiting wait: Duration) async throws -> PolicyAnswer {
        let seconds = wait.components.seconds
        let answer = try await requests.send(timeout: .seconds(seconds + 30)) { sent in
            if let tag { sent.headers.replaceOrAdd(name: "If-None-Match", value: tag) }
            if seconds > 0 { sent.headers.replaceOrAdd(name: "Prefer", value: "wait=\(seconds)") }
        }
        if answer.status == .notModified { return .unchanged }
        guard answer.status == .ok else { throw UnexpectedStatus(code: answer.status.code) }
        let body = try await answer.body.collect(upTo: RemotePolicies.maximumSize)
        return .policies(
            text: Array(body.readableBytesView),
            tag: answer.headers.first(name: "ETag"),
            signature: answer.headers.first(name: PolicySignature.fieldName)
        )
    }

    /// Sends a request for evaluation.
    public func evaluate(_ request: [UInt8]) async throws -> [UInt8] {
        let answer = try await requests.send(timeout: .seconds(30)) { sent in
            sent.method = .POST
            sent.headers.replaceOrAdd(name: "Content-Type", value: "application/json")
            sent.body = .bytes(ByteBuffer(bytes: request))
        }
        guard answer.status == .ok else { throw UnexpectedStatus(code: answer.status.code) }
        return Array(try await answer.body.collect(upTo: 1 << 20).readableBytesView)
    }
}

/// A response with an unexpected status.
public struct UnexpectedStatus: Error, Hashable, Sendable {
    /// The status.
    public let code: UInt
}

private struct ServiceRequests: Sendable {
    let url: String
    let client: HTTPClient
    let fields: @Sendable () async throws -> [String: String]

    func send(
        timeout: TimeAmount,
        _ prepare: (inout HTTPClientRequest) -> Void
    ) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: url)
        for (name, value) in try await fields() { request.headers.replaceOrAdd(name: name, value: value) }
        prepare(&request)
        return try await client.execute(request, timeout: timeout)
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"AsyncHTTPClient\"])")
#endif
