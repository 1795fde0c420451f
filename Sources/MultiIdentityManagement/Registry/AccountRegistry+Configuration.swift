public import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// The configuration of an account, as its service gave it last; an empty one where it has none or is not enrolled.
    ///
    /// An event of ``AccountEventStatus/configurationReplaced`` tells, in each process, that another one is in force.
    ///
    /// - Parameter identity: The account, under any of its names; `nil`, as `Identity.current` can be, for none.
    /// - Returns: The configuration.
    /// - Complexity: O(1); from memory.
    public func configuration(of identity: Identity?) -> AppConfiguration {
        identity.map(identity(named:)).flatMap(state.configuration) ?? AppConfiguration()
    }

    func checkConfiguration(_ text: String) throws(EnrollmentFailure) {
        do throws(AppConfigurationError) { _ = try AppConfiguration(json: text.utf8) } catch {
            throw EnrollmentFailure(.malformedAnswer, error.message)
        }
    }

    /// Writes down that the service gave another configuration than before, if it did, as a part of a transaction.
    func noteConfiguration(
        of record: AccountRecord,
        after before: String?,
        in transaction: any AccountTransaction
    ) throws(AccountStoreError) {
        if record.configurationText == before { return }
        let text =
            record.configurationText == nil ? "there is no configuration any more" : "another configuration is in force"
        try note(record.identity, .configurationReplaced, text, in: transaction)
    }

    /// Writes down that the service gave no configuration that can be read, unless the request lost its lease.
    func noteFailedConfiguration(of record: AccountRecord, _ error: any Error) {
        if state.hasEnded { return }
        do throws(AccountStoreError) {
            try changing { (transaction) throws(AccountStoreError) in
                guard record.counts(in: try transaction.account(record.identity)) else { return }
                try note(record.identity, .configurationFailed, Self.failure(error).text, error, in: transaction)
            }
        } catch {
            // The request goes on without it, and the next check asks again.
        }
    }
}
