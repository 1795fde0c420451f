import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityTesting
import Testing

@Suite("Policies of a service") struct RemotePoliciesTests {
    private let service = PolicyService()
    private let clock = SteppedClock()
    private let events = Locked<[RemotePolicies.Event]>([])
    private let other = #"{"version": 1, "standard": {"sendOut": true}}"#

    private func policies(
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

    private var heard: [RemotePolicies.Event] { events.withLock { $0 } }

    private func mayLog(_ policies: RemotePolicies) -> Bool? { policies.current.standard?.log }

    /// The code of a refusal, and that nothing has changed by it.
    private func refusal(_ policies: RemotePolicies) async -> PolicyServiceError.Code? {
        let before = policies.current
        let error = await #expect(throws: PolicyServiceError.self) { try await policies.refresh() }
        #expect(error?.message.contains("s3cret") == false)
        #expect(policies.current == before)
        return error?.code
    }

    @Test("are in force from the beginning, asked for by their tag after that, and replaced as one", .rule("19.2"))
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
                PolicyRequest(tag: nil, wait: .zero), PolicyRequest(tag: "1", wait: .seconds(50)),
                PolicyRequest(tag: "1", wait: .zero),
            ]
        )
    }

    @Test("are verified before anything of them is read", .rule("19.1")) func areVerifiedFirst() async throws {
        let policies = try await policies()
        for (signature, code) in [
            (PolicyService.signature(of: Array("{}".utf8)), PolicyServiceError.Code.wrongSignature),
            (PolicyService.signature(of: Array("no JSON".utf8), header: #"{"alg": "other"}"#), .wrongSignature),
            ("e30..AAAA", .malformedSignature), (nil, .unsigned),
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
        #expect(await refusal(policies) == .malformedPolicies)
        service.state.withLock { $0.answer = .unchanged }
        try await policies.refresh()
    }

    @Test("are not replaced by those that were signed before", .rule("19.1"))
    func areNotReplacedByOlderOnes() async throws {
        let store = SQLiteAccountStore(clock: clock)
        service.state.withLock { $0.issuedAt = 5 }
        let policies = try await policies(store: store)
        for issuedAt in [4, nil] as [Int64?] {
            service.put(other, tag: "2", issuedAt: issuedAt)
            #expect(await refusal(policies) == .olderThanInForce)
            // Nor after a restart.
            #expect(try await refusal(self.policies(store: store)) == .olderThanInForce)
        }
        service.put(other, tag: "2", issuedAt: 5)
        try await policies.refresh()
        #expect(mayLog(policies) == false)
    }

    @Test(
        "are refused where the service fails or sends too much, and are none then where there were none",
        .rule("19.3"),
        arguments: RemotePoliciesOptions.WhenTooOld.allCases
    )
    func areRefused(_ rule: RemotePoliciesOptions.WhenTooOld) async throws {
        let policies = try await policies()
        let text = [UInt8](repeating: 0x20, count: RemotePolicies.maximumSize + 1)
        let answers: [(answer: PolicyAnswer?, code: PolicyServiceError.Code)] = [
            (nil, .unreachable), (.unchanged, .malformedAnswer),
            (.policies(text: text, tag: nil, signature: PolicyService.signature(of: [])), .tooLarge),
            (.policies(text: Array("{}".utf8), tag: nil, signature: nil), .unsigned),
        ]
        for (answer, code) in answers {
            service.state.withLock { ($0.fails, $0.answer) = (answer == nil, answer) }
            if answer != .unchanged { #expect(await refusal(policies) == code) }
            let error = await #expect(throws: PolicyServiceError.self) {
                try await self.policies { $0.whenTooOld = rule }
            }
            #expect(error?.code == code)
        }
    }

    @Test("are in force again after a restart, without the service, and verified anew", .rule("19.3"))
    func areInForceAfterARestart() async throws {
        let folder = try DatabaseFolder()
        let store = try SQLiteAccountStore(folder.database, clock: clock)
        _ = try await policies(store: store)
        service.state.withLock { $0.fails = true }
        clock.advance(by: .seconds(3_600))
        let next = try await policies(store: try SQLiteAccountStore(folder.database, clock: clock))
        #expect(mayLog(next) == true && next.confirmed == clock.now.advanced(by: .seconds(-3_600)))
        try store.transaction { (transaction) throws(AccountStoreError) in
            guard var copy = try transaction.policyCopy(of: "policies") else { return }
            copy.text = copy.text.replacing("log", with: "sendOut")
            try transaction.put(copy)
        }
        events.withLock { $0 = [] }
        let error = await #expect(throws: PolicyServiceError.self) { try await policies(store: store) }
        #expect(error?.code == .unreachable)
        service.state.withLock { $0.fails = false }
        #expect(mayLog(try await policies(store: store)) == true)
        let codes: [PolicyServiceError.Code?] = heard.map {
            if case .failed(let error) = $0 { error.code } else { nil }
        }
        #expect(codes == [.wrongSignature, .wrongSignature, nil] && heard.last == .replaced)
    }

    @Test(
        "that the service has not confirmed for too long are closed or warned of, and open when it does",
        .rule("19.4"),
        arguments: RemotePoliciesOptions.WhenTooOld.allCases
    )
    func areClosedWhenTooOld(_ rule: RemotePoliciesOptions.WhenTooOld) async throws {
        let store = SQLiteAccountStore(clock: clock)
        service.put(
            #"{"version": 1, "standard": {"log": true}, "identities": {"ada": {"log": true}}, "allowedAccounts": ["ada"]}"#,
            tag: "1",
            issuedAt: 1
        )
        let change: (inout RemotePoliciesOptions) -> Void = { ($0.maximumAge, $0.whenTooOld) = (.seconds(100), rule) }
        let policies = try await policies(store: store, change: change)
        service.state.withLock { $0.fails = true }
        let confirmed = clock.now
        let running = Task { await policies.run() }
        defer { running.cancel() }
        // One until the age is over, and one until it asks again.
        await eventually { clock.sleeperCount == 2 && clock.nextWake == clock.now.advanced(by: .seconds(1)) }
        clock.advance(by: .seconds(100))
        await eventually { service.count > 2 }
        #expect(mayLog(policies) == true)
        await clock.sleepers(2)
        clock.advance(by: .milliseconds(1))
        await eventually { heard.contains(.tooOld(since: confirmed)) }
        #expect(mayLog(policies) == (rule == .warn))
        let ada = try Identity("ada")
        #expect(policies.current.policies[ada]?.log == (rule == .warn) && policies.current.allowedAccounts == [ada])
        // As a process that starts now has it.
        #expect(mayLog(try await self.policies(store: store, change: change)) == (rule == .warn))
        service.state.withLock { $0.fails = false }
        try await policies.refresh()
        #expect(mayLog(policies) == true && heard.last == .confirmed)
    }

    @Test(
        "are followed: asked for again at once where the service waits, and ever more rarely where it fails",
        .rule("19.2")
    )
    func areFollowed() async throws {
        let policies = try await policies {
            ($0.firstPause, $0.longestPause, $0.maximumAge) = (.seconds(1), .seconds(4), nil)
        }
        service.put(other, tag: "2", issuedAt: 2)
        service.state.withLock { $0.fails = true }
        let running = Task { await policies.run() }
        defer { running.cancel() }
        for (count, pause) in [(1, 1), (2, 2), (3, 4), (4, 4)] {
            await eventually { clock.nextWake == clock.now.advanced(by: .seconds(pause)) }
            try #require(service.count == count + 1, "after failure \(count)")
            if count == 4 { service.state.withLock { $0.fails = false } }
            clock.advance(by: .seconds(pause))
            await eventually { service.count == count + 2 }
        }
        await eventually { mayLog(policies) == false }
        // A service that answers at once is not asked at once again.
        await eventually { clock.nextWake == clock.now.advanced(by: .seconds(10)) }
        #expect(service.count == 6)
        service.state.withLock { [clock] in $0.before = { _ in clock.advance(by: .seconds(50)) } }
        clock.advance(by: .seconds(10))
        await eventually { service.count > 8 }
        running.cancel()
        await running.value
        #expect(service.state.withLock { $0.requests.last } == PolicyRequest(tag: "2", wait: .seconds(50)))
    }

    @Test("of a service that does not answer are asked for again after its wait and half a minute", .rule("19.2"))
    func areAskedForAgain() async throws {
        let (policies, gate) = (try await policies { $0.maximumAge = nil }, Promise<Void>())
        service.put(other, tag: "2", issuedAt: 2)
        service.state.withLock { $0.before = { _ in await gate.wait() } }
        let running = Task { await policies.run() }
        defer { running.cancel() }
        await eventually { clock.nextWake == clock.now.advanced(by: .seconds(80)) }
        service.state.withLock { $0.before = { _ in } }
        clock.advance(by: .seconds(80))
        await eventually { clock.nextWake == clock.now.advanced(by: .seconds(1)) }
        guard case .failed(let error)? = heard.last else { return #expect(Bool(false), "nothing was announced") }
        #expect(error.code == .unreachable && service.count == 2)
        // It answers now, when nobody waits for that any more.
        gate.give(())
        clock.advance(by: .seconds(1))
        await eventually { mayLog(policies) == false }
        #expect(service.count == 3 && heard.count == 3)
    }

    @Test("leave a service that does not answer when their task is cancelled", .rule("19.2"))
    func leaveAServiceThatDoesNotAnswer() async throws {
        let (policies, gate, hasEnded) = (try await policies(), Promise<Void>(), Locked(false))
        service.state.withLock { $0.before = { _ in await gate.wait() } }
        let running = Task {
            await policies.run()
            hasEnded.withLock { $0 = true }
        }
        await eventually { service.count == 2 }
        running.cancel()
        await eventually { hasEnded.withLock { $0 } }
        #expect(heard == [.replaced])
        gate.give(())
    }

    @Test("of the later question count, whichever answer comes first", .rule("19.2"))
    func ofTheLaterQuestionCount() async throws {
        let store = SQLiteAccountStore(clock: clock)
        let (policies, gate) = (try await policies(store: store), Promise<Void>())
        let text = Array(other.utf8)
        service.state.withLock { state in
            state.before = { _ in await gate.wait() }
            state.answer = .policies(text: text, tag: "2", signature: PolicyService.signature(of: text, issuedAt: 2))
        }
        async let slow: Void = policies.refresh()
        await eventually { service.count == 2 }
        service.state.withLock { ($0.before, $0.answer) = ({ _ in }, nil) }
        try await policies.refresh()
        gate.give(())
        try await slow
        // As a process that starts now has it.
        #expect(mayLog(policies) == true)
        #expect(mayLog(try await self.policies(store: store)) == true)
    }

    @Test(
        "are not put back by a process that has older ones, and that one gets the newer",
        .rule("19.3"),
        arguments: [PolicyAnswer.unchanged, nil]
    )
    func areNotPutBack(_ answer: PolicyAnswer?) async throws {
        let (store, ahead) = (SQLiteAccountStore(clock: clock), PolicyService())
        let (one, two) = (try await policies(store: store), try await policies(store: store, from: ahead))
        ahead.put(other, tag: "2", issuedAt: 3)
        try await two.refresh()
        // The replica that one asks is behind: it confirms what it had, or has what came next.
        service.put(#"{"version": 1, "standard": {"log": true, "sendOut": true}}"#, tag: "1b", issuedAt: 2)
        service.state.withLock { $0.answer = answer }
        do throws(PolicyServiceError) {
            try await one.refresh()
            #expect(answer == .unchanged)
        } catch {
            #expect(error.code == .olderThanInForce && answer == nil)
        }
        service.state.withLock { $0.fails = true }
        for process in [one, two, try await policies(store: store)] { #expect(mayLog(process) == false) }
    }

    @Test("take the place of a copy that somebody has changed, whatever time that names", .rule("19.3"))
    func takeThePlaceOfAChangedCopy() async throws {
        let store = SQLiteAccountStore(clock: clock)
        let policies = try await policies(store: store)
        try store.transaction { (transaction) throws(AccountStoreError) in
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
        // Where the clock stands still, the time that has passed counts.
        if !wasAhead { await eventually { ContinuousClock.now - heard > age } }
        let running = Task { await policies.run() }
        defer { running.cancel() }
        if wasAhead {
            await clock.sleepers(2)
            #expect(mayLog(policies) == true)
            clock.advance(by: age + .milliseconds(1))
        }
        await eventually { mayLog(policies) == false }
        // A copy from the future, as of a store whose clock was ahead, is closed until it is confirmed.
        try store.transaction { (transaction) throws(AccountStoreError) in
            guard var copy = try transaction.policyCopy(of: "policies") else { return }
            copy.confirmed = try transaction.time().now.advanced(by: .seconds(1))
            try transaction.put(copy)
        }
        #expect(mayLog(try await self.policies(store: store, change: change)) == false)
    }
}
