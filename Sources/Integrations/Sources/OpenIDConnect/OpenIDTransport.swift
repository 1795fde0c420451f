#if OpenIDConnect
import AsyncHTTPClient
public import Foundation
import IssuerKeys
import NIOCore
import NIOHTTP1

/// A request to a provider.
public struct OpenIDRequest: Hashable, Sendable {
    /// The URL; of HTTPS, or of this machine.
    public let url: String
    /// The fields of the header.
    public let fields: [String: String]
    /// The form that is posted; `nil` where it is a GET.
    public let form: String?
}

/// An answer of a provider.
public struct OpenIDAnswer: Hashable, Sendable {
    /// The status.
    public let status: Int
    /// The body.
    public let body: Data

    /// An answer.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - body: The body.
    public init(status: Int, body: Data) {
        self.status = status
        self.body = body
    }
}

/// The way to a provider, which follows no redirects.
public protocol OpenIDTransport: Sendable {
    /// Sends a request. An answer that takes longer than ten seconds is ignored, and the task of the request cancelled.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The most bytes that an answer may have; one with more is an error.
    /// - Returns: The answer, whichever its status.
    /// - Throws: What keeps it from an answer.
    func send(_ request: OpenIDRequest, limit: Int) async throws -> OpenIDAnswer
}

extension OpenIDTransport {
    /// Sends a request, and waits for ten seconds, whatever the transport does.
    func answer(to request: OpenIDRequest, limit: Int) async throws -> OpenIDAnswer {
        try await within(.seconds(10)) { try await send(request, limit: limit) }
    }
}

/// The way to a provider by AsyncHTTPClient, with a client of its own that follows no redirects.
public struct HTTPClientTransport: OpenIDTransport {
    /// One for the process, as `HTTPClient.shared`, which follows redirects.
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClient.Configuration(redirectConfiguration: .disallow)
    )

    /// The way.
    public init() {}

    /// Sends a request, and waits for the head of its answer for ten seconds.
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
