import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityProtection
import NIOCore
import PostgreSQLIdentity
import SignedIdentity
import Synchronization
import Testing

@testable import TenantServer

/// Revocation is the process's: each test has tenants of its own.
@Suite("A tenant") struct ErasureTests {
    private let ada = "ada-\(UUID())@contoso.com"
    private let grace = "grace-\(UUID())@contoso.com"

    private static func masterKey() throws -> MasterKey { try MasterKey((0..<32).map { UInt8($0) }) }

    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        as user: String,
        scope: String? = nil,
        to client: any TestClientProtocol,
        of server: TestServer
    ) async throws -> TestResponse {
        try await client.executeRequest(
            uri: path,
            method: method,
            headers: server.headers(for: user, marker: "1-\(user)", scope: scope),
            body: body.map { ByteBuffer(string: $0) }
        )
    }

    private func operate(
        _ method: HTTPRequest.Method,
        _ path: String,
        to client: any TestClientProtocol,
        of server: TestServer
    ) async throws -> TestResponse {
        try await send(method, path, as: "olga@contoso.com", scope: "operator", to: client, of: server)
    }

    /// The files below a folder that hold some text, or have it in their paths.
    private func files(below folder: String, with text: String) throws -> [String] {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return all.filter { path in
            path.contains(text)
                || (try? Data(contentsOf: URL(filePath: "\(folder)/\(path)")))?.firstRange(of: Data(text.utf8)) != nil
        }
    }

    @Test("is wiped by an operator: nothing of theirs stays, they are refused, and others keep all")
    func wiped() async throws {
        let server = try await TestServer(masterKey: Self.masterKey())
        defer { _ = (try? Identity(ada)).map { IdentityRevocation.readmit($0, after: .wiped) } }
        try await server.application.test(.router) { client in
            for user in [ada, grace] {
                for name in ["letter", "list"] {
                    let text = String(repeating: "\(user)\n", count: 1_000)
                    _ = try await send(.put, "/files/\(name)", text, as: user, to: client, of: server)
                }
                _ = try await send(.get, "/cache", as: user, to: client, of: server)
            }
            let workshop = try #require(server.workshop)
            for user in [ada, grace] {
                let marker = try #require(Marker("1-\(user)"))
                try withIdentity(Identity(user)) {
                    try workshop.records.append(Sighting(as: user, place: "test"), of: marker, by: .carried)
                }
            }
            #expect(try !files(below: server.folder, with: ada).isEmpty)

            let refused = try await send(.post, "/tenants/\(ada)/wipe", as: grace, to: client, of: server)
            #expect(try refused.refusalCode() == "not_operator")
            let forecast = try await operate(.get, "/tenants/\(ada)/wipe", to: client, of: server)
            #expect(try JSONDecoder().decode(WipeForecast.self, from: Data(forecast.body.readableBytesView)).files == 2)
            #expect(try await send(.get, "/files/letter", as: ada, to: client, of: server).status == .ok)

            let answer = try await operate(.post, "/tenants/\(ada.uppercased())/wipe", to: client, of: server)
            #expect(answer.status == .ok)
            let report = try JSONDecoder().decode(WipeReport.self, from: Data(answer.body.readableBytesView))
            #expect(report.isComplete && report.files == 2 && report.keys.outcome == .destroyed, "\(report)")
            for (method, path) in [(HTTPRequest.Method.get, "/files/letter"), (.put, "/files/new"), (.get, "/account")]
            {
                let response = try await send(method, path, "text", as: ada, to: client, of: server)
                #expect(response.status == .gone)
                #expect(try response.refusalCode() == "wiped")
            }
            let statuses = try await operate(.get, "/wipes", to: client, of: server)
            #expect(
                try JSONDecoder().decode([WipeStatus].self, from: Data(statuses.body.readableBytesView)).map(\.state)
                    == [
                        .complete
                    ]
            )
            #expect(try await operate(.delete, "/tenants/\(ada)/wipe", to: client, of: server).status == .noContent)
            let again = try await operate(.delete, "/tenants/\(ada)/wipe", to: client, of: server)
            #expect(try again.refusalCode() == "noReport")

            #expect(try files(below: server.folder, with: ada) == [])
            let graces = try await send(.get, "/files/list", as: grace, to: client, of: server)
            #expect(String(buffer: graces.body) == String(repeating: "\(grace)\n", count: 1_000))
            #expect(try files(below: server.folder, with: grace).contains { $0.hasSuffix("background.jsonl") })

            // Who begins anew has a new key, and nothing of before.
            #expect(try await operate(.post, "/tenants/\(ada)/readmit", to: client, of: server).status == .noContent)
            let nothing = try await send(.get, "/files/letter", as: ada, to: client, of: server)
            #expect(try nothing.refusalCode() == "no_file")
            #expect(try await send(.put, "/files/letter", "anew", as: ada, to: client, of: server).status == .created)
        }
    }

    @Test("with a ledger that does not answer stays revoked, and is wiped once it does, by the one that resumes")
    func resumed()
        async throws
    {
        let answers = Mutex(false)
        let ledger = UnreliableLedger { answers.withLock { $0 } }
        let tenant = try Identity(ada)
        defer { IdentityRevocation.readmit(tenant, after: .wiped) }
        let server = try await TestServer(masterKey: Self.masterKey(), ledger: ledger)
        try await server.application.test(.router) { client in
            _ = try await send(.put, "/files/letter", "text", as: ada, to: client, of: server)
            let answer = try await operate(.post, "/tenants/\(ada)/wipe", to: client, of: server)
            #expect(answer.status == .serviceUnavailable)
            let report = try JSONDecoder().decode(WipeReport.self, from: Data(answer.body.readableBytesView))
            #expect(!report.isComplete && report.keys.outcome == .kept, "\(report)")
            #expect(report.failures.contains { $0.reason.contains("no ledger here") }, "\(report)")
            #expect(try await send(.get, "/account", as: ada, to: client, of: server).status == .gone)
            let readmitted = try await operate(.post, "/tenants/\(ada)/readmit", to: client, of: server)
            #expect(try readmitted.refusalCode() == "wipe_running")
            answers.withLock { $0 = true }
            let statuses = try await #require(server.erasure).wipe.resume()
            #expect(statuses.map(\.state) == [.complete])
            #expect(try await operate(.delete, "/tenants/\(ada)/wipe", to: client, of: server).status == .noContent)
        }
    }

    @Test("who is signed out is refused until readmitted, and loses nothing") func signedOut() async throws {
        let server = try await TestServer(masterKey: Self.masterKey())
        try await server.application.test(.router) { client in
            _ = try await send(.put, "/files/letter", "text", as: ada, to: client, of: server)
            #expect(try await operate(.post, "/tenants/\(ada)/sign-out", to: client, of: server).status == .noContent)
            let response = try await send(.get, "/files/letter", as: ada, to: client, of: server)
            #expect(response.status == .forbidden)
            #expect(try response.refusalCode() == "signed_out")
            #expect(try await operate(.post, "/tenants/\(ada)/readmit", to: client, of: server).status == .noContent)
            let back = try await send(.get, "/files/letter", as: ada, to: client, of: server)
            #expect(String(buffer: back.body) == "text")
        }
    }

    @Test("stands percent-encoded in an operator's path, and is named by it", arguments: ["nobody%0A", "%20"])
    func badNames(_ name: String) async throws {
        let server = try await TestServer(masterKey: Self.masterKey())
        try await server.application.test(.router) { client in
            let response = try await operate(.post, "/tenants/\(name)/wipe", to: client, of: server)
            #expect(try response.refusalCode() == "bad_tenant")
        }
    }

    @Test("who is signed out has no job run, as themselves or as anybody else", arguments: TestedJobs.Engine.allCases)
    func jobs(_ engine: TestedJobs.Engine) async throws {
        let tested = try TestedJobs(on: engine)
        defer { tested.remove() }
        let log = StreamedLog()
        let jobs = try JobsInDatabase(
            tested.location,
            keys: KeyRing(parsing: "test:" + Data(repeating: 7, count: 32).base64EncodedString()),
            keeping: .carried,
            logger: Logger(label: "test") { _ in log }
        )
        let (ada, grace) = (try Identity(ada), try Identity(grace))
        func enqueue(_ tenant: Identity) async throws {
            let errand = Errand(
                caller: .carried,
                marker: try #require(Marker("1-\(tenant.name)")),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            _ = try await withIdentity(tenant) { try await jobs.enqueue(errand) }
        }
        try await enqueue(ada)
        try await enqueue(grace)
        IdentityRevocation.revoke(ada, for: .signedOut)
        defer { IdentityRevocation.readmit(ada) }
        await #expect(throws: IdentityRevokedError.self) { try await enqueue(ada) }
        let ran = await withTaskGroup { group in
            group.addTask { try? await jobs.run() }
            var ran: [String] = []
            for await line in log.lines {
                if line.message == "job" || line.message == "A job was put aside" { ran.append(line.message) }
                if ran.count == 2 { break }
            }
            group.cancelAll()
            return ran
        }
        #expect(Set(ran) == ["job", "A job was put aside"])
        try await jobs.erase(ada)
        if engine == .sqlite {
            #expect(try files(below: tested.folder, with: ada.name) == [])
            #expect(try !files(below: tested.folder, with: grace.name).isEmpty)
        } else {
            let all = try await tested.connection()
            defer { all.close() }
            #expect(try await all.query("SELECT owner_name FROM jobs").rows.map { $0["owner_name"] } == [grace.name])
            #expect(try await all.query("SELECT made_as FROM job_notes").rows.map { $0["made_as"] } == [grace.name])
        }
    }

    @Test("who begins anew has no job of before run, though its row is there again") func jobsOfBefore() async throws {
        let tested = try TestedJobs(on: .sqlite)
        defer { tested.remove() }
        let path = tested.folder
        let (log, ada) = (StreamedLog(), try Identity(ada))
        let keys = try KeyFile(at: path + "/keys", masterKey: Self.masterKey())
        /// As a server that was started again.
        func jobs() throws -> JobsInDatabase {
            try JobsInDatabase(
                tested.location,
                keys: KeyRing(parsing: "test:" + Data(repeating: 7, count: 32).base64EncodedString()),
                tenantKeys: KeyFile(at: path + "/keys", masterKey: Self.masterKey()),
                keeping: .carried,
                logger: Logger(label: "test") { _ in log }
            )
        }
        func enqueue(_ text: String) async throws {
            let errand = Errand(
                caller: .carried,
                marker: try #require(Marker("\(text)-\(ada.name)")),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            _ = try await withIdentity(ada) { try await jobs().enqueue(errand) }
        }
        try await enqueue("1")
        try keys.destroyKeys(of: ada)  // a wipe's end; the row came back with a backup of the database
        try await enqueue("2")
        try keys.rotateKey(of: ada)  // which begins no other account
        let working = try jobs()
        let ran = await withTaskGroup { group in
            group.addTask { try? await working.run() }
            var ran: [String?] = []
            for await line in log.lines {
                if line.message == "job" { ran.append(line.marker) }
                if line.message == "A job was put aside" { ran.append(line.message) }
                if ran.count == 2 { break }
            }
            group.cancelAll()
            return ran
        }
        #expect(Set(ran) == ["2-\(ada.name)", "A job was put aside"])
    }
}

/// A ledger that answers now and then.
private struct UnreliableLedger: LedgerCalling {
    struct Failure: Error, CustomStringConvertible {
        let description = "no ledger here"
    }

    let answers: @Sendable () -> Bool

    func record(_ errand: Errand) async throws -> [Sighting] { [errand.sighting(at: "ledger")] }

    func erase(_ tenant: Identity) async throws {
        if !answers() { throw Failure() }
    }
}
