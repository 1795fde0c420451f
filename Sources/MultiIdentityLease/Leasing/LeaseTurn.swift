import MultiIdentity

/// One lease of one slot, as its handle keeps it.
@usableFromInline
struct LeaseTurn: Sendable {
    @usableFromInline let slot: LeaseSlot
    let lease: UInt32
    let taken: OwnerHere
    let deadline: Duration?
    @usableFromInline let desk: LeaseDesk

    var owner: WorkOwner { taken.owner }
    var lessee: Identity { taken.owner.identity }

    /// Throws unless the lease is open, has time left, and the current identity is the lessee.
    @usableFromInline
    func check() throws {
        let standing = slot.standing(of: lease)
        // A revocation would have marked the lease, so the binding that is seen here is still the lessee's.
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

    /// Ends a use through a reference.
    func leave() {
        if Lessee.isCancelled { slot.cutShort(lease) }
        desk.ledger.leave(slot)
    }

    private func refuseRevoked() throws {
        try IdentityRevocation.admit(lessee)
        // The identity was readmitted meanwhile, but the lease belongs to the life that ended.
        throw LeaseError(.ended, "\(lessee) was revoked during this lease. Take another lease.")
    }

    private func wrongIdentity(_ here: WorkOwner?) -> LeaseError {
        LeaseError(
            .wrongIdentity,
            """
            This lease is for \(owner), but here \(here.map { "\($0) is bound" } ?? "no identity is bound"). \
            Take a lease in the scope of the identity that the work is for.
            """
        )
    }

    static let unusable = LeaseError(
        .unusable,
        "A transaction on this resource could not begin or end, so the resource will be closed. Take another lease."
    )

    static let cut = LeaseError(
        .unusable,
        """
        A use of this resource was cancelled, and its answer may still arrive, so the resource will be closed. Take another \
        lease.
        """
    )

    static func exceededMaxDuration(_ limit: Duration?) -> LeaseError {
        LeaseError(
            .exceededMaxDuration,
            "The lease lasted longer than \(limit ?? .zero). Do less in one lease, or raise `maxDuration`."
        )
    }
}
