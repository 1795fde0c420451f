import MultiIdentity
import MultiIdentityPolicy

extension RemotePolicies {
    /// Follows the service until the task is cancelled: asks, waits for changes, tries again, and looks at the age.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.follow() }
            group.addTask { await self.watchAge() }
        }
    }

    /// Asks the service now; what it has is in force when this returns.
    ///
    /// - Parameter wait: The time that the service may wait until it has others.
    /// - Throws: ``PolicyServiceError``; what was in force stays so, but where only the store failed.
    public func refresh(waiting wait: Duration = .zero) async throws(PolicyServiceError) {
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
                try await transport.fetch(PolicyRequest(tag: tag, wait: wait))
            }
        } catch is TimeLimit.Exceeded {
            throw PolicyServiceError(
                .unreachable,
                "The service of policies did not answer in time. It is asked again."
            )
        } catch {
            throw PolicyServiceError(
                .unreachable,
                "The service of policies did not answer: an error of type \(type(of: error)). It is asked again."
            )
        }
        switch answer {
        case .unchanged: try confirm(tag, number)
        case .policies(let text, let tag, let signature): try accept(text, tag, signature, number)
        }
    }

    /// Takes note that what was asked about by its tag is the right one still.
    private func confirm(_ tag: String?, _ number: Int) throws(PolicyServiceError) {
        guard tag != nil else {
            throw PolicyServiceError(
                .malformedAnswer,
                "The service says that nothing has changed, and nothing is known. Have it answer 200 where no tag is sent."
            )
        }
        let now = now()
        let copy = state.withLock { state -> PolicyCopy? in
            guard number > state.answered, state.known?.copy.tag == tag else { return nil }
            state.answered = number
            state.known?.copy.confirmed = now
            return state.known?.copy
        }
        guard let copy else { return }
        reopen()
        try keep(copy)
    }

    /// Puts the policies of an answer into force, unless a later question was answered before.
    private func accept(_ text: [UInt8], _ tag: String?, _ field: String?, _ number: Int) throws(PolicyServiceError) {
        let (policies, signature) = try verified(text, field)
        let copy = PolicyCopy(
            source: name,
            text: String(decoding: text, as: UTF8.self),
            tag: tag,
            signature: field ?? "",
            confirmed: now()
        )
        let (isOurs, isOlder, isChange) = state.withLock { [feed] state -> (Bool, Bool, Bool) in
            guard number > state.answered else { return (false, false, false) }
            // Somebody on the way can send what was right once.
            if let before = state.known?.issuedAt, before > signature.issuedAt ?? .min { return (false, true, false) }
            state.answered = number
            state.known = (copy, policies, signature.issuedAt)
            // Inside, so that of two answers the later one is in force at last.
            return (true, false, feed.put(policies))
        }
        if isOlder {
            throw PolicyServiceError(
                .olderThanInForce,
                "The policies were signed before those in force, or do not say when. Have the service sign those of now, with the time (iat)."
            )
        }
        guard isOurs else { return }
        feed.tellAll()
        reopen()
        if isChange { tell(.replaced) }
        try keep(copy)
    }

    private func keep(_ copy: PolicyCopy) throws(PolicyServiceError) {
        do throws(AccountStoreError) {
            try store.transaction { (transaction) throws(AccountStoreError) in try transaction.put(copy) }
        } catch {
            throw PolicyServiceError(.storeFailed, error.message)
        }
    }

    private func follow() async {
        var failures = 0
        while !Task.isCancelled {
            let begun = now()
            var pause = options.leastInterval
            do throws(PolicyServiceError) {
                try await refresh(waiting: options.wait)
                failures = 0
            } catch {
                if Task.isCancelled { return }
                tell(.failed(error))
                pause = min(options.firstPause * (1 << min(failures, 20)), options.longestPause)
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
            let end = confirmed?.advanced(by: limit) ?? now()
            // Just after it, since an age that is the limit is none too much.
            let next = end >= now() ? end.advanced(by: .milliseconds(1)) : now().advanced(by: options.longestPause)
            try? await sleep(next)
        }
    }

    /// Closes the policies, or warns of them, where the service has not confirmed them for too long.
    func checkAge() {
        guard let limit = options.maximumAge else { return }
        let now = now()
        let (since, isNew) = state.withLock { [feed, options] state -> (WallInstant?, Bool) in
            let confirmed = state.known?.copy.confirmed
            let isTooOld = confirmed.map { $0.duration(to: now) > limit } ?? false
            guard isTooOld, !state.isTooOld else { return (confirmed, false) }
            state.isTooOld = true
            if options.whenTooOld == .closed, let known = state.known {
                _ = feed.put(Self.closed(known.policies))
            }
            return (confirmed, true)
        }
        guard isNew else { return }
        feed.tellAll()
        tell(.tooOld(since: since))
    }

    /// Puts the policies into force again that were too old.
    private func reopen() {
        let wasTooOld = state.withLock { [feed] state -> Bool in
            guard state.isTooOld else { return false }
            state.isTooOld = false
            if let known = state.known { _ = feed.put(known.policies) }
            return true
        }
        guard wasTooOld else { return }
        feed.tellAll()
        tell(.confirmed)
    }

    /// A set in which every policy allows nothing; who may be used at all stays as it is, so that nobody is signed out by it.
    private static func closed(_ policies: PolicySet) -> PolicySet {
        var closed = policies
        closed.policies = policies.policies.mapValues { _ in .nothing }
        if policies.standard != nil { closed.standard = .nothing }
        return closed
    }
}
