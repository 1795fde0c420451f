import MultiIdentity

/// A delegate that is not kept alive: it usually keeps the switcher.
final class WeakDelegate: Sendable {
    private struct State {
        weak var delegate: (any SwitchDelegate)?
    }

    private let state = Locked(State())

    var delegate: (any SwitchDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }
}
