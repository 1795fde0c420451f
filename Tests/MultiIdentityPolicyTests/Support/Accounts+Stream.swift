import MultiIdentity
import MultiIdentityPolicy

extension Accounts {
    /// Each change of the allowed accounts from now on, buffered for its reader.
    var allowedAccountsChanges: AsyncStream<(before: Set<Identity>?, now: Set<Identity>?)> {
        AsyncStream { continuation in
            let subscription = onAllowedAccountsChange { continuation.yield(($0, $1)) }
            continuation.onTermination = { _ in subscription.cancel() }
        }
    }
}
