import AsyncHTTPClient
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOHTTP1
import Testing

private enum Tenant { @TaskLocal static var current: String? }

/// Ada sends a request with a sequence as its body, to a server that answers with it: its part is to be made for ada.
///
/// What she awaits is one structured call, which can be traced with `withSpan`.
/// `Transaction.continueRequestBodyStream` iterates the body in a `Task { }` that it makes on the event loop.
@Suite("The body of a request of async-http-client") struct HTTPClientBodyTests {
    @Test("is iterated without the task-locals of the task that sends it") func body() async throws {
        let router = Router()
        router.post("echo") { request, _ in try await request.body.collect(upTo: 1_000) }
        try await Application(router: router).test(.live) { server in
            let port = try #require(server.port)
            let part = AsyncStream<Void> {
                $0.yield()
                $0.finish()
            }
            var request = HTTPClientRequest(url: "http://localhost:\(port)/echo")
            request.method = .POST
            request.body = .stream(part.map { ByteBuffer(string: Tenant.current ?? "no one") }, length: .unknown)
            let answer = try await Tenant.$current.withValue("ada") {
                try await HTTPClient.shared.execute(request, timeout: .seconds(60)).body.collect(upTo: 1_000)
            }
            #expect(
                String(buffer: answer) == "no one",
                "async-http-client seems to have fixed this: take it out of Docs/Wild.md"
            )
        }
    }
}
