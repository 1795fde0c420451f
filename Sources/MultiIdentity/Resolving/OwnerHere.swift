/// The owner of the work at one place, as for files, and the binding that showed it.
///
/// The same binding shows the same owner later, unless that was revoked since: a use of what it owns need not look it up again.
package struct OwnerHere: Sendable {
    package let owner: WorkOwner
    /// The binding's frame, if it takes one: kept, as the identity is, so that its word is no other binding's.
    private let frame: BindingFrame?
    private let bits: UInt

    private init(_ owner: WorkOwner, _ frame: BindingFrame?, _ bits: UInt) {
        (self.owner, self.frame, self.bits) = (owner, frame, bits)
    }

    /// An owner that no binding shows.
    package init(of owner: WorkOwner) { self.init(owner, nil, ThreadMirror.nothingToReinstate) }

    /// The owner of the work here: of the thread's identity, else the process's; `nil` where no level is set.
    package static var current: OwnerHere? {
        let here = ThreadMirror.current()
        if here.inference == nil, let identity = here.identity {
            return OwnerHere(here.owner(as: identity), here.frame, ThreadMirror.bits(of: here))
        }
        return EffectiveIdentity.current(for: .files).owner.map(OwnerHere.init(of:))
    }

    /// True if the binding here is the one that showed the owner; where it is false, compare owners.
    @inline(__always)
    package var isSeen: Bool { ThreadMirror.currentBits == bits }
}
