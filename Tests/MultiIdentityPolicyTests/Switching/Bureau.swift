import MultiIdentity
import MultiIdentityPolicy

/// Accounts that a test changes as it goes: the names that begin with "managed" are managed, and nobody is refused.
final class Bureau: SwitchableAccounts, Sendable {
    private struct State {
        var managed: Set<Identity> = []
        var refused: [Identity: String] = [:]
    }

    private let state = Locked(State())

    func isManaged(_ identity: Identity) -> Bool {
        identity.name.hasPrefix("managed") || state.withLock { $0.managed.contains(identity) }
    }

    func switchRefusal(of identity: Identity) -> String? { state.withLock { $0.refused[identity] } }

    func manage(_ identity: Identity) { state.withLock { _ = $0.managed.insert(identity) } }

    func refuse(_ identity: Identity, _ reason: String) { state.withLock { $0.refused[identity] = reason } }
}
