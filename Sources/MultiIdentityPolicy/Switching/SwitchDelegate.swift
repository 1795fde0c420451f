import MultiIdentity

/// Switches when the runtime asks for it: a program's own, which knows what is on its screens.
public protocol SwitchDelegate: AnyObject, Sendable {
    /// Called when a switch is needed, on a thread of its own with nothing bound.
    ///
    /// The delegate puts away what it shows, and answers the request: now or later, from any thread, once. It need not
    /// switch, since that is done once it agrees; where it calls ``IdentitySwitcher/switchUI(to:)`` all the same, that one
    /// counts. Nobody as the identity asks for a switch to unmanaged.
    func switchIsRequired(_ request: SwitchRequest)
}

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
