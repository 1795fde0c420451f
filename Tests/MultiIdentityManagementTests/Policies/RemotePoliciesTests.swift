import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityTesting
import Testing

@Suite("Policies of a service") struct RemotePoliciesTests {
    let service = PolicyService()
    let clock = SteppedClock()
    private let events = Locked<[RemotePolicies.Event]>([])
    let other = #"{"version": 1, "standard": {"sendOut": true}}"#

    func policies(
        store: (any AccountStore)? = nil,
        from service: PolicyService? = nil,
        change: (inout RemotePoliciesOptions) -> Void = { _ in }
    ) async throws -> RemotePolicies {
        var options = RemotePoliciesOptions()
        change(&options)
        return try await RemotePolicies(
            service ?? self.service,
            verifying: PolicyService.verify,
            store: store ?? SQLiteAccountStore(clock: clock),
            options: options,
            clock: clock,
            onEvent: { [events] event in events.withLock { $0.append(event) } }
        )
    }

    var heard: [RemotePolicies.Event] { events.withLock { $0 } }

    func mayLog(_ policies: RemotePolicies) -> Bool? { policies.current.standard?.log }

    /// Returns the code of a refusal, and checks that the refusal changed nothing.
    private func refusal(_ policies: RemotePolicies) async -> ManagementError.Code? {
        let before = policies.current
        let error = await #expect(throws: ManagementError.self) { try await policies.refresh() }
        #expect(error?.message.contains("s3cret") == false)
        #expect(policies.current == before)
        return error?.code
    }

    @Test("are in force from the beginning, requested by their tag afterwards, and replaced as a whole", .rule("19.2"))
    func areInForce() async throws {
        let policies = try await policies()
        #expect(mayLog(policies) == true && heard == [.replaced] && policies.confirmed == clock.now)
        clock.advance(by: .seconds(60))
        try await policies.refresh(waiting: .seconds(50))
        #expect(policies.confirmed == clock.now && heard == [.replaced])
        service.put(other, tag: "2", issuedAt: 2)
        let changes = Locked<[Bool?]>([])
        let subscription = policies.subscribe { before, now in
            changes.withLock { $0 += [before.standard?.log, now.standard?.log] }
        }
        try await policies.refresh()
        subscription.cancel()
        #expect(
            mayLog(policies) == false && changes.withLock { $0 } == [true, false] && heard == [.replaced, .replaced]
        )
        #expect(
            service.state.withLock { $0.requests } == [
                PolicyService.Request(tag: nil, wait: .zero), PolicyService.Request(tag: "1", wait: .seconds(50)),
                PolicyService.Request(tag: "1", wait: .zero),
            ]
        )
    }

    @Test("are verified before anything in them is read", .rule("19.1")) func areVerifiedFirst() async throws {
        let policies = try await policies()
        for (signature, code) in [
            (PolicyService.signature(of: Array("{}".utf8)), ManagementError.Code.wrongSignature),
            (PolicyService.signature(of: Array("no JSON".utf8), header: #"{"alg": "other"}"#), .wrongSignature),
            ("e30..AAAA", .wrongSignature), (nil, .unsigned),
        ] {
            service.state.withLock {
                $0.answer = .policies(text: Array("no JSON".utf8), tag: "2", signature: signature)
            }
            #expect(await refusal(policies) == code)
        }
        let text = Array("no JSON: s3cret".utf8)
        service.state.withLock {
            $0.answer = .policies(text: text, tag: "2", signature: PolicyService.signature(of: text, issuedAt: 2))
        }
        #expect(await refusal(policies) == .malformed)
        service.state.withLock { $0.answer = .unchanged }
        try await policies.refresh()
    }

    @Test("are not replaced by policies that were signed earlier", .rule("19.1"))
    func areNotReplacedByOlderOnes() async throws {
        let store = SQLiteAccountStore(clock: clock)
        service.state.withLock { $0.issuedAt = 5 }
        let policies = try await policies(store: store)
        for issuedAt in [4, nil] as [Int64?] {
            service.put(other, tag: "2", issuedAt: issuedAt)
            #expect(await refusal(policies) == .olderThanInForce)
            // The same after a restart.
            #expect(try await refusal(self.policies(store: store)) == .olderThanInForce)
        }
        service.put(other, tag: "2", issuedAt: 5)
        try await policies.refresh()
        #expect(mayLog(policies) == false)
    }

    @Test(
        "are refused if the service fails or sends invalid data, also at the first request",
        .rule("19.3"),
        arguments: [true, false]
    )
    func areRefused(_ closes: Bool) async throws {
        let policies = try await policies()
        let text = [UInt8](repeating: 0x20, count: RemotePolicies.maximumSize + 1)
        let answers: [(answer: PolicyAnswer?, code: ManagementError.Code)] = [
            (nil, .unreachable), (.unchanged, .malformed),
            (.policies(text: text, tag: nil, signature: PolicyService.signature(of: [])), .malformed),
            (.policies(text: Array("{}".utf8), tag: nil, signature: nil), .unsigned),
        ]
        for (answer, code) in answers {
            service.state.withLock { ($0.fails, $0.answer) = (answer == nil, answer) }
            if answer != .unchanged { #expect(await refusal(policies) == code) }
            let error = await #expect(throws: ManagementError.self) {
                try await self.policies { $0.closesWhenTooOld = closes }
            }
            #expect(error?.code == code)
        }
    }

    @Test("are in force again after a restart, without the service, and verified again", .rule("19.3"))
    func areInForceAfterARestart() async throws {
        let folder = try DatabaseFolder()
        let store = try SQLiteAccountStore(folder.database, clock: clock)
        _ = try await policies(store: store)
        service.state.withLock { $0.fails = true }
        clock.advance(by: .seconds(3_600))
        let next = try await policies(store: try SQLiteAccountStore(folder.database, clock: clock))
        #expect(mayLog(next) == true && next.confirmed == clock.now.advanced(by: .seconds(-3_600)))
        try store.transaction { (transaction) throws(ManagementError) in
            guard var copy = try transaction.policyCopy(of: "policies") else { return }
            copy.text = copy.text.replacing("log", with: "sendOut")
            try transaction.put(copy)
        }
        events.withLock { $0 = [] }
        await expect(throws: ManagementError.Code.unreachable) { try await policies(store: store) }
        service.state.withLock { $0.fails = false }
        #expect(mayLog(try await policies(store: store)) == true)
        let codes: [ManagementError.Code?] = heard.map {
            if case .failed(let error) = $0 { error.code } else { nil }
        }
        #expect(codes == [.wrongSignature, .wrongSignature, nil] && heard.last == .replaced)
    }

    @Test(
        "that the service has not confirmed for too long are closed or warned of, and open when it confirms",
        .rule("19.4"),
        arguments: [true, false]
    )
    func areClosedWhenTooOld(_ closes: Bool) async throws {
        let store = SQLiteAccountStore(clock: clock)
        service.put(
            #"{"version": 1, "standard": {"log": true}, "identities": {"ada": {"log": true}}, "allowedAccounts": ["ada"]}"#,
            tag: "1",
            issuedAt: 1
        )
        let change: (inout RemotePoliciesOptions) -> Void = {
            ($0.maximumAge, $0.closesWhenTooOld) = (.seconds(100), closes)
        }
        let policies = try await policies(store: store, change: change)
        service.state.withLock { $0.fails = true }
        let confirmed = clock.now
        let running = Task { await policies.run() }
        defer { running.cancel() }
        // One sleeper waits until the policies are too old, and one until the next request.
        await eventually { clock.sleeperCount == 2 && clock.nextWake == clock.now.advanced(by: .seconds(1)) }
        clock.advance(by: .seconds(100))
        await eventually { service.count > 2 }
        #expect(mayLog(policies) == true)
        await clock.sleepers(2)
        clock.advance(by: .milliseconds(1))
        await eventually { heard.contains(.tooOld(since: confirmed)) }
        #expect(mayLog(policies) == !closes)
        let ada = try Identity("ada")
        #expect(policies.current.policies[ada]?.log == !closes && policies.current.allowedAccounts == [ada])
        // As in a process that starts now.
        #expect(mayLog(try await self.policies(store: store, change: change)) == !closes)
        service.state.withLock { $0.fails = false }
        try await policies.refresh()
        #expect(mayLog(policies) == true && heard.last == .confirmed)
    }

    @Test("replace a copy that was tampered with, whatever its time", .rule("19.3"))
    func takeThePlaceOfAChangedCopy() async throws {
        let store = SQLiteAccountStore(clock: clock)
        let policies = try await policies(store: store)
        try store.transaction { (transaction) throws(ManagementError) in
            guard var copy = try transaction.policyCopy(of: "policies") else { return }
            copy.text = other
            copy.signature = PolicyService.signature(of: Array("{}".utf8), issuedAt: 9)
            try transaction.put(copy)
        }
        try await policies.refresh()
        #expect(mayLog(policies) == true)
        #expect(mayLog(try await self.policies(store: store)) == true)
    }

    @Test("are closed in time, whatever the clock was set to", .rule("19.4"), arguments: [true, false])
    func areClosedInTime(_ wasAhead: Bool) async throws {
        let (age, years) = (Duration.milliseconds(wasAhead ? 60_000 : 20), Duration.seconds(10 * 365 * 86_400))
        let store = SQLiteAccountStore()
        let change: (inout RemotePoliciesOptions) -> Void = { $0.maximumAge = age }
        if wasAhead { clock.advance(by: years) }
        let policies = try await policies(store: store, change: change)
        if wasAhead { clock.advance(by: .zero - years) }
        let heard = ContinuousClock.now
        service.state.withLock { $0.fails = true }
        // If the clock stands still, elapsed time counts.
        if !wasAhead { await eventually { ContinuousClock.now - heard > age } }
        let running = Task { await policies.run() }
        defer { running.cancel() }
        if wasAhead {
            await clock.sleepers(2)
            #expect(mayLog(policies) == true)
            clock.advance(by: age + .milliseconds(1))
        }
        await eventually { mayLog(policies) == false }
        // A copy from the future, as from a store whose clock was ahead, is closed until it is confirmed.
        try store.transaction { (transaction) throws(ManagementError) in
            guard var copy = try transaction.policyCopy(of: "policies") else { return }
            copy.confirmed = try transaction.time().now.advanced(by: .seconds(1))
            try transaction.put(copy)
        }
        #expect(mayLog(try await self.policies(store: store, change: change)) == false)
    }
}
