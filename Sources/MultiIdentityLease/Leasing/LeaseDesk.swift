import MultiIdentity
import Synchronization

/// Binds and checks out resources, takes them back, and clears them.
///
/// It has no type parameter, as the ledger has none: only the code that calls the lessee's work is specialized for each type.
@usableFromInline
final class LeaseDesk: Sendable {
    let ledger: LeaseLedger
    let making: ResourceMaking
    let steps: LeaseSteps
    let transactions: LeaseTransactionSteps?
    let settings: LeaseSettings
    let clock: LeaseClock

    init(
        _ ledger: LeaseLedger,
        _ making: ResourceMaking,
        _ steps: LeaseSteps,
        _ transactions: LeaseTransactionSteps?,
        _ settings: LeaseSettings
    ) {
        self.ledger = ledger
        self.making = making
        self.steps = steps
        self.transactions = transactions
        self.settings = settings
        clock = ledger.clock
    }

    /// The end of a lessee's work.
    @usableFromInline
    enum Ending: Sendable { case returned, threw }

    /// Returns the owner for a lease taken here; an owner other than nobody is admitted once, after the lease has begun.
    func lessee() throws -> OwnerHere {
        guard let here = OwnerHere.current else { return try withoutIdentity() }
        if here.owner.identity.isNobody { try IdentityRevocation.admit(workOf: EffectiveIdentity.current(for: .files)) }
        return here
    }

    @inline(never)
    private func withoutIdentity() throws -> OwnerHere {
        try IdentityRevocation.admit(workOf: EffectiveIdentity.current(for: .files))
        if settings.withoutIdentity == .asNobody { return OwnerHere(of: .nobody) }
        throw LeaseError(
            .noIdentity,
            """
            A lease was requested, but no identity is bound here. Bind one with withIdentity(_:) where the work begins, or set \
            `withoutIdentity` to `.asNobody`.
            """
        )
    }

    @inline(__always)
    func turn(of slot: LeaseSlot, for lessee: consuming OwnerHere) -> LeaseTurn {
        let (lease, deadline) = (slot.begin(), settings.maxDuration.map { clock.now() + $0 })
        if let deadline { ledger.limit(slot, lease, until: deadline) }
        return LeaseTurn(slot: slot, lease: lease, taken: lessee, deadline: deadline, desk: self)
    }

    /// Closes a resource that must not come back, and reports it.
    @inline(never)
    func close(_ turn: LeaseTurn, _ reason: LeaseClosing.Reason) {
        ledger.discard(turn.slot, .lease(reason))
        settings.onClosing?(LeaseClosing(lessee: turn.lessee, reason: reason))
    }

    /// Returns a clean resource.
    func giveBack(_ slot: LeaseSlot) {
        if let giveBack = slot.giveBack {
            giveBack()
            ledger.vacate(slot.index)
        } else {
            ledger.release(slot)
        }
    }

    /// Ends the lease.
    ///
    /// Returns the reason to close its resource, or `nil` if the resource is to be cleared.
    func end(_ turn: LeaseTurn, _ ending: Ending) -> LeaseClosing.Reason? {
        let (standing, isInUse) = turn.slot.end(turn.lease)
        switch standing {
        case .open: break
        case .revoked, .ended: return .revoked
        case .unusable: return .transactionFailed
        case .cut: return .cancelled
        }
        // First, because interrupting an overdue lease counts as a use.
        if let deadline = turn.deadline, clock.now() > deadline { return .exceededMaxDuration }
        if isInUse { return .inUse }
        if Lessee.isCancelled { return .cancelled }
        return ending == .threw && settings.afterError == .closed ? .workThrew : nil
    }

    /// Returns whether a resource that comes back is to be verified.
    func verifies(_ turn: LeaseTurn, _ ending: Ending) -> Bool {
        let slot = turn.slot
        if slot.wasRolledBack.exchange(false, ordering: .relaxed) || ending == .threw { return true }
        switch settings.verification {
        case .always: return true
        case .never: return false
        case .every(let count): return Int(turn.lease / 2 + 1) % max(1, count) == 0
        }
    }

    func lateUse() -> LeaseError {
        let error = LeaseError(
            .ended,
            "A resource was used after its lease had ended. Use it within withLease, and keep no reference to it."
        )
        if settings.trapsOnLateUse { assertionFailure(error.message) }
        return error
    }

    static let requiresAsync = LeaseError(
        .requiresAsync,
        """
        A synchronous lease was requested, but the closures that it needs are asynchronous. Lease with `await`, or give the \
        pool and the binding synchronous closures.
        """
    )
}
