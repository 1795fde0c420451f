import MultiIdentity
import MultiIdentityManagement

/// A service and a provider of credentials that fail in every way there is, by a seed.
final class SimulatedService: EnrollmentService, CredentialProvider, Sendable {
    /// The end that a call comes to.
    enum Outcome: Hashable, Sendable {
        case good, replaced, removed
        case failure(AccountEventStatus)
        case unknownError, cancellation, malformed
    }

    /// The moment that a call comes to its end.
    enum Timing: Hashable, Sendable {
        case after(Duration)
        /// It waits until it is cancelled.
        case neverUnlessCancelled
        /// It heeds no cancellation, and answers after the limit.
        case late(Duration)
    }

    struct Plan: Hashable, Sendable, CustomStringConvertible {
        var outcome = Outcome.good
        var timing = Timing.after(.zero)

        var description: String {
            "\(outcome) \(timing)".replacing("MultiIdentityManagementTests.SimulatedService.", with: "")
        }
    }

    private struct State {
        var numbers: [String: Int] = [:]
    }

    let seed: UInt64
    /// The share of calls in a hundred that fail.
    let failures: Int
    let judge: TimerJudge
    private let clock: SteppedClock
    private let state = Locked(State())

    init(seed: UInt64, failures: Int, clock: SteppedClock, judge: TimerJudge) {
        self.seed = seed
        self.failures = failures
        self.clock = clock
        self.judge = judge
    }

    private struct Unknown: Error {}

    static let statuses: [AccountEventStatus] = [
        .credentialMissing, .notTargeted, .notLicensed, .wrongAccount, .unreachable, .timedOut, .malformedAnswer,
        .anotherIsEnrolled, .refused, .failed, .enrolled, AccountEventStatus(rawValue: "of a later release"),
    ]

    private func plan(_ call: TimerJudge.Call, _ identity: Identity) -> Plan {
        let key = "\(call) \(identity.name)"
        let number = state.withLock { state in
            state.numbers[key, default: 0] += 1
            return state.numbers[key, default: 0]
        }
        var dice = Dice(seed, of: key, number)
        var plan = Plan()
        let limit = judge.rules.limit
        switch dice.below(10) {
        case 0...5: plan.timing = .after(.zero)
        case 6, 7: plan.timing = .after(.milliseconds(1 + dice.below(Int(limit / .milliseconds(1)) - 2)))
        case 8: plan.timing = .after(limit - .milliseconds(1))
        default: plan.timing = .after(.milliseconds(dice.below(1_000)))
        }
        if dice.below(100) < failures {
            switch dice.below(8) {
            case 0: plan.timing = .neverUnlessCancelled
            case 1: plan.timing = .late(limit + .milliseconds(1 + dice.below(900_000)))
            case 2: plan.outcome = .unknownError
            case 3: plan.outcome = .cancellation
            case 4 where call == .enroll: plan.outcome = .malformed
            default: plan.outcome = .failure(Self.statuses[dice.below(Self.statuses.count)])
            }
        } else if call == .check {
            switch dice.below(200) {
            case 0: plan.outcome = .removed
            case 1...20: plan.outcome = .replaced
            default: break
            }
        }
        return plan
    }

    /// Comes to the end that the plan says, after the time that it says.
    private func carryOut(_ plan: Plan) async throws {
        switch plan.timing {
        case .after(.zero): break
        case .after(let time): try await clock.sleep(until: clock.now.advanced(by: time), tolerance: nil)
        case .neverUnlessCancelled:
            try await clock.sleep(until: clock.now.advanced(by: .seconds(1 << 32)), tolerance: nil)
        case .late(let time):
            await clock.sleepHeedlessly(until: clock.now.advanced(by: time))
        }
        switch plan.outcome {
        case .failure(let status): throw EnrollmentFailure(status, "on purpose")
        case .unknownError: throw Unknown()
        case .cancellation: throw CancellationError()
        case .good, .replaced, .removed, .malformed: return
        }
    }

    func enroll(_ credential: AccountCredential) async throws -> EnrolledPolicy {
        let plan = plan(.enroll, credential.identity)
        judge.called(.enroll, credential.identity, plan, at: clock.now)
        try await carryOut(plan)
        return plan.outcome == .malformed ? .text("{") : .fromSource
    }

    func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer {
        let plan = plan(.check, credential.identity)
        judge.called(.check, credential.identity, plan, at: clock.now)
        try await carryOut(plan)
        return switch plan.outcome {
        case .removed: .removed("an administrator")
        case .replaced: .replaced(.fromSource)
        default: .unchanged
        }
    }

    func unenroll(_ credential: AccountCredential) async throws {
        judge.called(.unenroll, credential.identity, Plan(), at: clock.now)
    }

    func credential(for identity: Identity?, prompting: Bool, settings: AccountSettings) async throws
        -> AccountCredential?
    {
        guard let identity else { return nil }
        var plan = plan(.credential, identity)
        // Most have one: otherwise the service would hardly be asked.
        var dice = Dice(seed ^ 0xc0ffee, of: identity.name, Int(clock.now.milliseconds & 0xffff_ffff))
        if dice.below(3) > 0 { plan = Plan() }
        judge.called(.credential, identity, plan, at: clock.now)
        try await carryOut(plan)
        return AccountCredential(identity, token: "secret")
    }

    /// Wipes, with as many failures as the rest.
    func wipe(_ identity: Identity) async throws -> Bool {
        let plan = plan(.wipe, identity)
        judge.called(.wipe, identity, plan, at: clock.now)
        if case .after = plan.timing { try await carryOut(plan) }
        return plan.outcome == .good
    }
}
