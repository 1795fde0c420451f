import MultiIdentity
import MultiIdentityPolicy

extension RemotePolicies {
    /// Follows the service until the task is cancelled: waits for changes, retries, and checks the age of the policies.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.follow() }
            group.addTask { await self.watchAge() }
        }
    }

    /// Requests the policies now; they are in force when this returns.
    ///
    /// - Parameter wait: The time that the service may wait for new policies.
    /// - Throws: ``ManagementError``; the earlier policies stay in force, unless only the store failed.
    public func refresh(waiting wait: Duration = .zero) async throws(ManagementError) {
        let (number, tag) = state.withLock { state in
            state.asked += 1
            return (state.asked, state.known?.copy.tag)
        }
        let answer: PolicyAnswer
        do {
            let end = now().advanced(by: wait + options.answerLimit)
            answer = try await TimeLimit.run(endsWithCaller: true) { [sleep] in
                try await sleep(end)
            } operation: { [transport] in
                try await transport.fetch(after: tag, waiting: wait)
            }
        } catch is TimeLimit.Exceeded {
            throw ManagementError(
                .unreachable,
                "The policy service did not answer in time. It will be asked again."
            )
        } catch {
            throw ManagementError(
                .unreachable,
                "The policy service did not answer: an error of type \(type(of: error)). It will be asked again."
            )
        }
        switch answer {
        case .unchanged: try confirm(tag, number)
        case .policies(let text, let tag, let signature): try accept(text, tag, signature, number)
        }
    }

    /// Records that the policies with this tag are still current.
    private func confirm(_ tag: String?, _ number: Int) throws(ManagementError) {
        guard tag != nil else {
            throw ManagementError(
                .malformed,
                "The service answered that nothing has changed, but no tag was sent. Have it answer 200 if no tag is sent."
            )
        }
        guard let known = state.withLock({ $0.known }), known.copy.tag == tag else { return }
        _ = try settle(confirmed(known.copy, known.policies, known.issuedAt), number)
    }

    /// Puts the policies of an answer into force, unless a later request was answered before.
    private func accept(_ text: [UInt8], _ tag: String?, _ field: String?, _ number: Int) throws(ManagementError) {
        let (policies, signature) = try verified(text, field)
        let text = String(decoding: text, as: UTF8.self)
        let copy = PolicyCopy(source: name, text: text, tag: tag, signature: field ?? "", confirmed: now())
        if try settle(confirmed(copy, policies, signature.issuedAt), number) { return }
        throw ManagementError(
            .olderThanInForce,
            "The policies were signed before those in force, or do not say when. Have the service sign the current ones with iat."
        )
    }

    private func confirmed(_ copy: PolicyCopy, _ policies: PolicySet, _ issuedAt: Int64?) -> Known {
        Known(copy: copy, policies: policies, issuedAt: issuedAt, confirmed: now(), heard: .now)
    }

    /// Stores a set and puts it into force; returns `false` if a later set, here or in the store, is in force instead.
    private func settle(_ given: Known, _ number: Int) throws(ManagementError) -> Bool {
        let (isLate, before) = state.withLock { (number <= $0.answered, $0.known) }
        if isLate { return true }
        // An attacker on the network can replay an earlier answer.
        if let before, before.isLater(than: given) { return false }
        var (later, failure) = (Known?.none, ManagementError?.none)
        do { later = try keep(given) } catch { failure = error }
        let known = later ?? given
        let (isChange, event) = state.withLock { state -> (Bool, Event?) in
            if number <= state.answered || state.known?.isLater(than: known) == true { return (false, nil) }
            let isChange = (state.known?.policies ?? PolicySet()) != known.policies
            (state.answered, state.known) = (number, known)
            // Under the lock, so that the later of two answers ends up in force.
            return (isChange, putIntoForce(&state))
        }
        feed.notifyAll()
        if let event { notify(event) }
        if isChange { notify(.replaced) }
        if let failure { throw failure }
        return later == nil
    }

    /// Stores a set, unless another process has stored a later one, which is returned.
    private func keep(_ given: Known) throws(ManagementError) -> Known? {
        var passed = given.copy
        while true {
            let other: (copy: PolicyCopy, moment: WallInstant)?
            do {
                other = try store.transaction { [name] (transaction) throws(ManagementError) in
                    let (found, moment) = (try transaction.policyCopy(of: name), try transaction.time().now)
                    // It is verified outside the transaction, by the program's code, and then checked again.
                    if let found, !found.isSame(as: given.copy), !found.isSame(as: passed) { return (found, moment) }
                    var copy = given.copy
                    copy.confirmed = moment
                    try transaction.put(copy)
                    return nil
                }
            } catch { throw ManagementError(.storeFailed, error.message) }
            guard let other else { return nil }
            if let known = try? verified(other.copy, at: other.moment), known.isLater(than: given) { return known }
            passed = other.copy
        }
    }

    private func follow() async {
        var failures = 0
        while !Task.isCancelled {
            let begun = now()
            var pause = options.minInterval
            do {
                try await refresh(waiting: options.wait)
                failures = 0
            } catch {
                if Task.isCancelled { return }
                notify(.failed(error))
                pause = min(options.initialBackoff * (1 << min(failures, 20)), options.maxBackoff)
                failures += 1
            }
            let next = failures == 0 ? begun.advanced(by: pause) : now().advanced(by: pause)
            if next > now() { try? await sleep(next) }
        }
    }
}

extension RemotePolicies {
    private func watchAge() async {
        guard let limit = options.maximumAge else { return }
        while !Task.isCancelled {
            checkAge()
            let (now, end) = (now(), confirmed?.advanced(by: limit) ?? now())
            // Just after the limit, which itself is not too old; and at intervals, since the clock can be set.
            let look = now.advanced(by: options.maxBackoff)
            try? await sleep(end >= now ? min(end.advanced(by: .milliseconds(1)), look) : look)
        }
    }

    /// Closes the policies, or warns about them, if the service has not confirmed them for too long.
    func checkAge() {
        guard let event = state.withLock({ $0.isTooOld ? nil : putIntoForce(&$0) }) else { return }
        feed.notifyAll()
        notify(event)
    }

    /// Puts the known policies into force, closed if they are too old; returns the event if that has changed.
    private func putIntoForce(_ state: inout State) -> Event? {
        guard let known = state.known else { return nil }
        let (wasTooOld, now) = (state.isTooOld, now())
        // If the clock was ahead at the confirmation, the policies count as confirmed now.
        let confirmed = min(known.confirmed, now)
        state.known?.confirmed = confirmed
        let age = max(confirmed.duration(to: now), ContinuousClock.now - known.heard)
        state.isTooOld = options.maximumAge.map { age > $0 } ?? false
        let isClosed = state.isTooOld && options.closesWhenTooOld
        _ = feed.put(isClosed ? Self.closed(known.policies) : known.policies)
        if state.isTooOld == wasTooOld { return nil }
        return state.isTooOld ? .tooOld(since: confirmed) : .confirmed
    }

    /// A set in which every policy allows nothing; the allowed accounts stay the same, so that it signs no one out.
    private static func closed(_ policies: PolicySet) -> PolicySet {
        var closed = policies
        closed.policies = policies.policies.mapValues { _ in .nothing }
        if policies.standard != nil { closed.standard = .nothing }
        return closed
    }
}
