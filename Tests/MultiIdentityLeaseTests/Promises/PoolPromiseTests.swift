import MultiIdentity
import MultiIdentityLease
import MultiIdentityTesting
import Testing

@Suite("The promises of a pool") struct PoolPromiseTests {
    /// Leases of this package, with a session that knows its identity.
    var leases: PoolConformance {
        let failing = Locked<String?>(nil)
        let changed = Locked<Set<Int>>([])
        let fails: @Sendable (String) throws -> Void = { step in
            let isFailing = failing.withLock { failing in
                defer { if failing == step { failing = nil } }
                return failing == step
            }
            if isFailing { throw Session.Failure(step: step) }
        }
        let sessions = Sessions(
            binding: LeaseBinding(
                bind: { session, identity in
                    session.become(identity)
                    try fails("bind")
                },
                clear: { session in
                    try fails("clear")
                    session.become(nil)
                    changed.withLock { _ = $0.remove(session.number) }
                },
                verify: { $0.user },
                transactions: LeaseTransactions { _, _ in }
            )
        )
        let flights = IdentitySingleFlight<Int, Identity?>()
        let batcher = IdentityBatcher<Int, Identity?>(limit: 5, window: .milliseconds(5)) { keys in
            Dictionary(uniqueKeysWithValues: keys.map { ($0, Identity.current) })
        }
        return PoolConformance("IdentityPool") { work in
            try await sessions.leases.withLease { lease in
                let session = try lease.use { $0 }
                let resource = PoolConformance.Held(id: session.number) { session.user }
                try await work(
                    resource.setting {
                        changed.withLock { _ = $0.insert(session.number) }
                    } isChanged: {
                        changed.withLock { $0.contains(session.number) }
                    }
                )
            }
        }
        .waitedFor()
        .failingReset { failing.withLock { $0 = "clear" } }
        .dyingWhileBinding { failing.withLock { $0 = "bind" } }
        .rollingBack {
            try await sessions.leases.withLease { lease in
                try? await lease.withTransaction {
                    try lease.use { $0.become(.nobody) }
                    throw WorkError()
                }
            }
        }
        .joining { work in try await flights.value(for: 1, work) }
        .batching { key in try await batcher.value(for: key) }
    }

    @Test(
        "are kept by leases of this package",
        .rule("14.1", "14.2", "14.3", "14.4", "14.6", "14.10", "14.13"),
        arguments: PoolPromise.allCases
    )
    func kept(_ promise: PoolPromise) async throws {
        #expect(try await promise.check(on: leases) == .kept)
    }

    @Test(
        "are kept by a correct pool, and by pools that declare what they refuse",
        arguments: [ToyPool.Manner.plain, .throwingResets, .refusingNobody, .backingOff],
        PoolPromise.allCases
    )
    func keptByAToy(_ manner: ToyPool.Manner, _ promise: PoolPromise) async throws {
        #expect(try await promise.check(on: ToyPool(manner).declared) == .kept)
    }

    @Test("are checked as the pool declares them, and no others are checked")
    func declared() async throws {
        await #expect(throws: ToyPool.Refused.self) {
            try await PoolPromise.showsNothingAfterThrow.check(on: ToyPool(.refusingNobody).conformance)
        }
        await #expect(throws: ToyPool.Refused.self) {
            try await PoolPromise.leavesNothingHalfBound.check(on: ToyPool(.backingOff).conformance)
        }
        for (promise, pool, situation) in [
            (.seesNothingWithoutIdentity, try ToyPool().conformance.refusingNobody(), "checked out as nobody"),
            (PoolPromise.leavesNothingHalfBound, try ToyPool(.refusingForGood).declared, "asked for"),
        ] {
            let violation = await #expect(throws: PoolViolation.self) { try await promise.check(on: pool) }
            #expect(violation?.promise == promise)
            #expect(violation?.situation.hasPrefix(situation) == true)
        }
    }

    @Test(
        "are each reported as broken for a pool that breaks them, even if it throws where a reset fails",
        arguments: [ToyPool.Manner.plain, .throwingResets],
        PoolPromise.allCases
    )
    func broken(_ manner: ToyPool.Manner, _ promise: PoolPromise) async throws {
        let error = await #expect(throws: PoolViolation.self) {
            try await promise.check(on: ToyPool(manner, breaking: promise).conformance)
        }
        #expect(error?.promise == promise)
        #expect(error?.description.contains(promise.sentence) == true)
    }

    @Test("name the step that fails, and when")
    func failingStep() async throws {
        let pool = PoolConformance("no names") { try await $0(.init(id: 0) { try Identity("") }) }
        let error = await #expect(throws: (any Error).self) {
            try await PoolPromise.showsNothingAfterThrow.check(on: pool)
        }
        #expect(error.map { "\($0)" }?.hasPrefix("`ask` threw") == true)
    }

    @Test("do not apply if it is unknown how to check them")
    func unknown() async throws {
        let bare = PoolConformance("bare") { work in try await work(.init(id: 0) { Identity.current }) }
        for promise in [
            PoolPromise.closesAfterFailedReset, .leavesNoSettingAfterRollback, .leavesNoSetting, .batchesOneIdentity,
        ] {
            #expect("\(try await promise.check(on: bare))".contains("notApplicable(reason: \"declare"))
        }
    }
}
