import MultiIdentity

/// Values by owner, with an index of the identities whose revocation ends them.
///
/// The time to find what a revocation ends does not depend on the number of other owners.
struct OwnedTable<Value: Sendable>: Sendable {
    private(set) var values: [WorkOwner: Value] = [:]
    private var owners: [Identity: Set<WorkOwner>] = [:]

    /// Returns the owners that are an identity, or that it acts for.
    func owners(involving identity: Identity) -> Set<WorkOwner> { owners[identity] ?? [] }

    /// Changes the value of an owner; the value is `nil` if there is none.
    mutating func change<Result>(_ owner: WorkOwner, _ body: (inout Value?) throws -> Result) rethrows -> Result {
        let count = values.count
        defer { if values.count != count { index(owner, isThere: values.count > count) } }
        return try body(&values[owner])
    }

    /// Removes the owners that are an identity, or that it acts for, and that meet a condition.
    mutating func remove(involving identity: Identity, where isOut: (WorkOwner) -> Bool) -> [WorkOwner: Value] {
        var removed: [WorkOwner: Value] = [:]
        for owner in owners(involving: identity) where isOut(owner) {
            change(owner) { value in (removed[owner], value) = (value, nil) }
        }
        return removed
    }

    private mutating func index(_ owner: WorkOwner, isThere: Bool) {
        for name in [owner.identity] + (owner.identity.actor?.identities ?? []) {
            if isThere { owners[name, default: []].insert(owner) } else { owners[name]?.remove(owner) }
            if owners[name]?.isEmpty == true { owners[name] = nil }
        }
    }
}

extension WorkOwner {
    /// The error for new work of this owner; `nil` until the owner is revoked.
    var refusal: IdentityError? {
        do { try admit() } catch { return error }
        return nil
    }
}
