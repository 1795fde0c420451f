import MultiIdentity
public import MultiIdentityPolicy

extension AccountRegistry {
    /// The events from now on, once and in order, of all processes that share the store; it ends when its reader does.
    public var events: AsyncStream<AccountEvent> {
        AsyncStream { continuation in
            let subscription = onEvent { continuation.yield($0) }
            continuation.onTermination = { _ in subscription.cancel() }
        }
    }

    /// Calls `received` once for each event from now on, in order, under the identity that is bound here.
    ///
    /// - Parameter received: Called until the subscription is cancelled or dropped.
    /// - Returns: What keeps it subscribed.
    public func onEvent(_ received: @escaping @Sendable (AccountEvent) -> Void) -> PolicySubscription {
        state.announcements.subscribe(received)
    }

    /// Writes an event down, as a part of a transaction.
    @discardableResult
    func note(
        _ identity: Identity,
        _ status: AccountEventStatus,
        _ text: String,
        _ error: (any Error)? = nil,
        in transaction: any AccountTransaction
    ) throws(AccountStoreError) -> Int64 {
        let event = AccountEvent(identity, status, shown(text), at: time.now, from: state.origin)
        let number = try transaction.add(event)
        if let error { state.keep(scrubbed(error), ofEvent: number) }
        if telemetry != nil { state.keepDuration(of: identity, until: event.moment, ofEvent: number) }
        return number
    }

    /// The error without what nobody is to read, as far as it is known what stands in it.
    private func scrubbed(_ error: any Error) -> any Error {
        guard let failure = error as? EnrollmentFailure else { return error }
        return EnrollmentFailure(failure.status, shown(failure.text))
    }

    /// A text that may be a service's, as it may be stored and shown: scrubbed, and only then escaped and cut.
    private func shown(_ text: String) -> String {
        EscapedText(prose: scrubber.scrubbed(text), upTo: 1_000).description
    }

    /// Tells all events that came since, and does here what other processes' ones ask for.
    func tellEvents() {
        if state.hasEnded { return }
        do throws(AccountStoreError) {
            // In parts: a process that was stopped for long has many to read.
            while try state.tell(
                upTo: Self.eventsAtOnce,
                { (last) throws(AccountStoreError) in
                    try reading { (transaction) throws(AccountStoreError) in
                        (try transaction.events(after: last, limit: Self.eventsAtOnce), try transaction.lastEvent())
                    }
                }
            ) { state.announcements.tellAll() }
        } catch {
            // They stay in the store, and are announced when the timers look again.
        }
        state.announcements.tellAll()
    }

    private static var eventsAtOnce: Int { 1_000 }

    /// Follows each event, before any other reader; in order, since it is a reader itself.
    func followEvents() -> PolicySubscription {
        withIdentity(nil) {
            state.announcements.subscribe { [weak self] event in
                guard let self, !state.hasEnded else { return }
                if event.origin == state.origin { record(event) } else { follow(event) }
                adoptAliases(after: event)
                state.removals.follow(event)
                if event.status == .removed { settle(event) }
                if event.status == .configurationReplaced { configure(event.identity) }
            }
        }
    }

    /// Records an event of this process: for telemetry, and where somebody audits, but not that all is as before.
    private func record(_ event: AccountEvent) {
        telemetry?.record(event)
        guard let audit = accounts.audit, ![.policyUnchanged, .serviceTold].contains(event.status) else { return }
        audit.record(AuditEvent(.registry, of: event.identity, because: "\(event.status): \(event.text)"))
    }

    /// Does in this process what an event of another one says.
    private func follow(_ event: AccountEvent) {
        let identity = event.identity
        switch event.status {
        case .enrolled, .policyReplaced:
            guard let record = try? account(identity), record.stage == .enrolled,
                options.firstPolicy == .live || accounts.enrolledIdentities.contains(identity)
            else { return }
            putIntoForce([record])
            _ = enrollHere(record)
        case .deregistered: letGoHere(identity)
        case .removed:
            revoke(identity)
            letGoHere(identity)
        default: return
        }
    }
}
