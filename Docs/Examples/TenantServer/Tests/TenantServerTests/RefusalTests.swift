import Foundation
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import MultiIdentity
import Synchronization
import Testing

@testable import TenantServer

@Suite("A request without a good token") struct RefusalTests {
    @Test("is answered with the reason, and does nothing", arguments: BadRequest.all)
    func isAnswered(_ bad: BadRequest) async throws {
        let server = try await TestServer()
        let headers = try await bad.headers()
        try await server.application.test(.router) { client in
            for request in TenantRequest.all {
                let response = try await client.executeRequest(
                    uri: request.path,
                    method: request.method,
                    headers: headers,
                    body: request.body.map { ByteBuffer(string: $0) }
                )
                #expect(response.status == bad.status)
                #expect(try response.refusalCode() == bad.code)
                #expect(response.headers[.contentType] == "application/json; charset=utf-8")
                #expect((response.headers[.wwwAuthenticate] != nil) == (bad.status == .unauthorized))
            }
        }
        // No place of work said anything, and no line was logged as anybody.
        #expect(server.log.entries.map(\.message.description) == TenantRequest.all.map { _ in "refused" })
        #expect(server.log.entries.allSatisfy { $0.metadata["identity"] == nil })
        #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder + "/files").isEmpty)
    }

    @Test("binds no identity, neither where it is refused nor after", arguments: BadRequest.all)
    func bindsNothing(_ bad: BadRequest) async throws {
        let probe = Probe()
        let router = Router(context: TenantContext.self)
        router.add(middleware: RefusalMiddleware())
        router.add(middleware: probe)
        TenantServer.addUser(to: router, authority: try await TestServer.authority(), keeping: .carried)
        router.get("report") { _, _ in
            probe.note("handler")
            return "reached"
        }
        let headers = try await bad.headers()
        try await Application(router: router).test(.router) { client in
            let response = try await client.executeRequest(uri: "/report", method: .get, headers: headers, body: nil)
            #expect(response.status == bad.status)
        }
        #expect(probe.notes == ["before: unset", "refused: unset"])
    }

    @Test("but with one, is done as its user") func isDoneWithAGoodOne() async throws {
        let server = try await TestServer()
        let headers = try await server.headers(for: "ada@contoso.com")
        try await server.application.test(.router) { client in
            let response = try await client.executeRequest(uri: "/report", method: .get, headers: headers, body: nil)
            #expect(response.status == .ok)
            #expect(try response.answers().flatMap(\.seen).map(\.as) == ["ada@contoso.com", "ada@contoso.com"])
        }
    }
}

/// Notes the identity of the work on the way in and out.
private final class Probe: RouterMiddleware {
    private let list = Mutex<[String]>([])

    var notes: [String] { list.withLock { $0 } }

    func note(_ place: String) {
        list.withLock { $0.append("\(place): \(Identity.current?.name ?? "unset")") }
    }

    func handle(
        _ request: Request,
        context: TenantContext,
        next: @concurrent (Request, TenantContext) async throws -> Response
    ) async throws -> Response {
        note("before")
        do {
            return try await next(request, context)
        } catch {
            note("refused")
            throw error
        }
    }
}
