/// A receiver of everything that an auditor asks about; given to ``Accounts``, and heard of by all that works with them.
///
/// ```swift
/// let audit = try AuditFile("/var/log/app/audit.jsonl")
/// let accounts = Accounts(mode: .multi, policies: policies, audit: audit)
/// ```
///
/// Decisions that refuse, enrolments, revocations and policies come from the accounts; switches from their switcher, wipes from an
/// `IdentityWipe`, requests from an `AccountRegistry`.
public protocol AuditSink: Sendable {
    /// Takes an event, once, on the thread where it came about and under the identity that is bound there, after the fact.
    ///
    /// Several threads can call at once. What it asks of the same accounts can lead to another event.
    ///
    /// - Parameter event: The event.
    func record(_ event: AuditEvent)
}
