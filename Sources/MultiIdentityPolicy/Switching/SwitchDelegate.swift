/// Switches when the runtime asks for it: a program's own, which knows what is on its screens.
public protocol SwitchDelegate: AnyObject, Sendable {
    /// Called when a switch is needed, on a thread of its own with nothing bound.
    ///
    /// The delegate puts away what it shows, calls ``IdentitySwitcher/switchUI(to:)`` if it wants to, and answers the
    /// request: now or later, from any thread, once. Nobody as the identity asks for a switch to unmanaged.
    func switchIsRequired(_ request: SwitchRequest)
}
