import CMultiIdentity

/// All that is bound in a task or on a thread, as Swift's runtime lists it; valid as long as that code waits or runs.
struct BoundList: @unchecked Sendable {
    // `@unchecked Sendable`: another thread reads it only while the code whose list it is waits for that thread.

    /// The innermost binding; `nil` if there is none.
    let innermost: UnsafePointer<mi_bound_item>?

    /// The list of the code that runs here; it must be known (``BoundListTrial``).
    static var here: BoundList { BoundList(innermost: mi_bound_innermost()) }

    /// The list of the code that runs here, if a capture would do nothing but copy companions that another thread can copy.
    @inline(__always)
    static var ofCompanionsAlone: BoundList? {
        guard BindingFeatures.inUse.intersection(.beyondPlain) == .companions, let all = mi_companions_current(),
            all.pointee.are_in_list, !mi_thread_current().pointee.in_companions_closure
        else { return nil }
        return here
    }
}

extension IdentitySnapshot {
    /// Returns this with the companions of the waiting thread on which it is bound.
    func withCompanions(in list: BoundList) -> IdentitySnapshot {
        guard let now = CompanionLocals.knowingAll(in: list, of: self) else { return self }
        var contents = contents ?? BindingFrameContents(identity: identity)
        // Meanwhile some may have been named that only their own thread can copy: they are not carried.
        var companions: CompanionLocals? = .of(now)
        while let some = companions, !some.table.pointee.are_in_list { companions = some.former }
        contents.companions = companions.flatMap { .captured(of: $0, in: list) }
        return contents.snapshot
    }
}
