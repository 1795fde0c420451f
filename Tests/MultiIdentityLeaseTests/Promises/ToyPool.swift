import MultiIdentity
import MultiIdentityLease
import MultiIdentityTesting

/// A typical hand-written pool of one resource, which keeps each promise or breaks one.
final class ToyPool: Sendable {
    private struct State {
        var (id, last) = (0, 0)
        var user: Identity?
        /// True if a lessee changed a setting, or a rolled-back transaction left it changed.
        var isChanged = false
        /// The number of leases that are still refused.
        var refusals = 0
        var isOut = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var resetFails = false
        var dies = false

        mutating func reopen() {
            last += 1
            (id, user, isChanged) = (last, nil, false)
        }
    }

    struct Refused: Error {}

    /// What a pool may do if it declares it.
    enum Manner: CaseIterable { case plain, throwingResets, refusingNobody, backingOff, refusingForGood }

    private let state = Locked(State())
    private let fault: PoolPromise?
    private let manner: Manner
    private let everybody: Identity
    private let flights = IdentitySingleFlight<Int, Identity?>()
    private let batcher = IdentityBatcher<Int, Identity?>(limit: 5, window: .milliseconds(5)) { keys in
        Dictionary(uniqueKeysWithValues: keys.map { ($0, Identity.current) })
    }

    init(_ manner: Manner = .plain, breaking fault: PoolPromise? = nil) throws {
        (self.fault, self.manner) = (fault, manner)
        everybody = try Identity("everybody@boundary.test")
    }

    /// The pool with its manner declared.
    var declared: PoolConformance {
        switch manner {
        case .plain, .throwingResets: conformance
        case .refusingNobody: conformance.refusingNobody()
        case .backingOff: conformance.backingOff()
        case .refusingForGood: conformance.backingOff().waiting(atMost: .milliseconds(5))
        }
    }

    var conformance: PoolConformance {
        PoolConformance(fault.map { "a pool that breaks \($0.rawValue)" } ?? "a toy pool") {
            try await self.checkOut($0)
        }
        .waitedFor()
        .failingReset { self.state.withLock { $0.resetFails = true } }
        .dyingWhileBinding { self.state.withLock { $0.dies = true } }
        .rollingBack { [fault] in
            try await self.checkOut { _ in
                if fault == .leavesNoSettingAfterRollback { self.state.withLock { $0.isChanged = true } }
            }
        }
        .joining { [fault] work in
            guard fault == .answersEachJoiner else { return try await self.flights.value(for: 1, work) }
            let first = IdentitySnapshot.capture()
            return try await withIdentity(self.everybody) {
                try await self.flights.value(for: 1) { await first.restore { await work() } }
            }
        }
        .batching { [fault] key in
            guard fault == .batchesOneIdentity else { return try await self.batcher.value(for: key) }
            return try await withIdentity(self.everybody) { try await self.batcher.value(for: key) }
        }
    }

    private func checkOut(_ work: PoolConformance.Work) async throws {
        let me = Identity.current
        if me == nil, fault != .seesNothingWithoutIdentity { throw Refused() }
        if me == .nobody, manner == .refusingNobody { throw Refused() }
        try state.withLock { state in
            state.refusals -= 1
            if state.refusals >= 0 { throw Refused() }
        }
        let waited = await take()
        let dies = state.withLock { state in
            if state.dies { state.user = everybody }
            defer { state.dies = false }
            if state.dies { state.refusals = manner == .backingOff ? 2 : manner == .refusingForGood ? .max : 0 }
            return state.dies
        }
        if dies {
            giveBack { if self.fault != .leavesNothingHalfBound { $0.reopen() } }
            throw Refused()
        }
        let id = state.withLock { [fault] state in
            switch fault {
            case .showsNothingOfAnEarlierLessee: state.user = state.user ?? me
            case .leavesNothingHalfBound: state.user = state.user ?? me
            case .bindsEachWaiter: if !waited { state.user = me }
            case .showsNothingAfterThrow: if me != .nobody { state.user = me }
            default: if me != nil { state.user = me }
            }
            return state.id
        }
        do {
            let resource = PoolConformance.Held(id: id) { self.state.withLock { $0.user } }
            try await work(
                resource.setting {
                    self.state.withLock { $0.isChanged = true }
                } isChanged: {
                    self.state.withLock { $0.isChanged }
                }
            )
        } catch {
            giveBack { if self.fault != .showsNothingAfterThrow { $0.reopen() } }
            throw error
        }
        let resetFails = state.withLock { $0.resetFails }
        giveBack { [fault] state in
            if state.resetFails {
                state.resetFails = false
                return fault == .closesAfterFailedReset ? () : state.reopen()
            }
            if Task.isCancelled { return fault == .destroysWhatWasCancelled ? () : state.reopen() }
            if fault != .leavesNoSetting, fault != .leavesNoSettingAfterRollback { state.isChanged = false }
            switch fault {
            case .showsNothingOfAnEarlierLessee, .seesNothingWithoutIdentity, .bindsEachWaiter: break
            default: state.user = nil
            }
        }
        if resetFails, manner == .throwingResets { throw Refused() }
    }

    /// Takes the resource, and returns whether it had to wait.
    private func take() async -> Bool {
        if fault == .servesOneAtATime { return false }
        let isFree = state.withLock { state in
            defer { if !state.isOut { state.isOut = true } }
            return !state.isOut
        }
        if isFree { return false }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isOut { state.waiting.append(continuation) } else { state.isOut = true }
                return state.waiting.isEmpty
            }
            if isFree { continuation.resume() }
        }
        return true
    }

    private func giveBack(_ change: (inout State) -> Void) {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            change(&state)
            if state.waiting.isEmpty {
                state.isOut = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
