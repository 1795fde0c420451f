import Foundation
import Hummingbird
import HummingbirdTesting
import MultiIdentity
import Testing

@testable import TenantServer

@Suite("The page that shows which work runs as whom") struct LivePageTests {
    @Test("holds nothing but itself, and runs no script but its own") func holdsNothing() async throws {
        let server = try await TestServer()
        try await server.application.test(.router) { client in
            let one = try await client.executeRequest(uri: "/live", method: .get, headers: [:], body: nil)
            let other = try await client.executeRequest(uri: "/live", method: .get, headers: [:], body: nil)
            let policy = try #require(one.headers[.contentSecurityPolicy])
            let nonce = try #require(policy.firstMatch(of: /script-src 'nonce-(\w+)'/)?.1)
            #expect(policy.hasPrefix("default-src 'none'; connect-src 'self'; script-src 'nonce-"))
            #expect(String(buffer: one.body).contains("<script nonce=\"\(nonce)\">"))
            #expect(other.headers[.contentSecurityPolicy] != policy)
            #expect(!String(buffer: one.body).contains("innerHTML"))
        }
    }

    @Test("tells what runs to operators only") func tellsOperatorsOnly() async throws {
        let server = try await TestServer()
        try await server.application.test(.router) { client in
            let nobody = try await client.executeRequest(uri: "/live/events", method: .get, headers: [:], body: nil)
            #expect(nobody.status == .unauthorized)
            let user = try await client.executeRequest(
                uri: "/live/events",
                method: .get,
                headers: server.headers(for: "ada"),
                body: nil
            )
            #expect(user.status == .forbidden)
            #expect(try user.refusalCode() == "not_operator")
        }
    }

    @Test("says of work its owner, how it came there, and where it was handed over") func saysWhoseItIs() async throws {
        let watchers = LiveWatchers()
        let queue = IdentityQueue(label: "live.test")
        let hostile = #"<img src=x onerror=alert(1)> \#(UUID())"#
        try await watchers.watching {
            let view = await withCheckedContinuation { continuation in
                try? withIdentity(Identity(hostile)) {
                    queue.async { continuation.resume(returning: LiveView.now(limit: 10_000)) }
                }
            }
            let work = try #require(view.running.first { $0.user == hostile && $0.boundary == "async" })
            #expect(work.place == "live.test")
            #expect(work.hops == 1)
            #expect(view.boundaries.contains { $0.name == "async" && $0.captured > 0 })
        }
        #expect(!RunningWork.isRecorded)
    }
}
