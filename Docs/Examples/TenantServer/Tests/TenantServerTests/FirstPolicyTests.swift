import Configuration
import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityProtection
import Synchronization
import Testing

@testable import TenantServer

/// The guide's trial of a first policy, from an account that is not targeted to one that has left: Docs/Acceptance.md.
@Suite("The first policy") final class FirstPolicyTests: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "first-policy-\(UUID())").path()
    private let enrollment = FakeEnrollment()
    private let clock = ShiftedClock()
    /// Revocation is the process's: each test has tenants of its own.
    private let (ada, bob) = ("ada-\(UUID())@contoso.com", "bob-\(UUID())@contoso.com")
    private let transcript = Mutex<[String]>([])

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func settings(port: Int) async throws -> ServerSettings {
        let environment = [
            "TENANT_JWT_SECRET": "a secret of more than thirty-two bytes", "TENANT_DATA_FOLDER": folder,
            "TENANT_MASTER_KEY": Data(repeating: 7, count: 32).base64EncodedString(), "TENANT_HTTP_PORT": "0",
            "TENANT_ENROLLMENT_URL": "http://127.0.0.1:\(port)", "TENANT_ENROLLMENT_TOKEN": "service-token",
        ]
        return try await ServerSettings(
            reader: ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: environment))
        )
    }

    private func step(_ text: String) {
        transcript.withLock { lines in lines.append("\(lines.count { !$0.hasPrefix(" ") } + 1). \(text)") }
    }

    private func note(_ text: String) {
        let shown = text.replacing(ada, with: "ada@contoso.com").replacing(bob, with: "bob@contoso.com")
        transcript.withLock { $0.append("   \(shown)") }
    }

    /// A request and its answer, as a line of the transcript.
    @discardableResult
    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        as user: String,
        _ settings: ServerSettings,
        _ client: any TestClientProtocol,
        body: String? = nil,
        isNoted: Bool = true
    ) async throws -> TestResponse {
        let token = try await settings.authority.token(
            for: user,
            scope: user == "olga@contoso.com" ? "operator" : nil,
            lifetime: .seconds(600)
        )
        let answer = try await client.executeRequest(
            uri: path,
            method: method,
            headers: [.authorization: "Bearer \(token)"],
            body: body.map { ByteBuffer(string: $0) }
        )
        let said = path == "/configuration" ? String(buffer: answer.body) : try? answer.refusalCode()
        let shown = said.map { " \($0)" } ?? ""
        if isNoted { note("\(method) \(path) as \(user): \(answer.status.code)\(shown)") }
        return answer
    }

    /// The rows of a part of the report that say something, once there are some; without their times.
    private func rows(
        _ title: String,
        with text: String,
        _ settings: ServerSettings,
        _ client: any TestClientProtocol,
        tries: Int = 1_000
    ) async throws -> [String] {
        for _ in 0..<tries {
            let page = try await send(.get, "/diagnostics", as: "olga@contoso.com", settings, client, isNoted: false)
            let lines = String(buffer: page.body).split(separator: "\n").map(String.init)
            let part = lines.drop { $0 != "\(title):" }.dropFirst().prefix { $0.hasPrefix(" ") }
            let found = part.filter { $0.contains(text) }
            if !found.isEmpty { return found }
            try await Task.sleep(for: .milliseconds(10))
        }
        return []
    }

    private func policies(sendOut: Bool) -> String {
        #"{"version": 1, "identities": {"\#(ada)": {"sendOut": \#(sendOut)}}}"#
    }

    private func server(_ settings: ServerSettings) throws -> some ApplicationProtocol {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return try TenantServer.application(settings, logger: logger, clock: clock)
    }

    @Test("is played from its beginning to its end, and the page of it is what happened") func isPlayed() async throws {
        try await enrollment.application.test(.live) { service in
            let settings = try await settings(port: #require(service.port))
            try await server(settings).test(.live) { client in try await beforeRestart(settings, client) }
            try await server(settings).test(.live) { client in try await afterRestart(settings, client) }
        }
        let page = URL(filePath: #filePath).appending(path: "../../../../../Acceptance.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let played = transcript.withLock { $0.joined(separator: "\n") } + "\n"
        #expect(text.contains("```text\n\(played)```"), "\(played)")
    }

    private func beforeRestart(_ settings: ServerSettings, _ client: any TestClientProtocol) async throws {
        step("Bob, whom the service does not target, works as he did before there were policies.")
        #expect(try await send(.put, "/files/notes.txt", as: bob, settings, client, body: "Bob's").status == .created)
        #expect(try await send(.post, "/files/notes.txt/send", as: bob, settings, client).status == .accepted)

        step("The server has registered him, and nobody is managed.")
        #expect(try await !rows("events", with: "\(bob): notTargeted", settings, client).isEmpty)
        note("diagnostics: \(bob): notTargeted")
        #expect(try await rows("accounts", with: "enrolled", settings, client, tries: 1).isEmpty)

        step(
            "The administrator targets Ada, with a policy that lets nothing be sent out. She is managed after her first request."
        )
        enrollment.state.withLock { state in
            state.targeted = [ada]
            state.policies = policies(sendOut: false)
        }
        #expect(try await send(.put, "/files/plan.txt", as: ada, settings, client, body: "Ada's").status == .created)
        #expect(try await rows("accounts", with: "\(ada): enrolled", settings, client).count == 1)
        note("diagnostics: \(ada): enrolled")

        step("A restart is wanted for a first policy, once.")
        #expect(try await rows("events", with: "\(ada): restartWanted", settings, client).count == 1)
        note("diagnostics: \(ada): restartWanted")
    }

    private func afterRestart(_ settings: ServerSettings, _ client: any TestClientProtocol) async throws {
        step("The server is started again: Ada's policy is in force before her first request.")
        let refused = try await send(.post, "/files/plan.txt/send", as: ada, settings, client)
        #expect(refused.status == .forbidden)
        #expect(try refused.refusalCode() == "refused_by_policy")

        step("Her files are hers, and Bob goes on without limits.")
        let plan = try await send(.get, "/files/plan.txt", as: ada, settings, client)
        #expect(String(buffer: plan.body) == "Ada's")
        #expect(try await send(.get, "/files/plan.txt", as: bob, settings, client).status == .notFound)
        #expect(try await send(.post, "/files/notes.txt/send", as: bob, settings, client).status == .accepted)

        step("Her configuration is there; Bob, who has none, sees the default.")
        let hers = try await send(.get, "/configuration", as: ada, settings, client)
        #expect(String(buffer: hers.body) == #"{"theme":"dark"}"#)
        let his = try await send(.get, "/configuration", as: bob, settings, client)
        #expect(String(buffer: his.body) == #"{"theme":"plain"}"#)

        step("The administrator lets her send; eight hours later that is in force.")
        enrollment.state.withLock { $0.policies = policies(sendOut: true) }
        clock.advance(by: .seconds(9 * 3_600))
        #expect(try await rows("events", with: "\(ada): policyReplaced", settings, client).count == 1)
        #expect(try await send(.post, "/files/plan.txt/send", as: ada, settings, client).status == .accepted)

        step("No second restart was wanted.")
        #expect(try await rows("events", with: "restartWanted", settings, client).count == 1)
        note("diagnostics: \(ada): restartWanted, still the one")

        step("She signs out: her files and keys are gone, the service has been notified, and Bob's are there.")
        #expect(try await send(.post, "/sign-out", as: ada, settings, client).status == .noContent)
        #expect(try await send(.get, "/files/plan.txt", as: ada, settings, client).status == .gone)
        #expect(enrollment.state.withLock { $0.calls.last } == "unenroll \(ada)")
        let files = FileManager.default.enumerator(atPath: "\(folder)/files")?.compactMap { $0 as? String } ?? []
        #expect(files.count { $0.hasSuffix(".txt") } == 1)
        let keys = try KeyFile(at: "\(folder)/keys", masterKey: MasterKey([UInt8](repeating: 7, count: 32)))
        #expect(try !keys.hasKeys(of: Identity(ada)) && keys.hasKeys(of: Identity(bob)))
        let notes = try await send(.get, "/files/notes.txt", as: bob, settings, client)
        #expect(String(buffer: notes.body) == "Bob's")
    }
}
