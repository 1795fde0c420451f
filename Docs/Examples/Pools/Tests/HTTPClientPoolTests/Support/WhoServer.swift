import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A server that says on which of its connections a request came, and the user that it takes it for.
///
/// `/hold` answers that at once and is done when the request is; `/out` has the connection be nobody's again.
final class WhoServer: Sendable {
    /// The way in which a server knows a request's user.
    enum Way { case byRequest, byConnection }

    let port: Int
    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel
    private let dies: Flag

    /// An order for the next request.
    final class Flag: Sendable {
        private let isSet = Mutex(false)
        func set() { isSet.withLock { $0 = true } }
        func take() -> Bool {
            isSet.withLock { isSet in
                defer { isSet = false }
                return isSet
            }
        }
    }

    init(_ way: Way) async throws {
        let (group, dies) = (MultiThreadedEventLoopGroup(numberOfThreads: 1), Flag())
        (self.group, self.dies) = (group, dies)
        let last = Mutex(0)
        channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let number = last.withLock { last in
                        last += 1
                        return last
                    }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(number, way, dies))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Has the connection of the next request break once that has been read.
    func dieNext() { dies.set() }

    func stop() async throws {
        try await channel.close()
        try await group.shutdownGracefully()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let number: Int
        private let way: Way
        private let dies: Flag
        private var user: String?

        init(_ number: Int, _ way: Way, _ dies: Flag) { (self.number, self.way, self.dies) = (number, way, dies) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): answer(head, context)
            case .body: break
            case .end: if context.channel.isActive { context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil) }
            }
        }

        private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
            if dies.take() { return context.close(promise: nil) }
            let named = head.headers["x-user"].first
            switch way {
            case .byRequest: user = named
            case .byConnection: user = user ?? named
            }
            if head.uri == "/out" { user = nil }
            let response = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["transfer-encoding": "chunked"])
            context.write(wrapOutboundOut(.head(response)), promise: nil)
            let line = ByteBuffer(string: "\(number) \(user ?? "")")
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(line))), promise: nil)
        }
    }
}
