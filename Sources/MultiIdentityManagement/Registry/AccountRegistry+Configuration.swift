public import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Returns the configuration that an account's service gave last; an empty one if there is none or the account is
    /// not enrolled.
    ///
    /// When it changes, each process gets an event of ``AccountEventStatus/configurationReplaced``.
    ///
    /// - Parameter identity: The account, under any of its names; `nil`, such as from `Identity.current`, for none.
    /// - Returns: The configuration.
    /// - Complexity: O(1), from memory.
    public func configuration(of identity: Identity?) -> AppConfiguration {
        identity.map(identity(named:)).flatMap(state.configuration) ?? AppConfiguration()
    }

    /// The request with the configuration that the service has for the account; where it has none that can be read, an event says so.
    func configured(_ request: AccountRecord, _ credential: AccountCredential) async -> AccountRecord {
        var configured = request
        do {
            let text = try await part(of: request) { [service] in try await service.configuration(credential) }
            do { if let text { _ = try AppConfiguration(json: text.utf8) } } catch {
                throw EnrollmentFailure(.malformedAnswer, error.message)
            }
            configured.configurationText = text
        } catch {
            // Where the store fails the request goes on without it, and the next check asks again.
            try? changing { transaction in
                let now = try transaction.account(request.identity)
                guard request.counts(in: now), try another(insteadOf: request, transaction) == nil else { return }
                let text = Self.failure(error).text
                try note(request.identity, .configurationFailed, text, error, in: transaction)
            }
        }
        return configured
    }

    /// Writes down that the service gave another configuration than before, if it did, as a part of a transaction.
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
