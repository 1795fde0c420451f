import MultiIdentity
import MultiIdentityPolicy

// The life of a request, from its lease to its end. A request counts while its account has its lease, and the stage and life that it
// had then. That is asked in the transaction that writes something down, and by what is written each process has it in force. What a
// request that does not count, or that is refused, may have had the service accept is taken back.
extension AccountRegistry {
    /// Takes the lease of an account's next request, and returns what that is: whether the service may have it enrolled as before it.
    func lease(_ record: inout AccountRecord, _ transaction: any AccountTransaction) throws -> AccountRecord {
        // From a store that may have any number. By chance as well, since the runs begin again with the next registration.
        record.runs &+= 1
        record.lease = "\(state.origin)/\(record.runs)/\(UInt64.random(in: .min ... .max))"
        // A process that dies with the lease lets go of it then.
        record.due = try time.leaseEnd(transaction)
        let leased = record
        // Whoever comes after a process that died asking has to know that the service may have it enrolled.
        if record.stage == .registered { record.wasAsked = true }
        try transaction.put(record)
        return leased
    }

    /// Makes one request for a leased account, and writes down how it ended.
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

    /// Runs a part of a request that counts, for at most the request's limit; where it succeeds after that, `late` is called.
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

    /// The failure of a request to enroll an account while another one is enrolled, where one is managed at a time.
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

    /// What is left to do once a request has ended.
    enum RequestEnd {
        /// Nothing: that is written down, or another process has the request, or the store failed and its lease ends by itself.
        case over
        /// The service is to be notified that it is not to have the account enrolled, in the same lease if the account has it.
        case unwanted
        /// The account is to leave, since its service has been silent for too long.
        case silent
    }

    /// Ends a request that failed.
    func fail(_ request: AccountRecord, _ error: any Error, isAccepted: Bool = false) -> RequestEnd {
        let failure = Self.failure(error)
        return finish(request, failure.status, failure.text, error, isAccepted: isAccepted)
    }

    /// Ends a request that changed nothing of its account: its event is written down if it counts.
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
                // Until it has left by that; if the process dies before, it is asked once more.
                (end, now.due) = (.silent, try time.leaseEnd(transaction))
            }
            if now.stage == .registered { now.wasAsked = request.wasAsked }
            // What is taken back keeps the lease for that; if the process dies before, who asks next takes it back.
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

    /// Ends a lease by which nothing is left to do for an account that left; returns the request of one that has signed in again.
    func release(_ now: AccountRecord, _ transaction: any AccountTransaction) throws -> AccountRecord? {
        var now = now
        if now.stage == .registered { return try lease(&now, transaction) }
        if now.stage == .leaving { try transaction.remove(now.identity) }
        return nil
    }

    /// Notifies the service that it is not to have an account enrolled which a request has had it accept, or may have.
    ///
    /// In the request's lease if the account has it, otherwise in another one, once it is free: who wipes it, asks for it or notifies the
    /// service of an earlier request comes first.
    func takeBack(_ request: AccountRecord, _ credential: AccountCredential?) async {
        enum Turn { case comes(AccountRecord, due: WallInstant?), isLater, isOver }
        while !state.hasEnded {
            let turn = try? changing { transaction -> Turn in
                var now = try transaction.account(request.identity) ?? AccountRecord(request.identity, .leaving)
                if now.lease == request.lease { return .comes(request, due: now.due == request.due ? nil : now.due) }
                // A request that came later decides.
                if now.stage == .enrolled { return .isOver }
                if now.lease != nil { return .isLater }
                let due = now.due
                now.wasAsked = true
                let work = try lease(&now, transaction)
                // One that is still registered is asked for when it was due, and not earlier.
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
