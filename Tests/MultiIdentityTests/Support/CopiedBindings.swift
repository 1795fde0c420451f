import CMultiIdentity

@testable import MultiIdentity

/// A copy of all bindings at one place, bound at another by code that does not know this package.
///
/// Swift's coming `TaskLocalContext` does that with every visible task-local, including private ones, through runtime entries
/// that 6.3 lacks; those reduce to the ones that are called here.
struct CopiedBindings: Sendable {
    private let copied: IdentitySnapshot?

    /// True if one of our bindings was bound there.
    var holdsOurs: Bool { copied != nil }

    static var here: CopiedBindings {
        CopiedBindings(copied: mi_bound_get() == nil ? nil : IdentitySnapshot.bound.get())
    }

    func withValues(_ body: () -> Void) {
        guard let copied else { return body() }
        mi_bound_push(copied.retainedBits())
        defer { mi_bound_pop() }
        body()
    }

    /// Makes this process treat its runtime as one with such entries, before anything is bound.
    static func areExpected() { mi_frame_features_insert(UInt32(MI_BINDINGS_ARE_COPIED)) }
}
