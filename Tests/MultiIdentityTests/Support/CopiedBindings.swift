import CMultiIdentity

@testable import MultiIdentity

/// A copy of what is bound at one place, bound at another by somebody who knows nothing of this package.
///
/// Swift's coming `TaskLocalContext` does that with every task-local that is visible, private ones included, by entries of
/// the runtime that 6.3 lacks; those come down to the ones that are called here.
struct CopiedBindings: Sendable {
    private let copied: IdentitySnapshot?

    /// True if anything of ours was bound there.
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

    /// Has this process take its runtime for one that has such entries, before anything is bound.
    static func areExpected() { mi_frame_features_insert(UInt32(MI_BINDINGS_ARE_COPIED)) }
}
