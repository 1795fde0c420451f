import Foundation
import MultiIdentity
import MultiIdentityLease
import Testing

@Suite("A lease that is ended while something is under way") struct AttackedLeaseTests {
    static let bindings = [Session.binding, Session.asynchronousBinding]

    @Test("of a lessee who was revoked commits nothing", .rule("14.7"), arguments: [0, 1])
    func commitsNothing(_ way: Int) async throws {
        let sessions = Sessions(binding: Self.bindings[way])
        let ada = try newIdentity()
        defer { IdentityRevocation.readmit(ada) }
        await expect(throws: IdentityError.Code.revoked) {
            try await withIdentity(ada) {
                try await sessions.leases.withLease { lease in
                    try await lease.withTransaction { IdentityRevocation.revoke(ada, for: .signedOut) }
                }
            }
        }
        #expect(sessions.opened.all[0].steps == ["bind", "begin", "rollback"])
        #expect(sessions.closings.all == [.revoked])
    }

    @Test("of a lessee who is revoked after the last look at it commits nothing", .rule("14.7"))
    func revokedBeforeCommit() throws {
        let (ada, clock) = (try newIdentity(), AskedClock())
        defer { IdentityRevocation.readmit(ada) }
        let sessions = Sessions(clock: clock) { $0.maxDuration = .seconds(10) }
        expect(throws: IdentityError.Code.revoked) {
            try withIdentity(ada) {
                try sessions.leases.withLeaseBlocking { lease in
                    try lease.withTransactionBlocking {
                        clock.whenAsked { IdentityRevocation.revoke(ada, for: .signedOut) }
                    }
                }
            }
        }
        #expect(sessions.opened.all[0].steps == ["bind", "begin", "rollback"])
    }

    @Test("of a lessee who is revoked while it commits is waited for", .rule("14.7"), arguments: [0, 1])
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
        #expect(await !IdentityRevocation.drained(ada, within: .zero).isDrained)
        goOn.open()
        #expect(await IdentityRevocation.drained(ada, within: .seconds(30)).isDrained)
        _ = await committing.result
    }

    @Test("that has lasted too long commits nothing", .rule("14.6"))
    func tooLate() throws {
        let clock = ManualClock()
        let sessions = Sessions(clock: clock) { $0.maxDuration = .seconds(10) }
        expect(throws: LeaseError.Code.lastedTooLong) {
            try withIdentity(newIdentity()) {
                try sessions.leases.withLeaseBlocking { lease in
                    try lease.withTransactionBlocking { clock.advance(by: .seconds(11)) }
                }
            }
        }
        #expect(sessions.opened.all[0].steps == ["bind", "begin", "rollback"])
    }

    @Test("while it is bound is never bound for the revoked to use", .rule("14.7"))
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
            try await withIdentity(ada) {
                try await sessions.leases.withLease { try $0.use { _ in Issue.record("used by the revoked") } }
            }
        }
        #expect(sessions.closings.all == [.revoked])
        #expect(sessions.opened.all[0].state.withLock { $0.wasInterrupted && $0.isClosed })
        #expect(sessions.pool.counts == counts())
    }

    @Test(
        "by revocation has what runs interrupted as nobody, whichever identity revokes",
        .rule("14.1"),
        arguments: [0, 1]
    )
    func interruptedAsNobody(_ way: Int) async throws {
        let (ada, admin) = (try newIdentity(), try newIdentity("admin"))
        defer { IdentityRevocation.readmit(ada) }
        let interruptedAs = Notes<Identity?>()
        let interrupt: @Sendable (Session) -> Void = { _ in interruptedAs.add(Identity.current) }
        let source = LeaseSource<Session>(
            acquire: { (_: Identity) throws -> Session in Session(0) },
            release: { _ in },
            destroy: { _ in },
            interrupt: interrupt
        )
        let open: @Sendable () throws -> Session = { Session(0) }
        let pool = LeasePool(1, open: open, close: { _ in }, interrupt: interrupt)
        let leases =
            way == 0
            ? IdentityLease(of: pool, binding: Session.binding)
            : IdentityLease(around: source, binding: Session.binding)
        try await withIdentity(ada) {
            try await leases.withLease { _ in
                _ = withIdentity(admin) { IdentityRevocation.revoke(ada, for: .signedOut) }
            }
        }
        #expect(interruptedAs.all == [.nobody])
    }

    @Test("in a child task by a cancelled use is closed, and of no more use", .rule("14.4"))
    func cutShort() async throws {
        let sessions = Sessions()
        try await withIdentity(newIdentity()) {
            let began = Gate()
            try await sessions.leases.withLease { lease in
                let reference = lease.reference
                // As what gives a query a limit of its own does, and then goes on.
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

    @Test("and is still used keeps its place in the pool until it is closed", .rule("14.8"))
    func staysBounded() async throws {
        let (sessions, ada, bob) = (Sessions(1), try newIdentity(), try newIdentity("bob"))
        let (began, goOn) = (Gate(), Gate())
        let user = try await withIdentity(ada) {
            try await sessions.leases.withLease { lease in
                let reference = lease.reference
                let user = Task {
                    try await reference.use { _ in
                        began.open()
                        await goOn.wait()
                    }
                }
                await began.wait()
                return user
            }
        }
        #expect(sessions.closings.all == [.stillUsed])
        #expect(sessions.pool.counts == counts(leased: 1))
        // The same task waits: its lease has ended, and what it waits for is another's use.
        let next = withIdentity(bob) { Task { try await sessions.leases.withLease { try $0.use { $0.number } } } }
        await eventually { sessions.pool.counts == counts(leased: 1, waiting: 1) }
        #expect(sessions.opened.all.count == 1)
        goOn.open()
        try await user.value
        #expect(try await next.value == 1)
        #expect(sessions.opened.all.map(\.isClosed) == [true, false])
        #expect(sessions.pool.counts == counts(idle: 1))
    }

    @Test(
        "by a synchronous closure that a cancellation cuts short is closed",
        .rule("14.4"),
        arguments: ["bind", "clear"]
    )
    func cutClosures(_ step: String) async throws {
        let task = Locked<Task<Void, any Error>?>(nil)
        let cancels: @Sendable (String) -> Void = { at in if at == step { task.withLock { $0?.cancel() } } }
        let sessions = Sessions(
            binding: LeaseBinding(
                bind: { session, identity in
                    cancels("bind")
                    session.become(identity)
                },
                clear: { session in
                    cancels("clear")
                    session.become(nil)
                },
                verify: { $0.user }
            )
        )
        let ada = try newIdentity()
        let isSet = Gate()
        let leasing = Task {
            await isSet.wait()
            try await withIdentity(ada) { try await sessions.leases.withLease { _ in } }
        }
        task.withLock { $0 = leasing }
        isSet.open()
        if step == "bind" {
            await #expect(throws: CancellationError.self) { try await leasing.value }
        } else {
            try await leasing.value
        }
        #expect(sessions.closings.all == [.cancelled])
        #expect(sessions.opened.all[0].isClosed)
    }

    @Test(
        "by an asynchronous closure that is cancelled is closed",
        .rule("14.4"),
        arguments: ["bind", "clear", "verify"]
    )
    func cutAsynchronousClosures(_ step: String) async throws {
        let cancels: @Sendable (String) async -> Void = { at in
            if at == step { withUnsafeCurrentTask { $0?.cancel() } }
        }
        let binding = LeaseBinding<Session>(
            bind: { (session: Session, identity: Identity) async in await cancels("bind") },
            clear: { (session: Session) async in await cancels("clear") },
            verify: { (session: Session) async -> Identity? in
                await cancels("verify")
                return nil
            }
        )
        let (sessions, ada) = (Sessions(binding: binding), try newIdentity())
        _ = await Task { try await withIdentity(ada) { try await sessions.leases.withLease { _ in } } }.result
        #expect(sessions.closings.all == [.cancelled])
        #expect(sessions.pool.counts == counts())
    }

    @Test("before it is bound, by cancellation, leaves its resource to others", .rule("14.8"), arguments: [0, 1])
    func cancelledBeforeBinding(_ way: Int) async throws {
        let opened = Notes<Session>()
        let pool = LeasePool<Session>(
            1,
            open: { () throws -> Session in
                let session = Session(opened.all.count)
                opened.add(session)
                withUnsafeCurrentTask { $0?.cancel() }
                return session
            },
            close: { $0.close() }
        )
        let leases = IdentityLease(of: pool, binding: Self.bindings[way])
        let (ada, bob) = (try newIdentity(), try newIdentity("bob"))
        let cancelled = Task {
            try await withIdentity(ada) { try await leases.withLease { _ in Issue.record("worked") } }
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(pool.counts == counts(idle: 1))
        let user = try await withIdentity(bob) { try await leases.withLease { try $0.use { $0.user } } }
        #expect(user == bob)
        #expect(opened.all.count == 1)
        #expect(opened.all[0].steps == ["bind", "clear", "verify"])
    }

    @Test("of a pool that is shut down while it is opened or bound, is closed in the end", .rule("14.8"))
    func shutDownMeanwhile() async throws {
        for isOpening in [true, false] {
            let (opened, leftAtShutDown) = (Notes<Session>(), Notes<Int>())
            let made = Locked<LeasePool<Session>?>(nil)
            let shutDown: @Sendable () -> Void = {
                if let pool = made.withLock({ $0 }) { leftAtShutDown.add(pool.shutDown()) }
            }
            let pool = LeasePool<Session>(
                1,
                open: { () throws -> Session in
                    let session = Session(opened.all.count)
                    opened.add(session)
                    if isOpening { shutDown() }
                    return session
                },
                close: { $0.close() }
            )
            made.withLock { $0 = pool }
            let binding = LeaseBinding<Session>(
                bind: { session, identity in
                    session.become(identity)
                    if !isOpening { shutDown() }
                },
                clear: { $0.become(nil) }
            )
            let leases = IdentityLease(of: pool, binding: binding)
            let ada = try newIdentity()
            let user = try await withIdentity(ada) { try await leases.withLease { try $0.use { $0.user } } }
            #expect(user == ada)
            #expect(leftAtShutDown.all == [1])
            #expect(opened.all.map(\.isClosed) == [true])
            #expect(pool.counts == counts())
        }
    }

    @Test("of a thread that waits, by the pool's end, is reported", .rule("14.8"))
    func blockedAtShutDown() async throws {
        let sessions = Sessions(LeasePoolLimits(resources: 1, wait: nil))
        let (ada, bob) = (try newIdentity(), try newIdentity("bob"))
        let codes = Notes<LeaseError.Code?>()
        try await withIdentity(ada) {
            try await sessions.leases.withLease { _ in
                Thread.detachNewThread {
                    let outcome = Result { try withIdentity(bob) { try sessions.leases.withLeaseBlocking { _ in } } }
                    if case .failure(let error) = outcome { codes.add((error as? LeaseError)?.code) }
                }
                await eventually { sessions.pool.counts == counts(leased: 1, waiting: 1) }
                sessions.pool.shutDown()
                await eventually { !codes.all.isEmpty }
            }
        }
        #expect(codes.all == [.shutDown])
        #expect(sessions.opened.all[0].isClosed)
    }
}

/// A clock that calls something when it is next asked.
private final class AskedClock: Clock {
    private let clock = ManualClock()
    private let call = Locked<(@Sendable () -> Void)?>(nil)

    func whenAsked(_ call: @escaping @Sendable () -> Void) { self.call.withLock { $0 = call } }

    var now: ManualClock.Instant {
        let call = call.withLock { call in
            defer { call = nil }
            return call
        }
        call?()
        return clock.now
    }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}
