import CMultiIdentity

/// The time of one account since accounts were turned on: a row of `IdentityAccounts` of MultiIdentityDiagnostics.
package struct AccountedTime: Sendable {
    /// Who the time was spent for.
    package enum Holder: Hashable, Sendable {
        case identity(Identity), unset, jobs, others, betweenPieces
    }

    package let holder: Holder
    /// The boundary that handed the work over; `nil` for a scope, and for time between pieces.
    package let boundary: IdentityBoundary?
    package let cpu, wall, waited: UInt64
    package let pieces: UInt64

    /// All accounts, and what the process used, in nanoseconds.
    package static func all() -> (records: [AccountedTime], cpu: UInt64, wall: UInt64) {
        var reading = Reading()
        mi_accounts_lock()
        let total = withUnsafeMutablePointer(to: &reading) { reading in
            mi_accounts_read({ $0?.assumingMemoryBound(to: Reading.self).pointee.add($1, $2) }, reading)
        }
        let records = reading.times.map(AccountedTime.init)
        mi_accounts_unlock()
        return (records, total.cpu, total.wall)
    }

    /// Turns accounts on or off; they begin the first time.
    package static var isOn: Bool {
        get { BindingFeatures.inUse.contains(.accounts) }
        set {
            if newValue { mi_accounts_start() }
            BindingFeatures.set(.accounts, to: newValue)
        }
    }

    /// Sums by slot and boundary, since one account is passed on for each thread.
    private struct Reading {
        struct Place: Hashable {
            let slot: Int
            let boundary: Int
        }

        var times: [Place: mi_account_time] = [:]

        mutating func add(_ key: UInt64, _ time: mi_account_time) {
            let slot = key == 0 ? mi_account_between : Int(mi_account_slot(key))
            var sum = times[Place(slot: slot, boundary: Int(key & 0xffff)), default: mi_account_time()]
            sum.cpu += time.cpu
            sum.wall += time.wall
            sum.pieces += time.pieces
            sum.waited += time.waited
            times[Place(slot: slot, boundary: Int(key & 0xffff))] = sum
        }
    }

    /// Call it under the lock of the accounts.
    private init(_ place: Reading.Place, _ time: mi_account_time) {
        holder =
            switch place.slot {
            case mi_account_between: .betweenPieces
            case mi_account_unset: .unset
            case mi_account_nobody: .identity(.nobody)
            case mi_account_jobs: .jobs
            default: AccountHolders.shared[place.slot].map(Holder.identity) ?? .others
            }
        let isHandedOver = place.slot != mi_account_between && place.boundary != mi_account_scope
        boundary = isHandedOver ? IdentityBoundary(index: UInt8(place.boundary)) : nil
        (cpu, wall, pieces, waited) = (time.cpu, time.wall, time.pieces, time.waited)
    }
}
