import MultiIdentity
import Synchronization

extension LeaseLedger {
    /// A place for a resource: what is there, and who leases it.
    ///
    /// What belongs to one lease names its number, so that nothing has to be put back when that ends.
    struct Entry {
        var slot: LeaseSlot?
        var lessee: Identity?
        /// The task or thread that leases; 0 where nobody does.
        var holder: UInt = 0
        var place: LeasePlace?
        /// Who waits until it is opened.
        var waiter: LeaseWaiter?
        /// True while it is opened to be idle, until it is idle, leased or gone: it counts for one of these at any time.
        var isFilling = false
        /// True if it is not leased again.
        var isRetired = false
        var retiresAt: Duration?
        /// When it became idle, where that is checked.
        var restedAt = Duration.zero
        /// When a lease began, or was first seen by a caller that had to wait.
        var began = Mark()
        /// When a lease lasts too long.
        var deadline = Mark()
        /// When it was first seen to be idle, after a lease.
        var idleSince = Mark()
        /// The last lease that was reported to be leaked.
        var leaked: UInt32 = 0

        /// A moment of one lease.
        struct Mark {
            var lease: UInt32 = 0
            var moment = Duration.zero
        }

        /// The number of the lease that is open, or about to be.
        var lease: UInt32 { (slot?.openLease ?? 0) | 1 }

        mutating func begin(_ request: LeaseRequest) -> LeaseSlot? {
            lessee = request.lessee
            holder = request.holder
            place = request.place
            return slot
        }

        mutating func end() {
            lessee = nil
            holder = 0
        }

        func moment(_ mark: Mark) -> Duration? { lessee != nil && mark.lease == lease ? mark.moment : nil }

        func holder(at now: Duration) -> LeaseHolder? {
            guard let lessee, let place, let began = moment(began) else { return nil }
            return LeaseHolder(lessee, for: now - began, place)
        }
    }
}

extension LeaseLedger.State {
    mutating func lease(_ index: Int, to request: LeaseRequest, _ now: Duration) -> LeaseSlot? {
        filled(index)
        let slot = entries[index].begin(request)
        entries[index].began = LeaseLedger.Entry.Mark(lease: entries[index].lease, moment: now)
        return slot
    }

    /// Has a resource be idle, and nobody's.
    mutating func rest(_ index: Int, _ now: Duration) {
        filled(index)
        entries[index].end()
        entries[index].restedAt = now
        idle.append(index)
    }

    /// Counts a place no more as one that is opened to be idle.
    mutating func filled(_ index: Int) {
        guard filling > 0, entries[index].isFilling else { return }
        filling -= 1
        entries[index].isFilling = false
    }

    /// Takes a free place, in which a resource may be opened now; for nobody, to be idle.
    mutating func reserve(for request: LeaseRequest?, _ now: Duration, _ limits: PoolLimits) -> Int? {
        guard !isShutDown, open < limits.maxResources, backoff.admits(now, limits) else { return nil }
        open += 1
        let index = free.popLast() ?? entries.count
        if index == entries.count { entries.append(LeaseLedger.Entry()) } else { entries[index] = LeaseLedger.Entry() }
        if let request {
            _ = lease(index, to: request, now)
        } else {
            entries[index].isFilling = true
            filling += 1
        }
        return index
    }

    /// Grants free places to those in line.
    mutating func grantPlaces(_ now: Duration, _ limits: PoolLimits) -> [LeaseWaiter.WakeUp] {
        var wakeUps: [LeaseWaiter.WakeUp] = []
        while !line.isEmpty, let index = reserve(for: nil, now, limits), let waiter = line.popFirst() {
            settled(waiter)
            _ = lease(index, to: waiter.request, now)
            if let wakeUp = waiter.claim(.success(.place(index))) { wakeUps.append(wakeUp) }
        }
        return wakeUps
    }

    mutating func opened(_ slot: LeaseSlot, _ now: Duration, _ limits: PoolLimits) {
        let index = slot.index
        entries[index].slot = slot
        entries[index].restedAt = now
        entries[index].retiresAt = limits.nextLifetime.map { now + $0 }
        if entries[index].isRetired { slot.retire() }
        if let idle = limits.idleTimeout, nextIdleLook == nil { nextIdleLook = now + idle / 4 }
    }

    mutating func expire(_ waiter: LeaseWaiter) {
        guard let deadline = waiter.deadline else { return }
        let place = expiring.append(waiter) { ($0.deadline ?? deadline) > deadline }
        waiter.placeInTime.store(place, ordering: .relaxed)
    }

    /// Forgets a waiter that gets what it waited for.
    mutating func settled(_ waiter: LeaseWaiter) {
        line.remove(waiter)
        let place = waiter.placeInTime.exchange(0, ordering: .relaxed)
        if place != 0 { expiring.remove(at: place) }
    }

    /// Forgets a waiter that does not; what is opened for it will be for others.
    mutating func gaveUp(_ waiter: LeaseWaiter) {
        settled(waiter)
        drainers.removeAll { $0 === waiter }
        let index = waiter.placeOpened.exchange(-1, ordering: .relaxed)
        if index >= 0, entries[index].waiter === waiter {
            entries[index].waiter = nil
            entries[index].end()
        }
    }
}
