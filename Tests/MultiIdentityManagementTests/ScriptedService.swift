import MultiIdentity
import MultiIdentityManagement

/// A service and a provider of credentials that answer as a test says.
final class ScriptedService: EnrollmentService, CredentialProvider, Sendable {
    struct Script: Sendable {
        var enrolling: @Sendable (Identity) async throws -> String? = { _ in nil }
        var checking: @Sendable (Identity) async throws -> PolicyCheckAnswer = { _ in .unchanged }
        var configuring: @Sendable (Identity) async throws -> String? = { _ in nil }
        var credential: @Sendable (Identity?, Bool) async throws -> AccountCredential? = { identity, _ in
            identity.map { AccountCredential($0, token: "secret") }
        }
        var calls: [String] = []
        /// The authorities that the provider and the service were given, in order.
        var authorities: [String?] = []
    }

    let script = Locked(Script())

    var calls: [String] { script.withLock { $0.calls } }

    func enroll(_ credential: AccountCredential) async throws -> String? {
        note(credential.settings)
        return try await called("enroll", credential.identity).enrolling(credential.identity)
    }

    func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer {
        note(credential.settings)
        return try await called("check", credential.identity).checking(credential.identity)
    }

    func configuration(_ credential: AccountCredential) async throws -> String? {
        // Not a separate call in the list: it belongs to the one before.
        try await script.withLock { $0 }.configuring(credential.identity)
    }

    func unenroll(_ credential: AccountCredential) async throws {
        note(credential.settings)
        _ = called("unenroll", credential.identity)
    }

    func credential(for identity: Identity?, prompting: Bool, settings: AccountSettings) async throws
        -> AccountCredential?
    {
        note(settings)
        let answer = script.withLock { $0.credential }
        if prompting { script.withLock { $0.calls.append("prompt") } }
        return try await answer(identity, prompting)
    }

    private func note(_ settings: AccountSettings) {
        script.withLock { $0.authorities.append(settings.authority) }
    }

    private func called(_ what: String, _ identity: Identity) -> Script {
        script.withLock { script in
            script.calls.append("\(what) \(identity)")
            return script
        }
    }
}
