import Foundation
import MultiIdentity
import MultiIdentityNetworking
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Automatic mode leaves sessions alone: each serves everyone from sources and timers that one of its callers set.
enum SessionCases {
    private static let users = (0..<8).compactMap { try? Identity("user-\($0)@contoso.com") }

    static func check(_ cases: inout Cases) async {
        await cases.check("a session that many share runs no completion handler as another") {
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                        try channel.pipeline.syncOperations.addHandler(Answering())
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            guard let port = server.localAddress?.port, let url = URL(string: "http://127.0.0.1:\(port)/") else {
                throw Difference(description: "no port")
            }
            let session = URLSession(configuration: .ephemeral)
            var (plain, carried): ([Identity?], [Identity?]) = ([], [])
            for _ in 0..<6 {
                plain += await handlers { session.dataTask(with: url, completionHandler: $0) }
                carried += await handlers { session.propagatingIdentity.dataTask(with: url, completionHandler: $0) }
            }
            session.invalidateAndCancel()
            try await server.close()
            try expect(plain, Array(repeating: nil, count: 48))
            try expect(carried, Array(repeating: users, count: 6).flatMap(\.self))
        }
    }

    private typealias Handler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

    /// Returns the identities of the handlers of all users' requests, by user; the requests run concurrently.
    private static func handlers(_ task: (@escaping Handler) -> URLSessionDataTask) async -> [Identity?] {
        let seen = Mutex<[Int: Identity?]>([:])
        let all = DispatchGroup()
        for (index, user) in users.enumerated() {
            all.enter()
            withIdentity(user) {
                task { _, _, _ in
                    // With an error, too: whether the network answers is not ours.
                    seen.withLock { $0[index] = .some(Identity.current) }
                    all.leave()
                }
                .resume()
            }
        }
        await withCheckedContinuation { continuation in all.notify(queue: .global()) { continuation.resume() } }
        return seen.withLock { seen in users.indices.compactMap { seen[$0] } }
    }
}

/// Answers every request, and keeps the connection open, so that a session uses it for several users.
private final class Answering: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["content-length": "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
