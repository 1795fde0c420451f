import Dispatch
import MultiIdentity

extension IdentitySource {
    /// Sets the event handler one way or the other.
    func setEventHandler(_ way: Way, _ handler: @escaping @Sendable () -> Void) {
        switch way {
        case .carried: setEventHandler(handler: handler)
        case .raw: (base as? any DispatchSourceProtocol)?.setEventHandler(handler: handler)
        }
    }
}
