/// The work that waits in a fair queue: a line for each identity, and the order in which the identities are served.
///
/// It is start-time fair queueing. The identity that has used least, at its own price, is next, for one piece. What a piece costs is known
/// and paid when it has run; waiting costs nothing.
///
/// - An identity that comes back has used at least as much as the one that is served now: being idle saves up nothing.
/// - What it has used beyond that stays known until the others have used as much. A tenant without work that owes nothing is
///   forgotten: two are looked at for each piece, so at most as many such tenants stay as there are others.
/// - When nothing waits and nothing runs, all are forgotten.
///
/// It is deterministic, and knows neither threads nor clocks.
struct FairLine: ~Copyable, @unchecked Sendable {
    // `@unchecked Sendable`: its owner accesses it under one lock.

    typealias Tenant = FairTenant.Place
    typealias Piece = UnsafeMutablePointer<FairPiece>

    private var known: [Identity?: Tenant] = [:]
    private(set) var all: [Tenant] = []
    /// The one that was found last: most hops in a row are one identity's.
    private var found: Tenant?
    private var order = FairOrder()
    /// What the tenant that was served last had used.
    private var now: UInt64 = 0
    /// The next tenant to look at for being forgotten.
    private var hand = 0
    private(set) var waiting = 0
    private(set) var running = 0

    init() {}

    // Nothing waits: what would take it retains the line's owner.
    deinit { for tenant in all { Self.free(tenant) } }

    /// Returns the tenant of an identity, if it is known.
    mutating func tenant(of identity: Identity?) -> Tenant? {
        if let found, found.pointee.identity == identity { return found }
        found = known[identity]
        return found
    }

    /// Begins the line of an identity that is not known.
    mutating func begin(_ identity: Identity?, weight: Double) -> Tenant {
        let tenant = Tenant.allocate(capacity: 1)
        tenant.initialize(to: FairTenant(identity, weight: weight, used: now))
        all.append(tenant)
        known[identity] = tenant
        found = tenant
        return tenant
    }

    mutating func add(_ piece: Piece, to tenant: Tenant) {
        waiting += 1
        guard tenant.pointee.add(piece) else { return }
        catchUp(tenant)
        order.insert(tenant)
    }

    /// Begins a piece that need not wait.
    mutating func begin(for tenant: Tenant) {
        catchUp(tenant)
        run(tenant)
    }

    /// Takes the next piece; ``end(of:cost:)`` has to follow.
    mutating func take() -> (piece: Piece, tenant: Tenant)? {
        guard let tenant = order.removeFirst(), let piece = tenant.pointee.take() else { return nil }
        waiting -= 1
        now = max(now, tenant.pointee.used)
        run(tenant)
        if tenant.pointee.first != nil { order.insert(tenant) }
        return (piece, tenant)
    }

    /// Ends a piece of a tenant, which pays for it.
    mutating func end(of tenant: Tenant, cost: UInt64) {
        running -= 1
        tenant.pointee.running -= 1
        tenant.pointee.pay(cost)
        tenant.pointee.isCharged = true
        if waiting + running == 0 { return forgetAll() }
        forgetOne()
        forgetOne()
    }

    /// Being idle saves up nothing.
    private func catchUp(_ tenant: Tenant) { tenant.pointee.used = max(tenant.pointee.used, now) }

    private mutating func run(_ tenant: Tenant) {
        running += 1
        tenant.pointee.running += 1
    }

    private mutating func forgetOne() {
        if all.isEmpty { return }
        if hand >= all.count { hand = 0 }
        let tenant = all[hand]
        guard tenant.pointee.first == nil, tenant.pointee.running == 0, tenant.pointee.used <= now else {
            hand += 1
            return
        }
        known[tenant.pointee.identity] = nil
        if found == tenant { found = nil }
        let last = all.removeLast()
        if last != tenant { all[hand] = last }
        Self.free(tenant)
    }

    private mutating func forgetAll() {
        for tenant in all { Self.free(tenant) }
        // Its memory stays for as many as a quiet queue has.
        known.removeAll(keepingCapacity: all.count <= 64)
        all.removeAll(keepingCapacity: all.count <= 64)
        (found, now, hand) = (nil, 0, 0)
        order.reset()
    }

    private static func free(_ tenant: Tenant) {
        tenant.deinitialize(count: 1)
        tenant.deallocate()
    }
}
