/// The tenants that have waiting work, in the order of what they have used: a radix heap.
///
/// No tenant in it has used less than ``now``, which only grows. A tenant is in the bucket of the highest bit in which its use
/// differs from `now`. When the first buckets are empty, `now` moves to the least use of the next one, whose tenants all move to
/// lower buckets. So a tenant moves at most once for each bit of its lead, and nothing searches among all of them.
///
/// Uses that differ by less than a ``grain`` are equal: such tenants take turns piece by piece.
struct FairOrder: ~Copyable, @unchecked Sendable {
    // `@unchecked Sendable`: its owner accesses it, and the tenants, under one lock.

    /// 2¹⁶ nanoseconds at weight 1.
    static var grain: UInt64 { 16 }

    private struct Bucket { var first, last: FairTenant.Place? }

    /// The last bucket that a tenant was taken from, in grains.
    private var now: UInt64 = 0
    private var occupied: UInt64 = 0
    private let buckets: UnsafeMutablePointer<Bucket>

    init() {
        buckets = .allocate(capacity: 64)
        buckets.initialize(repeating: Bucket(), count: 64)
    }

    deinit { buckets.deallocate() }

    /// Adds a tenant, behind those that have used as much.
    mutating func insert(_ tenant: FairTenant.Place) {
        tenant.pointee.isCharged = false
        tenant.pointee.next = nil
        let index = bucket(of: tenant)
        if let last = buckets[index].last { last.pointee.next = tenant } else { buckets[index].first = tenant }
        buckets[index].last = tenant
        occupied |= 1 << UInt64(index)
    }

    /// Removes and returns the one that has used least.
    mutating func removeFirst() -> FairTenant.Place? {
        while occupied != 0 {
            let index = occupied.trailingZeroBitCount
            if index > 0 {
                refine(index)
            } else if let first = pop() {
                if !first.pointee.isCharged { return first }
                insert(first)
            }
        }
        return nil
    }

    /// Begins again at 0; it must be empty.
    mutating func reset() { now = 0 }

    private func bucket(of tenant: FairTenant.Place) -> Int {
        64 - (max(tenant.pointee.used >> Self.grain, now) ^ now).leadingZeroBitCount
    }

    private mutating func pop() -> FairTenant.Place? {
        guard let first = buckets[0].first else { return nil }
        let next = first.pointee.next
        buckets[0].first = next
        if next == nil {
            buckets[0].last = nil
            occupied &= ~1
        }
        return first
    }

    /// Moves all tenants of a bucket: those that have paid since, to where they belong, and the others to lower buckets.
    private mutating func refine(_ index: Int) {
        var rest = buckets[index].first
        buckets[index] = Bucket()
        occupied &= ~(1 << UInt64(index))
        var kept = Bucket()
        var least = UInt64.max
        while let tenant = rest {
            rest = tenant.pointee.next
            if tenant.pointee.isCharged, bucket(of: tenant) != index {
                insert(tenant)
                continue
            }
            least = min(least, tenant.pointee.used >> Self.grain)
            tenant.pointee.next = nil
            if let last = kept.last { last.pointee.next = tenant } else { kept.first = tenant }
            kept.last = tenant
        }
        if kept.first != nil { now = least }
        while let tenant = kept.first {
            kept.first = tenant.pointee.next
            insert(tenant)
        }
    }
}
