import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityTesting
import Testing

extension RemotePoliciesTests {
    @Test(
        "are followed: requested again at once when the service waits, and ever more rarely when it fails",
        .rule("19.2")
    )
    func areFollowed() async throws {
        let policies = try await policies {
            ($0.initialBackoff, $0.maxBackoff, $0.maximumAge) = (.seconds(1), .seconds(4), nil)
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
        // A service that answers at once is not asked again at once.
        await eventually { clock.nextWake == clock.now.advanced(by: .seconds(10)) }
        #expect(service.count == 6)
        service.state.withLock { [clock] in $0.before = { _ in clock.advance(by: .seconds(50)) } }
        clock.advance(by: .seconds(10))
        await eventually { service.count > 8 }
        running.cancel()
        await running.value
        #expect(service.state.withLock { $0.requests.last } == PolicyService.Request(tag: "2", wait: .seconds(50)))
    }

    @Test("of a service that does not answer are requested again after its wait and half a minute", .rule("19.2"))
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
        // It answers now, when no one waits for the answer any more.
        gate.give(())
        clock.advance(by: .seconds(1))
        // The policies are in force before they are announced.
        await eventually { heard.count == 3 }
        #expect(service.count == 3 && mayLog(policies) == false)
    }

    @Test("of a service that does not answer are given up when the task is cancelled", .rule("19.2"))
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

    @Test("come from the later request, whichever answer comes first", .rule("19.2"))
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
        // As in a process that starts now.
        #expect(mayLog(policies) == true)
        #expect(mayLog(try await self.policies(store: store)) == true)
    }

    @Test(
        "are not overwritten by a process with older ones, which gets the newer ones",
        .rule("19.3"),
        arguments: [PolicyAnswer.unchanged, nil]
    )
    func areNotPutBack(_ answer: PolicyAnswer?) async throws {
        let (store, ahead) = (SQLiteAccountStore(clock: clock), PolicyService())
        let (one, two) = (try await policies(store: store), try await policies(store: store, from: ahead))
        ahead.put(other, tag: "2", issuedAt: 3)
        try await two.refresh()
        // The replica that this process asks is behind: it confirms the earlier policies, or has the later ones.
        service.put(#"{"version": 1, "standard": {"log": true, "sendOut": true}}"#, tag: "1b", issuedAt: 2)
        service.state.withLock { $0.answer = answer }
        do throws(ManagementError) {
            try await one.refresh()
            #expect(answer == .unchanged)
        } catch {
            #expect(error.code == .olderThanInForce && answer == nil)
        }
        service.state.withLock { $0.fails = true }
        for process in [one, two, try await policies(store: store)] { #expect(mayLog(process) == false) }
    }
}
