import MultiIdentity

/// A program's delegate for switches that the runtime requires.
public protocol SwitchDelegate: AnyObject, Sendable {
    /// Called when a switch is required, on its own thread with no identity bound.
    ///
    /// The delegate hides what it shows, and answers the request once, now or later, from any thread. It need not
    /// switch itself, since the runtime does that once the delegate agrees; if it calls
    /// ``IdentitySwitcher/switchUI(to:)``, that switch counts. `Identity.nobody` asks for a switch to unmanaged.
    func switchIsRequired(_ request: SwitchRequest)
}

/// A weak reference to a delegate, which usually keeps the switcher alive.
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
