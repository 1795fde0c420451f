import MultiIdentity

/// One lease of one slot: what the handle of it holds.
@usableFromInline
struct LeaseTurn: Sendable {
    @usableFromInline let slot: LeaseSlot
    let lease: UInt32
    let taken: OwnerHere
    let deadline: Duration?
    @usableFromInline let desk: LeaseDesk

    var owner: WorkOwner { taken.owner }
    var lessee: Identity { taken.owner.identity }

    /// Throws unless the lease is open, has time left, and the work here counts as its lessee's.
    @usableFromInline
    func check() throws {
        let standing = slot.standing(of: lease)
        // A revocation marks the lease, and so the binding that it was taken in is its lessee's still.
        if standing == .open, deadline == nil, taken.isSeen { return }
        try check(standing)
    }

    @inline(never)
    func check(_ standing: LeaseSlot.Standing) throws {
        switch standing {
        case .open: break
        case .revoked: try refuseRevoked()
        case .unusable: throw Self.unusable
        case .cut: throw Self.cut
        case .ended: throw desk.lateUse()
        }
        if let deadline, desk.clock.now() > deadline { throw Self.exceededMaxDuration(desk.settings.maxDuration) }
        if taken.isSeen { return }
        let here = OwnerHere.current?.owner
        if here != owner, !(here == nil && lessee.isNobody) { throw wrongIdentity(here) }
    }

    /// Ends a use past the handle.
    func leave() {
        if Lessee.isCancelled { slot.cutShort(lease) }
        desk.ledger.leave(slot)
    }

    private func refuseRevoked() throws {
        try IdentityRevocation.admit(lessee)
        // Readmitted since: the lease belongs to the life that ended.
        throw LeaseError(.ended, "\(lessee) was revoked during this lease. Take another one.")
    }

    private func wrongIdentity(_ here: WorkOwner?) -> LeaseError {
        LeaseError(
            .wrongIdentity,
            """
            This lease is for \(owner), and the work counts as \(here.map { "\($0)'s" } ?? "nobody's, since none is bound") \
            here. Take a lease in the scope of the identity that the work is for.
            """
        )
    }

    static let unusable = LeaseError(
        .unusable,
        "A transaction on this resource could not be begun or ended, and it will be closed. Take another lease."
    )

    static let cut = LeaseError(
        .unusable,
        """
        A use of this resource was cancelled, and what it asked for may be answered to the next caller. Take another lease; \
        the resource will be closed.
        """
    )

    static func exceededMaxDuration(_ limit: Duration?) -> LeaseError {
        LeaseError(
            .exceededMaxDuration,
            "The lease has lasted longer than the \(limit ?? .zero) that it may. Do less in one lease, or raise the limit."
        )
    }
}
