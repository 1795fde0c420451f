public import Dispatch

// The other operations of a timer, forwarded unchanged.
extension IdentitySource where Base == any DispatchSourceTimer {
    /// Schedules the timer to fire at `deadline`, and then repeatedly.
    ///
    /// - Parameters:
    ///   - deadline: The time of the first event, on the clock that stops while the machine sleeps.
    ///   - interval: The time between events, or `.never` for a single event.
    ///   - leeway: The delay that the system may add.
    public func schedule(
        deadline: DispatchTime,
        repeating interval: DispatchTimeInterval = .never,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        base.schedule(deadline: deadline, repeating: interval, leeway: leeway)
    }

    /// Schedules the timer to fire at `deadline`, and then repeatedly.
    ///
    /// - Parameters:
    ///   - deadline: The time of the first event, on the clock that stops while the machine sleeps.
    ///   - interval: The seconds between events, or `.infinity` for a single event.
    ///   - leeway: The delay that the system may add.
    public func schedule(
        deadline: DispatchTime,
        repeating interval: Double,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        base.schedule(deadline: deadline, repeating: interval, leeway: leeway)
    }

    /// Schedules the timer to fire at `wallDeadline`, and then repeatedly.
    ///
    /// - Parameters:
    ///   - wallDeadline: The time of the first event, on the wall clock.
    ///   - interval: The time between events, or `.never` for a single event.
    ///   - leeway: The delay that the system may add.
    public func schedule(
        wallDeadline: DispatchWallTime,
        repeating interval: DispatchTimeInterval = .never,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        base.schedule(wallDeadline: wallDeadline, repeating: interval, leeway: leeway)
    }

    /// Schedules the timer to fire at `wallDeadline`, and then repeatedly.
    ///
    /// - Parameters:
    ///   - wallDeadline: The time of the first event, on the wall clock.
    ///   - interval: The seconds between events, or `.infinity` for a single event.
    ///   - leeway: The delay that the system may add.
    public func schedule(
        wallDeadline: DispatchWallTime,
        repeating interval: Double,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        base.schedule(wallDeadline: wallDeadline, repeating: interval, leeway: leeway)
    }
}
