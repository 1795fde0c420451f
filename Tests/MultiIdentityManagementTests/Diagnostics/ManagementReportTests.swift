import Foundation
import MultiIdentity
@_spi(Stores) @_spi(Settings) import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityTesting
import Testing

@Suite("A management report") struct ManagementReportTests {
    private let secrets = [
        "hunter22", "tok\"en\u{7}x", "0123456789".reduce(into: "") { $0 += String(repeating: $1, count: 10) },
    ]

    private func scene() throws -> RegistryScene {
        var configuration = try ManagementConfiguration(
            json: #"{"multiIdentity": {"authority": "https://secret.example", "clientI": ""}}"#.utf8,
            path: "app.json",
            environment: ["MULTI_IDENTITY_CLIENT_ID": "is hunter22", "MULTI_IDENTITY_JITTER": "0"]
        )
        (configuration.valuesToScrub, configuration.keysToScrub) = (secrets + ["ab"], ["authority", "license"])
        return RegistryScene(configuration: configuration)
    }

    private func rows(_ report: ManagementReport, _ title: String) -> [String: String] {
        let rows = report.sections.first { $0.title == title }?.rows ?? []
        return Dictionary(rows.map { ($0.name, $0.value) }) { $1 }
    }

    @Test(
        "has version, levels, accounts, settings with their sources, warnings and events",
        .rule("18.4"),
        .guide("the diagnostics console")
    )
    func hasAll() async throws {
        let (scene, ada, bob) = (try scene(), RegistryScene.account(), RegistryScene.account())
        scene.service.script.withLock { $0.configuring = { _ in #"{"version": 1, "parts": []}"# } }
        try await scene.enroll(ada)
        scene.service.script.withLock { $0.enrolling = { _ in throw EnrollmentFailure(.unreachable, "no route") } }
        try await scene.register(bob, until: .unreachable)
        try scene.registry.overrideSettings(of: ada) { $0.redirectURI = "x" }
        scene.clock.advance(by: .seconds(3_660))
        let report = try scene.registry.report(including: [.init("doctor", [.init("boundaries", "all carry")])])
        #expect(report.sections.map(\.title) == ["runtime", "settings", "warnings", "accounts", "events", "doctor"])
        let runtime = rows(report, "runtime")
        #expect(runtime["version"] == IdentityRuntime.version && runtime["mode"] == "multi")
        #expect(runtime["time"] == "2023-11-14T23:14:20.000Z")
        #expect(runtime["process level"] == "unset" && runtime["managed"] == "1")
        #expect(rows(report, "settings")["jitter"] == "0 (MULTI_IDENTITY_JITTER)")
        #expect(rows(report, "settings")["policyRequired"] == "false (default)")
        #expect(rows(report, "settings").count == ManagementSetting.allCases.count)
        #expect(report.sections[2].rows.count == 2)
        let accounts = rows(report, "accounts")
        #expect(
            accounts[ada.name]
                == "enrolled, 1 requests, the last one ended 1 h 1 min ago, the next is due in 6 h 59 min, policy of the source, confirmed 1 h 1 min ago, configuration, own settings: redirectURI"
        )
        #expect(
            accounts[bob.name]
                == "registered, 1 requests, the last one ended 1 h 1 min ago, the next is due in 22 h 59 min"
        )
        #expect(report.sections[4].rows.contains { $0.value == "\(bob): unreachable, no route" })
        #expect("\(report)".contains("doctor:\n  boundaries: all carry"))
    }

    @Test("says how old a policy is, and a failed check does not make it younger", .rule("18.4"))
    func tellsHowOldAPolicyIs() async throws {
        let (scene, ada) = (RegistryScene(), RegistryScene.account())
        try await scene.enroll(ada)
        func age() throws -> String? {
            let row = rows(try scene.registry.report(), "accounts")[ada.name]
            return row?.split(separator: ", ").first { $0.hasPrefix("confirmed ") }.map(String.init)
        }
        scene.service.script.withLock { $0.checking = { _ in throw EnrollmentFailure(.unreachable, "no route") } }
        await scene.pass(hours: 9)
        #expect(try age() == "confirmed 9 h 0 min ago")
        scene.service.script.withLock { $0.checking = { _ in .unchanged } }
        await scene.pass(hours: 9)
        #expect(try age() == "confirmed 0 h 0 min ago")
    }

    @Test("shows no secret and nothing that must be scrubbed, as text and as an archive", .rule("18.2"))
    func showsNoSecret() async throws {
        let (scene, ada) = (try scene(), RegistryScene.account())
        scene.service.script.withLock { [secrets] in
            $0.enrolling = { _ in throw EnrollmentFailure(.failed, "refused \(secrets.joined(separator: ", "))") }
        }
        try await scene.register(ada, until: .failed)
        let report = try scene.registry.report(
            including: [.init("of \(secrets[0])", [.init("license", "of the program"), .init(secrets[1], secrets[2])])]
        )
        let archive = try #require(try JSONSerialization.jsonObject(with: Data(report.json)) as? [String: Any])
        #expect((archive["sections"] as? [[String: Any]])?.count == 6)
        for text in [
            "\(report)", String(decoding: report.json, as: UTF8.self), "\(archive)", String(reflecting: report),
        ] {
            for secret in secrets + ["secret.example", "of the program", "tok", "0123456789", "secret"] {
                #expect(!text.contains(secret), "\(secret)")
            }
            #expect(text.contains("[scrubbed]") && text.contains(ada.name))
        }
    }

    @Test("has one line for each title and row, whatever they contain", .rule("18.4")) func isALineForEach() throws {
        let text = "a\u{1B}[2J\nb"
        let json = ManagementReport([.init(text, [.init(text, text)]), .init(text, [])], Scrubber()).json
        let shown = "a\\u001b[2J\\u000ab"
        #expect("\(try ManagementReport(json: json))" == "\(shown):\n  \(shown): \(shown)\n\(shown):\n  none")
    }

    @Test("never exceeds its maximum length, however many accounts there are", .rule("18.4"))
    func isAsLongAsItMayBe() throws {
        let store = SQLiteAccountStore()
        try store.transaction { (transaction) throws(ManagementError) in
            for number in 0..<50 {
                guard let user = try? Identity("user\(number)\u{1B}".filter { $0 != "\u{1B}" }) else { continue }
                try transaction.put(AccountRecord(user, number < 45 ? .enrolled : .wiping))
                _ = try transaction.add(
                    AccountEvent(user, .failed, "line\nbreak", at: WallInstant(milliseconds: Int64(number)), from: "1")
                )
            }
        }
        let report = try RegistryScene(store: store).registry.report(limit: 5)
        #expect(rows(report, "accounts").count == 11 && rows(report, "accounts")["enrolled"] == "there are more than 5")
        #expect(rows(report, "events").count == 5)
        #expect("\(report)".split(separator: "\n").allSatisfy { !$0.hasPrefix("break") })
    }
}
