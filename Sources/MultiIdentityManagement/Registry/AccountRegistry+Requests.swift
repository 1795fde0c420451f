import MultiIdentity
import MultiIdentityPolicy

// The life of a request, from its lease to its end. A request counts while its account has the lease, the stage and the life of the
// request. The transaction that stores the outcome checks that, and every process adopts what is stored. If a request does not
// count or is refused, an enrolment that the service may have accepted is undone.
extension AccountRegistry {
    /// Takes the lease of an account's next request, and returns the request, with `wasAsked` as before it.
    func lease(_ record: inout AccountRecord, _ transaction: any AccountTransaction) throws -> AccountRecord {
        // Wraps, since a store may have any number. Random too, because the runs restart with each registration.
        record.runs &+= 1
        record.lease = "\(state.origin)/\(record.runs)/\(UInt64.random(in: .min ... .max))"
        // If the process dies, the lease expires then.
        record.due = try time.leaseEnd(transaction)
        let leased = record
        // If the process dies during the request, the next one must know that the service may have enrolled the account.
        if record.stage == .registered { record.wasAsked = true }
        try transaction.put(record)
        return leased
    }

    /// Makes one request for a leased account, and stores the outcome.
    package func request(_ request: AccountRecord, with credential: AccountCredential?) async {
        if request.isRegistered { state.times(request.identity, since: time.now) }
        defer { state.times(request.identity, since: nil) }
        switch request.stage {
        case .registered: await enroll(request, credential)
        case .enrolled: await check(request)
        case .wiping, .leaving: await finishDeparture(request)
        }
    }

    func requestInBackground(_ request: AccountRecord, with credential: AccountCredential? = nil) {
        Task.detached(executorPreference: executor) { [self] in await self.request(request, with: credential) }
    }

    /// Runs a part of a request, if that counts, up to the time limit; if the part succeeds later, `late` is called.
    func part<Value: Sendable>(
        of request: AccountRecord,
        _ operation: @escaping @Sendable () async throws -> Value,
        late: (@Sendable () async -> Void)? = nil
    ) async throws -> Value {
        try await limited(
            { [self] in
                let failure = try reading { transaction in
                    request.counts(in: try transaction.account(request.identity))
                        ? try another(insteadOf: request, transaction) : Self.hasLeftMeanwhile
                }
                if let failure { throw failure }
                return try await operation()
            },
            late: late
        )
    }

    static let hasLeftMeanwhile = EnrollmentFailure(.failed, "the account has left in the meantime")

    /// Returns the failure of enrolling an account if another one is enrolled and only one can be managed at a time.
    func another(
        insteadOf record: AccountRecord,
        _ transaction: any AccountTransaction
    ) throws -> EnrollmentFailure? {
        guard accounts.mode.managesOne, record.stage == .registered,
            let other = try transaction.accounts(.enrolled).first
        else { return nil }
        let text = "\(other.identity) is enrolled, and only one user can be managed at a time"
        return EnrollmentFailure(.anotherIsEnrolled, text)
    }

    /// The remaining work after a request.
    enum RequestEnd {
        /// Nothing: the outcome is stored, another process has the request, or the store failed and the lease will expire.
        case over
        /// The service must be notified that the account is not enrolled, in the same lease if the account still has it.
        case unwanted
        /// The account must leave, because its service has been silent for too long.
        case silent
    }

    /// Ends a request that failed.
    func fail(_ request: AccountRecord, _ error: any Error, isAccepted: Bool = false) -> RequestEnd {
        let failure = Self.failure(error)
        return finish(request, failure.status, failure.text, error, isAccepted: isAccepted)
    }

    /// Ends a request that did not change its account; stores its event if the request counts.
    @discardableResult
    func finish(
        _ request: AccountRecord,
        _ status: AccountEventStatus,
        _ text: String,
        _ error: (any Error)? = nil,
        isAccepted: Bool = false
    ) -> RequestEnd {
        defer { notifyEvents() }
        let ended = try? changing { transaction -> (RequestEnd, next: AccountRecord?) in
            guard var now = try transaction.account(request.identity), now.lease == request.lease else {
                return (isAccepted ? .unwanted : .over, nil)
            }
            guard request.counts(in: now) else {
                return request.wasAsked ? (.unwanted, nil) : (.over, try release(now, transaction))
            }
            now.lastRun = try transaction.time().now
            let waits = try another(insteadOf: now, transaction) != nil
            var end = isAccepted || waits && request.wasAsked ? RequestEnd.unwanted : .over
            if status == .policyUnchanged {
                (now.policyConfirmed, now.silence) = (try transaction.time(), .heard)
            } else if now.stage == .enrolled, try isWipedForSilence(&now, transaction) {
                // The departure follows; if the process dies before, the check is repeated.
                (end, now.due) = (.silent, try time.leaseEnd(transaction))
            }
            if now.stage == .registered { now.wasAsked = request.wasAsked }
            // An enrolment to undo keeps the lease for that; if the process dies before, the next request undoes it.
            if end != .silent, !waits { now.due = try time.next(of: now, transaction) }
            if end == .over { (now.lease, now.due) = (nil, waits ? nil : now.due) }
            let before = now.configurationText
            now.configurationText = request.configurationText
            try transaction.put(now)
            try note(now.identity, status, text, error, ending: AccountRequest(of: request), in: transaction)
            try noteConfiguration(of: now, after: before, in: transaction)
            return (end, nil)
        }
        if let next = ended?.next { requestInBackground(next) }
        return ended?.0 ?? .over
    }

    /// Ends the lease of an account that left, if no work remains; returns the request of one that is registered again.
    func release(_ now: AccountRecord, _ transaction: any AccountTransaction) throws -> AccountRecord? {
        var now = now
        if now.stage == .registered { return try lease(&now, transaction) }
        if now.stage == .leaving { try transaction.remove(now.identity) }
        return nil
    }

    /// Undoes an enrolment that the service has accepted, or may have, by notifying it.
    ///
    /// This uses the request's lease if the account still has it. Otherwise it waits for another one: a wipe, a request or an earlier
    /// notification comes first.
    func takeBack(_ request: AccountRecord, _ credential: AccountCredential?) async {
        enum Turn { case comes(AccountRecord, due: WallInstant?), isLater, isOver }
        while !state.hasEnded {
            let turn = try? changing { transaction -> Turn in
                var now = try transaction.account(request.identity) ?? AccountRecord(request.identity, .leaving)
                if now.lease == request.lease { return .comes(request, due: now.due == request.due ? nil : now.due) }
                // A later request decides.
                if now.stage == .enrolled { return .isOver }
                if now.lease != nil { return .isLater }
                let due = now.due
                now.wasAsked = true
                let work = try lease(&now, transaction)
                // The enrolment of an account that is still registered stays due at the same time.
                if now.stage == .registered, let due {
                    now.due = due
                    try transaction.put(now)
                }
                return .comes(work, due: due)
            }
            switch turn {
            case .comes(let work, let due): return await notify(work, credential, due: due)
            case .isOver: return
            case .isLater, nil: break
            }
            do { try await time.sleep(for: configuration.pollInterval) } catch { return }
        }
    }
}
