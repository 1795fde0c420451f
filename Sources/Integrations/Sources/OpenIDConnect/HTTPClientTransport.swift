#if OpenIDConnect
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// The way to a provider by AsyncHTTPClient, with a client of its own that follows no redirects.
public struct HTTPClientTransport: OpenIDTransport {
    /// One for the process, as `HTTPClient.shared`, which follows redirects.
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClient.Configuration(redirectConfiguration: .disallow)
    )

    /// The way.
    public init() {}

    /// Sends a request, and waits for ten seconds.
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
