/// The owner of the work at one place, such as for files, and the binding that showed it.
///
/// The same binding shows the same owner later, unless the owner was revoked since: a later use of the owner's data need not
/// look the owner up again.
package struct OwnerHere: Sendable {
    package let owner: WorkOwner
    /// The binding's frame, if it has one: retained like the identity, so that no other binding gets its word.
    private let frame: BindingFrame?
    private let bits: UInt

    private init(_ owner: WorkOwner, _ frame: BindingFrame?, _ bits: UInt) {
        (self.owner, self.frame, self.bits) = (owner, frame, bits)
    }

    /// Makes an owner that no binding shows.
    package init(of owner: WorkOwner) { self.init(owner, nil, ThreadMirror.nothingToReinstate) }

    /// The owner of the work here: the thread's identity, otherwise the process's; `nil` if no level is set.
    package static var current: OwnerHere? {
        let here = ThreadMirror.current()
        if here.inference == nil, let identity = here.identity {
            here.noteRead()
            return OwnerHere(here.owner(as: identity), here.frame, ThreadMirror.bits(of: here))
        }
        return EffectiveIdentity.current(for: .files).owner.map(OwnerHere.init(of:))
    }

    /// True if the binding here is the one that showed the owner; if it is false, compare owners.
    @inline(__always)
    package var isSeen: Bool { ThreadMirror.currentBits == bits }
}
