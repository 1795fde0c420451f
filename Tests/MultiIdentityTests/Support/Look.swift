@testable import MultiIdentity

/// The state at one place in a program: whether mirror and task-local agree there, and on which identity.
struct Look: Sendable, Equatable {
    let agree: Bool
    let identity: Identity?

    init() {
        let (shown, stored) = (ThreadMirror.current(), IdentitySnapshot.bound.get())
        agree =
            unsafeBitCast(shown, to: UInt.self) == unsafeBitCast(stored, to: UInt.self)
            && ThreadMirror.shows(stored)
        identity = stored.identity
    }

    /// Returns whether both stores show `identity`.
    static func shows(_ identity: Identity?, _ look: Look) -> Bool { look.agree && look.identity == identity }
}
