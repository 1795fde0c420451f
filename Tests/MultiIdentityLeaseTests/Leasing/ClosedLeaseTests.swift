import MultiIdentity
import MultiIdentityLease
import Testing

@Suite("A resource that may not be clean", .rule("14.4")) struct ClosedLeaseTests {
    static let bindings = [Session.binding, Session.asynchronousBinding]

    /// Leases once with a new identity; returns the session, and the reasons why it was closed.
    func lease(
        _ sessions: Sessions,
        _ work: nonisolated(nonsending) (Session) async throws -> Void
    ) async throws -> [LeaseClosing.Reason] {
        do {
            try await sessions.lease(as: newIdentity()) { lease in try await lease.use { try await work($0) } }
        } catch is WorkError {
        } catch is Session.Failure {}
        return sessions.closings.all
    }

    @Test("is closed if the work threw, unless set otherwise", arguments: [0, 1])
    func threw(_ way: Int) async throws {
        let closing = Sessions(binding: Self.bindings[way])
        #expect(try await lease(closing) { _ in throw WorkError() } == [.workThrew])
        #expect(closing.opened.all[0].isClosed)
        let clearing = Sessions(binding: Self.bindings[way]) {
            $0.afterError = .cleared
            $0.verification = .never
        }
        #expect(try await lease(clearing) { _ in throw WorkError() }.isEmpty)
        #expect(clearing.opened.all[0].steps == ["bind", "clear", "verify"])
    }

    @Test("is closed if binding, clearing or verifying failed", arguments: [0, 1])
    func failing(_ way: Int) async throws {
        let reasons: [String: LeaseClosing.Reason] = [
            "bind": .bindingFailed, "clear": .clearingFailed, "verify": .verificationFailed,
        ]
        for (step, reason) in reasons {
            let sessions = Sessions(binding: Self.bindings[way])
            _ = try await lease(sessions) { $0.fail(at: step) }
            let reasons = try await lease(sessions) { _ in }
            #expect(reasons.contains(reason))
            #expect(sessions.opened.all[0].isClosed)
        }
    }

    @Test("is closed if it still has an identity after it was cleared", arguments: [0, 1])
    func notClean(_ way: Int) async throws {
        let eve = try newIdentity("eve")
        let steps: @Sendable (Session) -> Void = { $0.become(eve) }
        let binding =
            way == 0
            ? LeaseBinding<Session>(bind: { $0.become($1) }, clear: { steps($0) }, verify: { $0.user })
            : LeaseBinding<Session>(
                bind: { (session: Session, identity: Identity) async in session.become(identity) },
                clear: { (session: Session) async in steps(session) },
                verify: { (session: Session) async in session.user }
            )
        let sessions = Sessions(binding: binding)
        #expect(try await lease(sessions) { _ in } == [.notClean(eve)])
        #expect(sessions.opened.all[0].isClosed)
    }

    @Test("is closed if the task was cancelled, before or during the work", arguments: [0, 1])
    func cancelled(_ way: Int) async throws {
        let sessions = Sessions(binding: Self.bindings[way])
        let (began, goOn) = (Gate(), Gate())
        let task = Task {
            try await lease(sessions) { _ in
                began.open()
                await goOn.wait()
            }
        }
        await began.wait()
        task.cancel()
        goOn.open()
        #expect(try await task.value == [.cancelled])
        #expect(sessions.opened.all[0].isClosed)
    }

    @Test("is closed if the lease lasted too long, and is not used meanwhile") func exceededMaxDuration() async throws {
        let clock = ManualClock()
        let sessions = Sessions(clock: clock) { $0.maxDuration = .seconds(10) }
        await expect(throws: LeaseError.Code.exceededMaxDuration) {
            try await sessions.lease(as: newIdentity()) { lease in
                clock.advance(by: .seconds(10))
                try lease.use { _ in }
                clock.advance(by: .seconds(1))
                try lease.use { _ in Issue.record("used too long") }
            }
        }
        #expect(sessions.closings.all == [.exceededMaxDuration])
    }

    @Test("is verified always, after every nth lease, or never") func verified() async throws {
        let expected: [(LeaseSettings.Verification, [Int])] = [
            (.always, [1, 2, 3, 4, 5, 6]), (.every(3), [1, 1, 1, 2, 2, 2]), (.never, [0, 0, 0, 0, 0, 0]),
        ]
        for (verification, counts) in expected {
            let sessions = Sessions { $0.verification = verification }
            var found: [Int] = []
            for _ in counts {
                _ = try await lease(sessions) { _ in }
                found.append(sessions.opened.all[0].steps.count { $0 == "verify" })
            }
            #expect(found.last == counts.last, "\(verification): \(found)")
        }
    }

    @Test("is reported with its lessee and the reason") func described() async throws {
        let (ada, eve) = (try Identity("ada@contoso.com"), try Identity("eve@contoso.com"))
        let closings = Notes<LeaseClosing>()
        let sessions = Sessions { $0.onClosing = { closings.add($0) } }
        await #expect(throws: WorkError.self) { try await sessions.lease(as: ada) { _ in throw WorkError() } }
        #expect(closings.all.map(\.lessee) == [ada])
        #expect(
            closings.all.map(\.description) == ["a resource that ada@contoso.com leased was closed: the work threw"]
        )
        let texts: [LeaseClosing.Reason: String] = [
            .cancelled: "a task that used it was cancelled", .workThrew: "the work threw",
            .exceededMaxDuration: "the lease lasted too long", .bindingFailed: "it could not be bound",
            .clearingFailed: "it could not be cleared", .verificationFailed: "it could not be verified",
            .notClean(eve): "it still had the identity eve@contoso.com after it was cleared",
            .revoked: "the lessee was revoked",
            .inUse: "it was still in use", .transactionFailed: "a transaction could not begin or end",
        ]
        for (reason, text) in texts { #expect(reason.description == text) }
    }
}
