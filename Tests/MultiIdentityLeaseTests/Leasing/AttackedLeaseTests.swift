import MultiIdentity
import MultiIdentityLease
import Testing

@Suite("A lease that ends during an operation") struct AttackedLeaseTests {
    static let bindings = [Session.binding, Session.asynchronousBinding]

    enum End: CaseIterable { case revoked, revokedAsItIsLookedAt, tooLate }

    @Test("commits nothing for a revoked lessee, and nothing too late", .rule("14.6", "14.7"), arguments: End.allCases)
    func commitsNothing(_ end: End) throws {
        let (ada, late, asked) = (try newIdentity(), ManualClock(), AskedClock())
        defer { IdentityRevocation.readmit(ada) }
        let clock: any Clock<Duration> = end == .tooLate ? late : asked
        let sessions = Sessions(clock: clock) { $0.maxDuration = .seconds(10) }
        let revoke: @Sendable () -> Void = { IdentityRevocation.revoke(ada, for: .signedOut) }
        let error = #expect(throws: (any Error).self) {
            try withIdentity(ada) {
                try sessions.leases.withLeaseBlocking { lease in
                    try lease.withTransactionBlocking {
                        switch end {
                        case .revoked: revoke()
                        case .revokedAsItIsLookedAt: asked.whenAsked(revoke)
                        case .tooLate: late.advance(by: .seconds(11))
                        }
                    }
                }
            }
        }
        #expect((error as? LeaseError)?.code == (end == .tooLate ? .exceededMaxDuration : nil))
        #expect((error as? IdentityError)?.code == (end == .tooLate ? nil : .revoked))
        #expect(sessions.opened.all[0].steps == ["bind", "begin", "rollback"])
        #expect(sessions.closings.all == [end == .tooLate ? .exceededMaxDuration : .revoked])
    }

    @Test("of a revoked lessee commits nothing, and does not block", .rule("14.7"), arguments: [0, 1])
    func commitsNothingAwaited(_ way: Int) async throws {
        let (sessions, ada) = (Sessions(binding: Self.bindings[way]), try newIdentity())
        defer { IdentityRevocation.readmit(ada) }
        await expect(throws: IdentityError.Code.revoked) {
            try await sessions.lease(as: ada) { lease in
                try await lease.withTransaction { IdentityRevocation.revoke(ada, for: .signedOut) }
            }
        }
        #expect(sessions.opened.all[0].steps == ["bind", "begin", "rollback"])
    }

    @Test("of a lessee who is revoked during a commit waits for the commit", .rule("14.7"), arguments: [0, 1])
    func revokedWhileCommitting(_ way: Int) async throws {
        let (ada, began, goOn) = (try newIdentity(), Gate(), Gate())
        defer { IdentityRevocation.readmit(ada) }
        let transactions = LeaseTransactions<Session> { _, step in
            guard way == 0, case .commit = step else { return }
            began.open()
            await goOn.wait()
        }
        let sessions = Sessions(
            binding: LeaseBinding(bind: { $0.become($1) }, clear: { $0.become(nil) }, transactions: transactions)
        )
        // A plain task, which nothing else counts.
        let committing = withIdentity(ada) {
            Task {
                try await sessions.leases.withLease { lease in
                    let reference = lease.reference
                    if way == 0 { return try await lease.withTransaction {} }
                    try await reference.commit { _ in
                        began.open()
                        await goOn.wait()
                    }
                }
            }
        }
        await began.wait()
        IdentityRevocation.revoke(ada, for: .signedOut)
        #expect(await !IdentityRevocation.drain(ada, timeout: .zero).isDrained)
        goOn.open()
        #expect(await IdentityRevocation.drain(ada, timeout: .seconds(30)).isDrained)
        _ = await committing.result
    }

    @Test("during its binding is never bound for the revoked lessee", .rule("14.7"))
    func revokedWhileBinding() async throws {
        let ada = try newIdentity()
        defer { IdentityRevocation.readmit(ada) }
        let sessions = Sessions(
            binding: LeaseBinding(
                bind: { session, identity in
                    session.become(identity)
                    IdentityRevocation.revoke(ada, for: .signedOut)
                },
                clear: { $0.become(nil) },
                verify: { $0.user }
            )
        )
        await expect(throws: IdentityError.Code.revoked) {
            try await sessions.lease(as: ada) { try $0.use { _ in Issue.record("used by the revoked") } }
        }
        #expect(sessions.closings.all == [.revoked])
        #expect(sessions.opened.all[0].wasInterrupted && sessions.opened.all[0].isClosed)
        #expect(sessions.pool.counts == counts())
    }

    @Test("by a cancelled use in a child task is closed, and can no longer be used", .rule("14.4"))
    func cutShort() async throws {
        let sessions = Sessions()
        try await withIdentity(newIdentity()) {
            let began = Gate()
            try await sessions.leases.withLease { lease in
                let reference = lease.reference
                // As code does that limits the time of a query and then continues.
                let query = Task {
                    try await reference.use { _ in
                        began.open()
                        while !Task.isCancelled { await Task.yield() }
                    }
                }
                await began.wait()
                query.cancel()
                try await query.value
                for use in 0..<2 {
                    expect(throws: LeaseError.Code.unusable) {
                        if use == 0 { try lease.use { _ in } } else { try reference.use { _ in } }
                    }
                }
            }
        }
        #expect(sessions.closings.all == [.cancelled])
        #expect(sessions.opened.all[0].isClosed)
        #expect(sessions.pool.counts == counts())
    }

    @Test("and is still in use keeps its place in the pool until that use ends", .rule("14.4", "14.8"))
    func staysBounded() async throws {
        let (sessions, ada, bob) = (Sessions(1), try newIdentity(), try newIdentity("bob"))
        let (began, goOn) = (Gate(), Gate())
        let user = try await sessions.lease(as: ada) { lease in
            let reference = lease.reference
            let user = Task {
                try await reference.use { session in
                    began.open()
                    await goOn.wait()
                    return session.isClosed
                }
            }
            await began.wait()
            return user
        }
        #expect(sessions.closings.all == [.inUse])
        #expect(sessions.pool.counts == counts(leased: 1))
        // The same task waits: its lease has ended, and it waits for another lease's use.
        let next = withIdentity(bob) { Task { try await sessions.leases.withLease { try $0.use { $0.number } } } }
        await eventually { sessions.pool.counts == counts(leased: 1, waiting: 1) }
        #expect(sessions.opened.all.count == 1)
        goOn.open()
        #expect(try await user.value == false)
        #expect(try await next.value == 1)
        #expect(sessions.opened.all.map(\.isClosed) == [true, false])
        #expect(sessions.pool.counts == counts(idle: 1))
    }

    @Test(
        "by the cancellation of a closure is closed",
        .rule("14.4"),
        arguments: [false, true],
        ["bind", "clear", "verify"]
    )
    func cutClosures(_ isAsynchronous: Bool, _ step: String) async throws {
        let cancels: @Sendable (String) -> Void = { at in if at == step { withUnsafeCurrentTask { $0?.cancel() } } }
        let binding =
            isAsynchronous
            ? LeaseBinding<Session>(
                bind: { (_: Session, _: Identity) async in cancels("bind") },
                clear: { (_: Session) async in cancels("clear") },
                verify: { (_: Session) async -> Identity? in
                    cancels("verify")
                    return nil
                }
            )
            : LeaseBinding<Session>(
                bind: { _, _ in cancels("bind") },
                clear: { _ in cancels("clear") },
                verify: { _ in
                    cancels("verify")
                    return nil
                }
            )
        let (sessions, ada) = (Sessions(binding: binding), try newIdentity())
        let outcome = await Task {
            try await sessions.lease(as: ada) { _ in }
        }.result
        // The result of the work counts.
        #expect((try? outcome.get()) != nil || step == "bind")
        #expect(sessions.closings.all == [.cancelled])
        #expect(sessions.opened.all[0].isClosed)
        #expect(sessions.pool.counts == counts())
    }

    @Test("by cancellation before its binding leaves its resource to others", .rule("14.8"), arguments: [0, 1])
    func cancelledBeforeBinding(_ way: Int) async throws {
        let sessions = Sessions(binding: Self.bindings[way], opening: { _ in withUnsafeCurrentTask { $0?.cancel() } })
        let leases = sessions.leases
        let (ada, bob) = (try newIdentity(), try newIdentity("bob"))
        let cancelled = Task {
            try await withIdentity(ada) { try await leases.withLease { _ in Issue.record("worked") } }
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(sessions.pool.counts == counts(idle: 1))
        let user = try await withIdentity(bob) { try await leases.withLease { try $0.use { $0.user } } }
        #expect(user == bob)
        #expect(sessions.opened.all.map(\.steps) == [["bind", "clear", "verify"]])
    }

    @Test(
        "because its pool shuts down during opening or binding is closed in the end",
        .rule("14.8"),
        arguments: [true, false]
    )
    func shutDownMeanwhile(_ isOpening: Bool) async throws {
        let (leftAtShutDown, made) = (Notes<Int>(), Locked<ResourcePool<Session>?>(nil))
        let shutDown: @Sendable () -> Void = {
            if let pool = made.withLock({ $0 }) { leftAtShutDown.add(pool.shutDown()) }
        }
        let binding = LeaseBinding<Session>(
            bind: { session, identity in
                session.become(identity)
                if !isOpening { shutDown() }
            },
            clear: { $0.become(nil) }
        )
        let sessions = Sessions(binding: binding, opening: { _ in if isOpening { shutDown() } })
        made.withLock { $0 = sessions.pool }
        let ada = try newIdentity()
        let user = try await sessions.lease(as: ada) { try $0.use { $0.user } }
        #expect(user == ada)
        #expect(leftAtShutDown.all == [1])
        #expect(sessions.opened.all.map(\.isClosed) == [true])
        #expect(sessions.pool.counts == counts())
        made.withLock { $0 = nil }
    }
}
