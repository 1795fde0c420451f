#if OpenIDConnect
import AsyncHTTPClient
public import Foundation
import IssuerKeys
import NIOCore
import NIOHTTP1

/// A request to a provider.
public struct OpenIDRequest: Hashable, Sendable {
    /// The URL; HTTPS, or this machine.
    public let url: String
    /// The header fields.
    public let fields: [String: String]
    /// The posted form; `nil` for a GET.
    public let form: String?
}

/// An answer from a provider.
public struct OpenIDAnswer: Hashable, Sendable {
    /// The status.
    public let status: Int
    /// The body.
    public let body: Data

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - body: The body.
    public init(status: Int, body: Data) {
        self.status = status
        self.body = body
    }
}

/// A transport to a provider that follows no redirects.
public protocol OpenIDTransport: Sendable {
    /// Sends a request. If an answer takes longer than ten seconds, it is ignored, and the request's task is cancelled.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The largest number of bytes of an answer; a larger one is an error.
    /// - Returns: The answer, with any status.
    /// - Throws: An error if there is no answer.
    func send(_ request: OpenIDRequest, limit: Int) async throws -> OpenIDAnswer
}

extension OpenIDTransport {
    /// Sends a request, and waits at most ten seconds, whatever the transport does.
    func answer(to request: OpenIDRequest, limit: Int) async throws -> OpenIDAnswer {
        try await within(.seconds(10)) { try await send(request, limit: limit) }
    }
}

/// A transport over AsyncHTTPClient, with its own client that follows no redirects.
public struct HTTPClientTransport: OpenIDTransport {
    /// One per process, since `HTTPClient.shared` follows redirects.
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClient.Configuration(redirectConfiguration: .disallow)
    )

    /// Creates a transport.
    public init() {}

    /// Sends a request, and waits at most ten seconds for the head of its answer.
    public func send(_ request: OpenIDRequest, limit: Int) async throws -> OpenIDAnswer {
        var sent = HTTPClientRequest(url: request.url)
        for (name, value) in request.fields { sent.headers.replaceOrAdd(name: name, value: value) }
        if let form = request.form {
            sent.method = .POST
            sent.headers.replaceOrAdd(name: "Content-Type", value: "application/x-www-form-urlencoded")
            sent.body = .bytes(ByteBuffer(string: form))
        }
        let answer = try await Self.client.execute(sent, timeout: .seconds(10))
        let body = try await answer.body.collect(upTo: limit)
        return OpenIDAnswer(status: Int(answer.status.code), body: Data(body.readableBytesView))
    }
}
#endif
