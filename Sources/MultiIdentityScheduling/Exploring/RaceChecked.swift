#if os(Linux)
import CMultiIdentityScheduling
import Synchronization

/// A value whose accesses are compared: two of which one writes, and that no hand-over orders, are something wrong.
///
/// They are found in whatever order they come, under a schedule with ``ScheduleSettings/findsRaces``. Hand-overs, waits for groups,
/// semaphores and items, the order of serial queues, and barriers count. Locks do not, so that a value that a lock guards is not for
/// this. A task counts as after all that was done before it, since the runtime tells nobody what it has waited for. Elsewhere it is
/// a value behind a lock.
///
/// Under ``ScheduleSettings/Strategy/everyOrder`` two accesses, one of them a write, are taken in both orders.
public final class RaceChecked<Value: Sendable>: Sendable {
    private let name: String
    private let made = mi_scheduled_made_here()
    private let state: Mutex<(value: Value, accesses: ScheduledAccesses)>

    /// A value with no access yet.
    /// - Parameters:
    ///   - value: The value.
    ///   - name: What a finding calls it.
    public init(_ value: Value, _ name: String = "a value") {
        state = Mutex((value, ScheduledAccesses()))
        self.name = name
    }

    /// The value: to get it is a read, to set it a write.
    public var value: Value {
        get { access(isWrite: false) { $0 } }
        set { access(isWrite: true) { $0 = newValue } }
    }

    private func access<Result: Sendable>(isWrite: Bool, _ body: (inout Value) -> Result) -> Result {
        if mi_scheduled_is_here() { Schedule.current?.step(mi_step_access, nil) }
        return state.withLock { state in
            if mi_scheduled_is_here(), let schedule = Schedule.current {
                let identity = mi_scheduled_identity(made, Unmanaged.passUnretained(self).toOpaque())
                schedule.touch(identity, isWrite ? .writes : .reads)
                schedule.access(&state.accesses, isWrite: isWrite, name)
            }
            return body(&state.value)
        }
    }
}
#endif
