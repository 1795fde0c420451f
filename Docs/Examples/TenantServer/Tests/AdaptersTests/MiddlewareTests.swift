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

    @Test("has an answer of known length written as its user", arguments: [nil, 3, 10_000, 100_000])
    func writesKnownLength(_ length: Int?) async throws {
        let router = router()
        router.get("known") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody(contentLength: length) { writer in
                    let name = Identity.current?.name ?? "---"
                    try await writer.write(ByteBuffer(string: name))
                    await Task.yield()
                    let rest = Identity.current?.name == name ? "." : "!"
                    try await writer.write(ByteBuffer(string: String(repeating: rest, count: (length ?? 4) - 3)))
                    try await writer.finish(nil)
                }
            )
        }
        try await Application(router: router).test(.live) { client in
            let response = try await client.executeRequest(
                uri: "/known?user=ada",
                method: .get,
                headers: [:],
                body: nil
            )
            #expect(String(buffer: response.body) == "ada" + String(repeating: ".", count: (length ?? 4) - 3))
            #expect(response.headers[.contentLength] == length.map(String.init))
        }
    }

    @Test("answers a name that breaks a rule as the client's error", arguments: ["", "%20ada", "a%0Ab"])
    func badName(_ name: String) async throws {
        let router = router()
        router.get("plain") { _, _ in
            Issue.record("reached")
            return "reached"
        }
        try await Application(router: router).test(.router) { client in
            let response = try await client.executeRequest(
                uri: "/plain?user=\(name)",
                method: .get,
                headers: [:],
                body: nil
            )
            #expect(response.status == .badRequest)
        }
    }

    @Test("answers the handler's own errors as before, those about identities too")
    func handlersErrors() async throws {
        let router = router()
        router.get("plain") { _, _ in try Identity(" ").name }
        try await Application(router: router).test(.router) { client in
            let response = try await client.executeRequest(
                uri: "/plain?user=ada",
                method: .get,
                headers: [:],
                body: nil
            )
            #expect(response.status == .internalServerError)
        }
    }

    @Test("serves nobody where there is no user")
    func servesNobody() async throws {
        let router = Router()
        router.add(middleware: IdentityMiddleware { _, _ in try Identity.required() })
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
