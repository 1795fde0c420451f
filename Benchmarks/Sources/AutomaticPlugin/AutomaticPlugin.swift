import Dispatch
import MultiIdentity
import MultiIdentityAutomaticMode

// Automatic mode in a library that a program opens, and its interface to that program: in C, since it knows no Swift.

/// Returns whether automatic mode is active here: 0 for active, 1 for off, 2 for refused.
@_cdecl("plugin_status") public func pluginStatus() -> Int32 {
    switch AutomaticMode.status {
    case .active: 0
    case .off: 1
    case .refused: 2
    }
}

/// Hands plain work over as `name` and returns its identity: 0 for `name`, 1 for none, 2 for another, 3 if it never ran.
@_cdecl("plugin_hand_over") public func pluginHandOver(_ name: UnsafePointer<CChar>) -> Int32 {
    guard let identity = try? Identity(String(cString: name)) else { return 3 }
    let found = Found()
    withIdentity(identity) {
        DispatchQueue.global().async {
            found.identity = .current
            found.isThere.signal()
        }
    }
    guard found.isThere.wait(timeout: .now() + 60) == .success else { return 3 }
    return found.identity == identity ? 0 : found.identity == nil ? 1 : 2
}

/// The identity of a piece of work, once it has run.
private final class Found: @unchecked Sendable {
    // `@unchecked Sendable` is safe: the identity is written before the signal, and read after it.
    let isThere = DispatchSemaphore(value: 0)
    var identity: Identity?
}
