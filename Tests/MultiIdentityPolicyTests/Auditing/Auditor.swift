import MultiIdentity
import MultiIdentityPolicy

/// A sink that keeps its events, with the identity that was bound at the call.
final class Auditor: AuditSink, Sendable {
    private let kept = Locked<[(event: AuditEvent, bound: Identity?)]>([])

    func record(_ event: AuditEvent) {
        let bound = Identity.current
        kept.withLock { $0.append((event, bound)) }
    }

    /// Returns the events since the last call: kind, subject and actor.
    func take() -> [String] {
        kept.withLock { kept in
            defer { kept = [] }
            return kept.map { event, _ in
                "\(event.kind) \(event.identity?.name ?? "-") by \(event.actor?.name ?? "-")"
            }
        }
    }

    var events: [AuditEvent] { kept.withLock { $0.map(\.event) } }
    var bound: [Identity?] { kept.withLock { $0.map(\.bound) } }
}
