import Hummingbird
import HummingbirdIdentity
import HummingbirdTesting
import MultiIdentity
import Testing

@Suite("The middleware that binds") struct MiddlewareTests {
    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(
            middleware: IdentityMiddleware { request, _ in
                try Identity(String(request.uri.queryParameters["user"] ?? ""))
            }
        )
        return router
    }

    @Test("serves a request as its user, until it is answered") func servesAsItsUser() async throws {
        let router = router()
        router.get("plain") { _, _ in
            await Task.yield()
            return Identity.current?.name ?? "unset"
        }
        try await Application(router: router).test(.router) { client in
            let response = try await client.executeRequest(
                uri: "/plain?user=ada",
                method: .get,
                headers: [:],
                body: nil
            )
            #expect(String(buffer: response.body) == "ada")
            #expect(Identity.current == nil)
        }
    }

    @Test("has a streamed answer written as its user, too") func writesAsItsUser() async throws {
        let router = router()
        router.get("streamed") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    await Task.yield()
                    try await writer.write(ByteBuffer(string: Identity.current?.name ?? "unset"))
                    try await writer.finish(nil)
                }
            )
        }
        try await Application(router: router).test(.router) { client in
            let response = try await client.executeRequest(
                uri: "/streamed?user=ada",
                method: .get,
                headers: [:],
                body: nil
            )
            #expect(String(buffer: response.body) == "ada")
        }
    }

    @Test("serves nobody where there is no user") func servesNobody() async throws {
        let router = router()
        router.get("plain") { _, _ in
            Issue.record("reached")
            return "reached"
        }
        try await Application(router: router).test(.router) { client in
            let response = try await client.executeRequest(uri: "/plain", method: .get, headers: [:], body: nil)
            #expect(response.status == .internalServerError)
        }
    }
}
