#if os(Linux)
import CMultiIdentityScheduling
import Synchronization

/// A value whose accesses are checked for races: two accesses, one of them a write, that no hand-over orders.
///
/// A race is found whatever order the accesses run in, under a schedule with ``ScheduleSettings/findsRaces``. Hand-overs, waits
/// for groups, semaphores and items, the order of serial queues, and barriers order accesses. Locks do not, so do not use this
/// for a value that a lock guards. A task counts as ordered after everything done before it, since the runtime does not report
/// what it has waited for. Outside a schedule this is a value behind a lock.
///
/// Under ``ScheduleSettings/Strategy/everyOrder`` two accesses, one of them a write, run in both orders.
public final class RaceChecked<Value: Sendable>: Sendable {
    private let name: String
    private let made = mi_scheduled_made_here()
    private let state: Mutex<(value: Value, accesses: ScheduledAccesses)>

    /// Creates a value without accesses.
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name in a finding.
    public init(_ value: Value, _ name: String = "a value") {
        state = Mutex((value, ScheduledAccesses()))
        self.name = name
    }

    /// The value: getting it is a read, setting it a write.
    public var value: Value {
        get { access(isWrite: false) { $0 } }
        set { access(isWrite: true) { $0 = newValue } }
    }

    private func access<Result: Sendable>(isWrite: Bool, _ body: (inout Value) -> Result) -> Result {
        if mi_scheduled_is_here() { Schedule.current?.step(mi_step_access, nil) }
        return state.withLock { state in
            if mi_scheduled_is_here(), let schedule = Schedule.current {
                let identity = mi_scheduled_identity(made, Unmanaged.passUnretained(self).toOpaque())
                schedule.recordAccess(identity, isWrite ? .writes : .reads)
                schedule.access(&state.accesses, isWrite: isWrite, name)
            }
            return body(&state.value)
        }
    }
}
#endif
