public import Foundation
import MultiIdentity

extension Timer {
    /// Timers that carry identity: each is captured when created.
    public static var propagatingIdentity: IdentityTimers { IdentityTimers() }
}

extension IdentityBoundary {
    static let timer = IdentityBoundary("timer")
}

/// Timers that run as the identity that created them, in any run loop, each time they fire.
///
/// The parameters are those of `Timer`.
///
/// ```swift
/// let timer = Timer.propagatingIdentity(timeInterval: 60, repeats: true) { _ in refresh(inbox) }
/// RunLoop.main.add(timer, forMode: .common)  // fires as the identity bound where the timer was made
/// ```
///
/// An invalidated timer releases its block and the identity; a timer that does not repeat is invalidated once it has
/// fired. On Linux, Foundation never releases a timer that was not invalidated, nor its block and the identity.
public struct IdentityTimers: Sendable {
    init() {}

    /// Captured when created: returns a timer that runs `block` as the identity bound here.
    public func callAsFunction(
        timeInterval interval: TimeInterval,
        repeats: Bool,
        block: @escaping @Sendable (Timer) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Timer {
        CarryingTimer.make(block, BoundaryCapture(at: .timer, fileID, line)) {
            CarryingTimer.Base(timeInterval: interval, repeats: repeats, block: $0)
        }
    }

    /// Captured when created: returns a timer that first fires at `date`, and runs `block` as the identity bound here.
    public func callAsFunction(
        fire date: Date,
        interval: TimeInterval,
        repeats: Bool,
        block: @escaping @Sendable (Timer) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Timer {
        CarryingTimer.make(block, BoundaryCapture(at: .timer, fileID, line)) {
            CarryingTimer.Base(fire: date, interval: interval, repeats: repeats, block: $0)
        }
    }

    /// Captured when created: schedules a timer in the current run loop that runs `block` as the identity bound here.
    @available(*, noasync, message: "A task has no run loop: schedule the timer on RunLoop.main.")
    @discardableResult
    public func scheduledTimer(
        withTimeInterval interval: TimeInterval,
        repeats: Bool,
        block: @escaping @Sendable (Timer) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Timer {
        let date = Date(timeIntervalSinceNow: interval)
        let timer = self(fire: date, interval: interval, repeats: repeats, block: block, fileID: fileID, line: line)
        RunLoop.current.add(timer, forMode: .default)
        return timer
    }
}
