public import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Returns the last configuration of an account from its service; it is empty if there is none, or the account is
    /// not enrolled.
    ///
    /// When it changes, each process gets an event with the status ``AccountEventStatus/configurationReplaced``.
    ///
    /// - Parameter identity: The account, under any of its names; `nil` returns an empty configuration.
    /// - Returns: The configuration.
    /// - Complexity: O(1), from memory.
    public func configuration(of identity: Identity?) -> AppConfiguration {
        identity.map(identity(named:)).flatMap(state.configuration) ?? AppConfiguration()
    }

    /// Returns the request with the service's configuration for the account; if that cannot be read, an event reports it.
    func configured(_ request: AccountRecord, _ credential: AccountCredential) async -> AccountRecord {
        var configured = request
        do {
            let text = try await part(of: request) { [service] in try await service.configuration(credential) }
            do { if let text { _ = try AppConfiguration(json: text.utf8) } } catch {
                throw EnrollmentFailure(.malformedAnswer, error.message)
            }
            configured.configurationText = text
        } catch {
            // If the store fails, the request continues without it, and the next check asks again.
            try? changing { transaction in
                let now = try transaction.account(request.identity)
                guard request.counts(in: now), try another(insteadOf: request, transaction) == nil else { return }
                let text = Self.failure(error).text
                try note(request.identity, .configurationFailed, text, error, in: transaction)
            }
        }
        return configured
    }

    /// Records in a transaction that the service's configuration has changed, if it has.
    func noteConfiguration(
        of record: AccountRecord,
        after before: String?,
        in transaction: any AccountTransaction
    ) throws {
        if record.configurationText == before { return }
        let text =
            record.configurationText == nil ? "there is no configuration any more" : "a new configuration is in force"
        try note(record.identity, .configurationReplaced, text, in: transaction)
    }
}
