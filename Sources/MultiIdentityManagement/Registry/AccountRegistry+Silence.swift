import MultiIdentity
import MultiIdentityPolicy

// The steps if the service does not confirm a policy of an enrolled account for long: a warning, a block, and only then a wipe.
extension AccountRegistry {
    /// Warns of accounts, and blocks them, if their service has been silent for too long by the store's clock; once for all
    /// processes, because the step is stored.
    func followSilence() {
        // If the store fails, retried at the next poll.
        if (try? noteSilence()) == true { notifyEvents() }
    }

    /// Stores the steps that accounts have reached, and returns whether there were any.
    private func noteSilence() throws(ManagementError) -> Bool {
        var isAny = false
        while try reading({ transaction in try !isSilent(limit: 1, transaction).isEmpty }) {
            isAny = true
            try changing { transaction in
                for (record, next) in try isSilent(limit: Self.silentAtOnce, transaction) {
                    var record = record
                    record.silence = next
                    try transaction.put(record)
                    let text = "the service has not confirmed a policy for \(try days(of: record, transaction)) days"
                    try note(record.identity, next == .blocked ? .blocked : .serviceUnreachable, text, in: transaction)
                }
            }
        }
        return isAny
    }

    private static var silentAtOnce: Int { 1_000 }

    /// Returns the accounts that have reached a next step, with that step.
    private func isSilent(
        limit: Int,
        _ transaction: any AccountTransaction
    ) throws -> [(AccountRecord, AccountRecord.Silence)] {
        let (now, block) = (try transaction.time().now, configuration.offlineBlock)
        var steps = [(from: AccountRecord.Silence.warned, to: AccountRecord.Silence.blocked, after: block)]
        if let warn = configuration.offlineWarn, warn <= block ?? warn {
            steps.append((.heard, .warned, warn))
        } else {
            steps.append((.heard, .blocked, block))
        }
        var found: [(AccountRecord, AccountRecord.Silence)] = []
        for step in steps {
            guard let time = step.after, found.count < limit else { continue }
            let since = now.advanced(by: .zero - time)
            for record in try transaction.silent(step.from, since: since, limit: limit - found.count) {
                found.append((record, step.to))
            }
        }
        return found
    }

    private func days(of record: AccountRecord, _ transaction: any AccountTransaction) throws -> Int64 {
        guard let heard = record.policyConfirmed else { return 0 }
        return heard.now.duration(to: try transaction.time().now).components.seconds / 86_400
    }

    /// Blocks accounts in this process before they are enrolled here, including those whose step no process has stored yet.
    func adoptBlocked() throws(ManagementError) {
        _ = try noteSilence()
        let blocked = try reading { transaction in
            try AccountRecord.Silence.allCases.filter(\.isBlocked).flatMap { step in
                try transaction.silent(step, since: WallInstant(milliseconds: .max), limit: .max)
            }
        }
        accounts.setBlocked(Set(blocked.map(\.identity)))
    }

    /// Blocks or unblocks an account in this process, as the store had it when its event was read.
    func adoptBlock(after event: AccountEvent) {
        let isEnrolled = event.record?.stage == .enrolled
        accounts.setBlocked(event.identity, isEnrolled && event.record?.silence.isBlocked == true)
    }

    /// Records a failed check of a blocked account, and returns whether to wipe it: only after the second failure, and if
    /// enough time has certainly passed.
    func isWipedForSilence(_ record: inout AccountRecord, _ transaction: any AccountTransaction) throws -> Bool {
        guard let limit = configuration.offlineWipe, record.silence.isBlocked else { return false }
        if record.silence == .blocked {
            record.silence = .last
            return false
        }
        guard let heard = record.policyConfirmed else { return false }
        return try transaction.time().elapsed - heard.elapsed >= limit
    }
}
