import MultiIdentity
public import MultiIdentityPolicy

extension AccountRegistry {
    /// A stream of the events from now on, of all processes that share the store, each once and in order.
    public var events: AsyncStream<AccountEvent> {
        AsyncStream { continuation in
            let subscription = onEvent { continuation.yield($0) }
            continuation.onTermination = { _ in subscription.cancel() }
        }
    }

    /// Calls `received` once for each event from now on, in order, under the identity bound here.
    ///
    /// - Parameter received: Called until the subscription is cancelled or dropped.
    /// - Returns: The subscription; keep it.
    public func onEvent(_ received: @escaping @Sendable (AccountEvent) -> Void) -> Subscription {
        state.announcements.subscribe { event in
            // The program that registers an account knows it.
            if event.work != nil || event.status == .registered { return }
            var event = event
            event.record = nil
            received(event)
        }
    }

    /// Records an event in a transaction.
    @discardableResult
    func note(
        _ identity: Identity,
        _ status: AccountEventStatus,
        _ text: String,
        _ error: (any Error)? = nil,
        ending request: AccountRequest? = nil,
        in transaction: any AccountTransaction
    ) throws -> Int64 {
        let event = AccountEvent(identity, status, shown(text), at: time.now, from: state.origin, ending: request)
        let number = try transaction.add(event)
        if let error { state.keep(scrubbed(error), ofEvent: number) }
        state.keepDuration(of: identity, until: event.moment, ofEvent: number)
        return number
    }

    /// Returns the error without secrets, as far as its content is known.
    private func scrubbed(_ error: any Error) -> any Error {
        guard let failure = error as? EnrollmentFailure else { return error }
        return EnrollmentFailure(failure.status, shown(failure.text))
    }

    /// Returns a text, possibly from a service, that may be stored and shown: scrubbed first, then escaped and cut off.
    private func shown(_ text: String) -> String {
        EscapedText(prose: scrubber.scrubbed(text), upTo: 1_000).description
    }

    /// Delivers all events since the last call, and performs here what other processes' events require.
    func notifyEvents() {
        if state.hasEnded { return }
        // If the store fails, the events stay in it, and are announced at the timers' next poll.
        do {
            // Before the start, events of other processes are not announced.
            if !state.hasBegun { return try reading { _ in } }
            // In parts: a process that was suspended for long has many to read.
            while try state.notify(
                upTo: Self.eventsAtOnce,
                { (position) throws(ManagementError) in
                    try reading { transaction in try position.following(Self.eventsAtOnce, in: transaction) }
                },
                orLoad: { [weak self] in self?.loadAgain(missing: $0) }
            ) { state.announcements.notifyAll() }
        } catch {}
        state.announcements.notifyAll()
    }

    private static var eventsAtOnce: Int { 1_000 }

    /// Acts on each event before any other subscriber, and in order, as a subscriber itself.
    func followEvents() -> Subscription {
        withIdentity(nil) {
            state.announcements.subscribe { [weak self] event in
                if let work = event.work { return work() }
                guard let self, !state.hasEnded else { return }
                let isOwn = event.origin == state.origin
                // This process's own event about missed events is in no store.
                if event.number == 0 { return record(event) }
                // First: the aliases of a revoked account stay refused, but the store no longer has them.
                if event.status.revokes {
                    if !isOwn {
                        revoke(event.identity, leftAt: event.number, event.record)
                    } else if state.removals.isRemoving(event.identity) {
                        // The thread that stored the event may not have revoked it yet.
                        revoke(event.identity)
                    }
                }
                adoptNames(after: event)
                if isOwn { record(event) }
                adopt(event)
                adoptBlock(after: event)
                state.removals.follow(event)
                if event.status.isSettled {
                    settle(event.identity, event.number, isRemoval: event.status.revokes)
                }
            }
        }
    }

    /// Audits an event of this process, unless nothing has changed.
    private func record(_ event: AccountEvent) {
        if event.status == .registered { return }
        guard let audit = accounts.audit, ![.policyUnchanged, .serviceNotified].contains(event.status) else { return }
        audit.record(AuditEvent(.registry, of: event.identity, because: "\(event.status): \(event.text)"))
    }

    /// Waits until this process has acted on all events that it has read.
    func hasFollowed() async { await inTurn {} }

    /// Runs `body` after this process has acted on the events so far, and before the next one.
    func inTurn<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        let done = Promise<Value>()
        state.announcements.add(.inTurn { done.give(body()) })
        state.announcements.notifyAll()
        return await done.wait()
    }

    /// Revokes an account that left; if it is registered and signed in here again, only its earlier work.
    func revoke(_ identity: Identity, leftAt number: Int64, _ record: AccountRecord?) {
        let isBack = (record?.life ?? 0) > number && !IdentityRevocation.isRevokedItself(identity)
        state.removals.around(identity) { revoke(identity) }
        if isBack {
            IdentityRevocation.readmit(identity)
            adoptNames(of: identity)
        }
    }

    /// Reads all accounts again after events were missed.
    private func loadAgain(missing number: Int64) {
        do {
            let position = try reading { transaction in try EventPosition(transaction) }
            let gone = try load(missing: number)
            state.removals.skip(to: position.number, removing: gone.count)
            state.loaded(position)
            let text = "events after \(number) were missed, and all accounts are read again"
            announce(.nobody, .eventsMissed, text)
            for identity in gone {
                announce(identity, .removed, "it has left, and this process missed that")
                settle(identity, position.number, isRemoval: true)
            }
        } catch {
            // Retried at the next poll. Until then this process does not know which accounts have left, and admits no work.
            state.loaded(nil)
            state.isPresent(until: nil)
        }
    }

    private func announce(_ identity: Identity, _ status: AccountEventStatus, _ text: String) {
        state.announcements.add(AccountEvent(identity, status, text, at: time.now, from: state.origin))
    }
}
