import MultiIdentity
import Synchronization

extension LeaseLedger {
    /// A place for a resource: the resource, and its lessee.
    ///
    /// Data of one lease includes the lease's number, so nothing needs a reset when the lease ends.
    struct Entry {
        var slot: LeaseSlot?
        var lessee: Identity?
        /// The task or thread of the lease; 0 if there is none.
        var holder: UInt = 0
        var place: LeasePlace?
        /// The waiter for which the resource is being opened.
        var waiter: LeaseWaiter?
        /// True while the resource is being opened as a spare, until it is idle, leased or gone.
        ///
        /// Meanwhile it counts as a spare.
        var isFilling = false
        /// True if the resource is not to be leased again.
        var isRetired = false
        var retiresAt: Duration?
        /// When the resource became idle, if anything depends on it.
        var restedAt = Duration.zero
        /// When a lease began, or when a waiting caller first saw it.
        var began = Mark()
        /// When a lease exceeds its maximum duration.
        var deadline = Mark()
        /// When the resource was first seen idle after a lease.
        var idleSince = Mark()
        /// The last lease that was reported as a leak.
        var leaked: UInt32 = 0

        /// A moment in one lease.
        struct Mark {
            var lease: UInt32 = 0
            var moment = Duration.zero
        }

        /// The number of the current lease, or of the next one.
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

    /// Makes a resource idle, without a lessee.
    mutating func rest(_ index: Int, _ now: Duration) {
        filled(index)
        entries[index].end()
        entries[index].restedAt = now
        idle.append(index)
    }

    /// Stops counting a place as one that is being opened as a spare.
    mutating func filled(_ index: Int) {
        guard filling > 0, entries[index].isFilling else { return }
        filling -= 1
        entries[index].isFilling = false
    }

    /// Reserves a free place in which a resource may be opened now; without a request, the resource becomes a spare.
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

    /// Removes a waiter that gets what it waited for.
    mutating func settled(_ waiter: LeaseWaiter) {
        line.remove(waiter)
        let place = waiter.placeInTime.exchange(0, ordering: .relaxed)
        if place != 0 { expiring.remove(at: place) }
    }

    /// Removes a waiter that gave up; a resource that is being opened for it will serve others.
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
