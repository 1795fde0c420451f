import MultiIdentity
import MultiIdentityPolicy

/// Accounts that a test can change at any time: names that begin with "managed" are managed, and none is refused.
///
/// They have their own levels, unless a test passes others.
final class FakeAccounts: SwitchableAccounts, Sendable {
    private struct State {
        var managed: Set<Identity> = []
        var refused: [Identity: String] = [:]
        var asked: @Sendable (Identity) -> Void = { _ in }
    }

    let levels: IdentityLevels
    private let state = Locked(State())

    init(_ levels: IdentityLevels = IdentityLevels()) { self.levels = levels }

    func isManaged(_ identity: Identity) -> Bool {
        identity.name.hasPrefix("managed") || state.withLock { $0.managed.contains(identity) }
    }

    func switchRefusal(of identity: Identity) -> String? {
        let (refusal, asked) = state.withLock { ($0.refused[identity], $0.asked) }
        asked(identity)
        return refusal
    }

    /// Sets a function to call with each question whether an identity is refused.
    func whenAsked(_ asked: @escaping @Sendable (Identity) -> Void) { state.withLock { $0.asked = asked } }

    func manage(_ identity: Identity) { state.withLock { _ = $0.managed.insert(identity) } }

    func refuse(_ identity: Identity, _ reason: String) { state.withLock { $0.refused[identity] = reason } }
}
