import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Returns a credential that the provider found for an account, under the account's own name.
    func credential(of identity: Identity, _ found: AccountCredential?) throws -> AccountCredential {
        guard let found else { throw EnrollmentFailure(.credentialMissing, "the provider has no credential") }
        guard try resolve(found.identity) == identity else {
            throw EnrollmentFailure(.wrongAccount, "the provider gave a credential of \(found.identity)")
        }
        return named(identity, found)
    }

    /// Returns a credential under the account's own name, with its settings.
    func named(_ identity: Identity, _ found: AccountCredential) -> AccountCredential {
        var credential = AccountCredential(identity, token: found.token)
        credential.settings = found.settings
        return credential
    }

    // `settings`: those of an account that is no longer in the store.
    /// Asks the provider with the settings of the account, or with the program's for the user that the provider knows.
    func askProvider(
        for identity: Identity?,
        prompting: Bool,
        settings given: AccountSettings? = nil
    ) async throws -> AccountCredential? {
        let asked = try given ?? identity.map { try self.settings(of: $0) } ?? AccountSettings(configuration)
        let found = try await credentials.credential(for: identity, prompting: prompting, settings: asked)
        guard var found else { return nil }
        // Another account or name than the requested one may have its own settings.
        found.settings = found.identity == identity ? asked : try given ?? self.settings(of: found.identity)
        return found
    }

    /// Returns a credential of an account, or of the user that the provider knows; with a prompt if there is none.
    func anyCredential(of identity: Identity?) async throws(ManagementError) -> AccountCredential? {
        do {
            if let found = try await limited({ try await self.askProvider(for: identity, prompting: false) }) {
                return found
            }
            // Without a time limit, because a user is asked; with no identity bound, rather than the caller's.
            let prompt = Task.detached(executorPreference: executor) { [self] in
                try await askProvider(for: identity, prompting: true)
            }
            return try await withTaskCancellationHandler {
                try await prompt.value
            } onCancel: {
                prompt.cancel()
            }
        } catch {
            throw ManagementError(
                .noCredential,
                "The provider failed to give a credential: \(Self.failure(error).text). Log in again."
            )
        }
    }

    // Without `inTurn` it waits for no other request, so that hanging requests do not delay the program.
    /// Runs `operation` once there is a place for it, up to the time limit; if it succeeds later, `late` is called.
    func limited<Value: Sendable>(
        inTurn: Bool = true,
        _ operation: @escaping @Sendable () async throws -> Value,
        late: (@Sendable () async -> Void)? = nil
    ) async throws -> Value {
        if inTurn { await places.take() }
        defer { if inTurn { places.give() } }
        do {
            return try await TimeLimit.run(
                on: executor,
                until: { [time, configuration] in try await time.sleep(for: configuration.requestTimeout) },
                operation: operation,
                late: late
            )
        } catch is TimeLimit.Exceeded {
            throw EnrollmentFailure(.timedOut, "there was no answer in time")
        }
    }

    /// Returns the status and text of an error; of an unknown error, only the type.
    static func failure(_ error: any Error) -> EnrollmentFailure {
        switch error {
        case let failure as EnrollmentFailure: failure
        case let error as ManagementError: EnrollmentFailure(.failed, error.message)
        default: EnrollmentFailure(.failed, "an error of type \(type(of: error))")
        }
    }
}
