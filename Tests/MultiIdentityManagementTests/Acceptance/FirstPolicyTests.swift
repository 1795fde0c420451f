import MultiIdentity
import MultiIdentityFiles
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

/// The steps that the guide asks a developer to try by hand once policies work: from an account that no policy targets to one that has
/// left.
@Suite("The first policy") struct FirstPolicyTests {
    private let folder: DatabaseFolder
    private let clock = SteppedClock()
    private let service = ScriptedService()
    private let ada = RegistryScene.account()
    private let carol = RegistryScene.account()
    private let bob: Identity

    init() throws {
        folder = try DatabaseFolder()
        bob = try Identity("\(RegistryScene.account().name).home.example")
    }

    private func program() async throws -> TenantProgram {
        try await TenantProgram(in: folder, service: service, clock: clock)
    }

    /// Makes the service manage Ada alone, with a policy and a configuration.
    private func target(sendOut: Bool) {
        let policies = #"{"version": 1, "identities": {"\#(ada.name)": {"sendOut": \#(sendOut)}}}"#
        let dark = #"{"version": 1, "parts": [{"audience": "targeted", "values": {"theme": "dark"}}]}"#
        service.script.withLock { [ada] script in
            script.enrolling = { account in
                guard account == ada else { throw EnrollmentFailure(.notTargeted, "not targeted") }
                return policies
            }
            script.checking = { _ in .replaced(policies) }
            script.configuring = { account in account == ada ? dark : nil }
        }
    }

    private func events(_ status: String, of tenant: Identity, in program: TenantProgram) throws -> Int {
        try program.rows("events", of: tenant).count { $0.contains(status) }
    }

    @Test(
        "is applied in ten steps, from an account that is not targeted to one that has left",
        .guide("the first policy, tried step by step", "a restart for the first policy")
    )
    func isPlayed() async throws {
        let first = try await program()
        try await beforeTheRestart(first)
        first.end()
        try await afterTheRestart(program())
    }

    private func beforeTheRestart(_ program: TenantProgram) async throws {
        // 1. Bob has a private account, which is not registered, and works as before there were policies.
        service.script.withLock { $0.enrolling = { _ in throw EnrollmentFailure(.notTargeted, "not targeted") } }
        try program.request(of: bob) { try program.write("Bob's", to: "notes.txt") }
        #expect(try program.request(of: bob) { try program.send("notes.txt") } == "Bob's")

        // 2. Carol, whom the service does not target, is registered: she works, but may send nothing; no account is enrolled.
        try program.request(of: carol) { try program.write("Carol's", to: "draft.txt") }
        try await eventually { try events("notTargeted", of: carol, in: program) == 1 }
        #expect(throws: PolicyError.self) { try program.request(of: carol) { try program.send("draft.txt") } }
        #expect(program.registry.accounts.enrolledIdentities.isEmpty)

        // 3. The administrator targets Ada with a policy that allows no sending. She is managed after her first request.
        target(sendOut: false)
        try program.request(of: ada) { try program.write("Ada's", to: "plan.txt") }
        try await eventually { try program.rows("accounts", of: ada).contains { $0.contains("enrolled") } }

        // 4. A restart is requested for a first policy, once.
        try await eventually { try events("restartRequested", of: ada, in: program) == 1 }
    }

    private func afterTheRestart(_ program: TenantProgram) async throws {
        // 5. The program starts again: Ada's policy is in force before her first request.
        #expect(throws: PolicyError.self) { try program.request(of: ada) { try program.send("plan.txt") } }

        // 6. Her files belong to her, and Bob continues without limits.
        #expect(try program.request(of: ada) { try program.read("plan.txt") } == "Ada's")
        #expect(throws: ProtectionError.self) { try program.request(of: bob) { try program.read("plan.txt") } }
        #expect(try program.request(of: bob) { try program.send("notes.txt") } == "Bob's")

        // 7. Her configuration is there; Bob, who has none, sees the default.
        #expect(program.theme(of: ada) == "dark" && program.theme(of: bob) == "plain")

        // 8. The administrator allows sending; eight hours later that is in force.
        target(sendOut: true)
        clock.advance(by: .seconds(7 * 3_600))
        await program.registry.runDue()
        #expect(throws: PolicyError.self) { try program.request(of: ada) { try program.send("plan.txt") } }
        clock.advance(by: .seconds(2 * 3_600))
        await program.registry.runDue()
        #expect(try program.request(of: ada) { try program.send("plan.txt") } == "Ada's")
        #expect(try events("policyReplaced", of: ada, in: program) == 1)

        // 9. No second restart was requested.
        #expect(try events("restartRequested", of: ada, in: program) == 1)

        // 10. She signs out: her files and keys are gone, the service is notified, and Bob's files are still there.
        try await program.registry.deregister(ada)
        await eventually { service.calls.last == "unenroll \(ada)" }
        expect(throws: ManagementError.Code.revoked) { try program.request(of: ada) {} }
        #expect(program.files.files(of: .identity(ada)).paths.isEmpty && !folder.has("files/plan.txt"))
        #expect(try !program.keys.hasKeys(of: ada) && program.keys.hasKeys(of: bob))
        #expect(try program.request(of: bob) { try program.read("notes.txt") } == "Bob's")
    }
}
