import MultiIdentity

@testable import MultiIdentityLease

/// A connection to a server that remembers the identity it was given, as a database's session does.
final class Session: Sendable {
    struct State {
        var user: Identity?
        var userBeforeTransaction: [Identity?] = []
        var isClosed = false
        var interruptedAs: [Identity?] = []
        var steps: [String] = []
        var failing: Set<String> = []
    }

    struct Failure: Error, Equatable { let step: String }

    let number: Int
    let state = Locked(State())

    init(_ number: Int) { self.number = number }

    var user: Identity? { state.withLock { $0.user } }
    var wasInterrupted: Bool { state.withLock { !$0.interruptedAs.isEmpty } }
    var isClosed: Bool { state.withLock { $0.isClosed } }
    var steps: [String] { state.withLock { $0.steps } }

    /// Makes every later step with this name fail halfway.
    func fail(at step: String) { state.withLock { _ = $0.failing.insert(step) } }

    func step(_ name: String, _ change: @Sendable (inout State) -> Void = { _ in }) throws {
        let isFailing = state.withLock { state in
            state.steps.append(name)
            change(&state)
            return state.failing.contains(name)
        }
        if isFailing { throw Failure(step: name) }
    }

    func become(_ identity: Identity?) { state.withLock { $0.user = identity } }
    func close() { state.withLock { $0.isClosed = true } }
    func interrupt() { state.withLock { $0.interruptedAs.append(Identity.current) } }
}

extension Session {
    static var binding: LeaseBinding<Session> {
        LeaseBinding(
            bind: { session, identity in try session.step("bind") { $0.user = identity } },
            clear: { session in try session.step("clear") { $0.user = nil } },
            verify: { session in
                try session.step("verify")
                return session.user
            },
            transactions: LeaseTransactions { session, step in try session.transact(step) }
        )
    }

    static var asynchronousBinding: LeaseBinding<Session> {
        LeaseBinding(
            bind: { session, identity in
                await Task.yield()
                try session.step("bind") { $0.user = identity }
            },
            clear: { session in
                await Task.yield()
                try session.step("clear") { $0.user = nil }
            },
            verify: { session in
                await Task.yield()
                try session.step("verify")
                return session.user
            },
            transactions: LeaseTransactions { session, step in
                await Task.yield()
                try session.transact(step)
            }
        )
    }

    private func transact(_ step: LeaseTransactionStep) throws {
        switch step {
        case .begin: try self.step("begin") { $0.userBeforeTransaction.append($0.user) }
        case .savepoint(let depth): try self.step("savepoint \(depth)") { $0.userBeforeTransaction.append($0.user) }
        case .commit: try self.step("commit") { _ = $0.userBeforeTransaction.popLast() }
        case .release(let depth): try self.step("release \(depth)") { _ = $0.userBeforeTransaction.popLast() }
        case .rollback: try self.step("rollback") { $0.user = $0.userBeforeTransaction.popLast() ?? nil }
        case .rollbackTo(let depth):
            try self.step("rollback to \(depth)") { $0.user = $0.userBeforeTransaction.popLast() ?? nil }
        }
    }
}

/// A pool of sessions and its leases, with notes of what was opened, and why sessions were closed.
struct Sessions: Sendable {
    let opened: Notes<Session>
    let openedAs: Notes<Identity?>
    let closedAs: Notes<Identity?>
    let closings: Notes<LeaseClosing.Reason>
    let pool: ResourcePool<Session>
    let leases: IdentityPool<Session>

    init(
        _ limits: PoolLimits = 1,
        clock: any Clock<Duration> = ManualClock(),
        binding: LeaseBinding<Session> = Session.binding,
        _ change: (inout LeaseSettings) -> Void = { _ in },
        isAlive: (@Sendable (Session) throws -> Bool)? = nil,
        observer: (@Sendable (PoolEvent) -> Void)? = nil,
        opening: @escaping @Sendable (Int) throws -> Void = { _ in }
    ) {
        let (opened, openedAs, closings) = (Notes<Session>(), Notes<Identity?>(), Notes<LeaseClosing.Reason>())
        let closedAs = Notes<Identity?>()
        (self.opened, self.openedAs, self.closedAs, self.closings) = (opened, openedAs, closedAs, closings)
        pool = ResourcePool(
            limits,
            clock: clock,
            open: { () throws -> Session in
                try opening(opened.all.count)
                let session = Session(opened.all.count)
                opened.add(session)
                openedAs.add(Identity.current)
                return session
            },
            close: { session in
                closedAs.add(Identity.current)
                session.close()
            },
            interrupt: { $0.interrupt() },
            isAlive: isAlive,
            observer: observer
        )
        var settings = LeaseSettings()
        settings.onClosing = { closings.add($0.reason) }
        change(&settings)
        leases = IdentityPool(of: pool, binding: binding, settings: settings)
    }

    /// Leases a session while an identity is bound.
    @discardableResult
    nonisolated(nonsending) func lease<Value>(
        as lessee: Identity?,
        _ work: nonisolated(nonsending) (borrowing Lease<Session>) async throws -> Value
    ) async throws -> Value {
        try await withIdentity(lessee) { try await leases.withLease(work) }
    }
}

extension LeaseWaiter {
    convenience init(_ lessee: Identity, _ holder: UInt) {
        self.init(LeaseRequest(lessee: lessee, holder: holder, place: LeasePlace(#fileID, #line)), until: nil)
    }
}

/// Returns an identity that no other test uses.
func newIdentity(_ name: String = "ada") throws -> Identity {
    let number = serial.next()
    return try Identity("\(name)-\(number)@contoso.com")
}

private let serial = Locked(0)

/// An error that the work itself throws.
struct WorkError: Error, Equatable {}
