import Foundation
import MultiIdentity

#if canImport(Darwin)
/// Makes timers that carry; there a timer releases its block when it is invalidated, and must not be subclassed.
enum CarryingTimer: Sendable {
    typealias Base = Timer

    static func make(
        _ work: @escaping @Sendable (Timer) -> Void,
        _ captured: BoundaryCapture,
        create: (@escaping @Sendable (Timer) -> Void) -> Timer
    ) -> Timer {
        create { timer in captured.restore { work(timer) } }
    }
}
#else
/// A timer that releases its work when it is invalidated: Foundation here never releases a timer or its block.
final class CarryingTimer: Timer {
    typealias Base = CarryingTimer

    /// Set before other code has the timer.
    private var carried: HeldWork<@Sendable (Timer) -> Void>?

    /// - Parameters:
    ///   - work: The work of the timer.
    ///   - captured: The captured identity.
    ///   - create: Creates the timer with the block that it gets.
    /// - Returns: The timer.
    static func make(
        _ work: @escaping @Sendable (Timer) -> Void,
        _ captured: BoundaryCapture,
        create: (@escaping @Sendable (Timer) -> Void) -> CarryingTimer
    ) -> Timer {
        let carried = HeldWork(work, captured)
        let timer = create { timer in
            carried.run { $0(timer) }
            // The run loop invalidates these without a call of `invalidate`.
            if timer.timeInterval == 0 { carried.letGo() }
        }
        timer.carried = carried
        return timer
    }

    override func invalidate() {
        super.invalidate()
        carried?.letGo()
    }
}
#endif
