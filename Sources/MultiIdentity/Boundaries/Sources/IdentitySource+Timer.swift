public import Dispatch

// What a timer has besides, passed on as it is.
extension IdentitySource where Base == any DispatchSourceTimer {
    /// Has the timer fire at `deadline`, and then again and again.
    ///
    /// - Parameters:
    ///   - deadline: The first time, on the clock that stops while the machine sleeps.
    ///   - interval: How long it is from one time to the next, or `.never` for one time only.
    ///   - leeway: How much later the system may choose to fire.
    public func schedule(
        deadline: DispatchTime,
        repeating interval: DispatchTimeInterval = .never,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        base.schedule(deadline: deadline, repeating: interval, leeway: leeway)
    }

    /// Has the timer fire at `deadline`, and then again and again.
    ///
    /// - Parameters:
    ///   - deadline: The first time, on the clock that stops while the machine sleeps.
    ///   - interval: How many seconds it is from one time to the next, or `.infinity` for one time only.
    ///   - leeway: How much later the system may choose to fire.
    public func schedule(
        deadline: DispatchTime,
        repeating interval: Double,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        base.schedule(deadline: deadline, repeating: interval, leeway: leeway)
    }

    /// Has the timer fire at `wallDeadline`, and then again and again.
    ///
    /// - Parameters:
    ///   - wallDeadline: The first time, on the wall clock.
    ///   - interval: How long it is from one time to the next, or `.never` for one time only.
    ///   - leeway: How much later the system may choose to fire.
    public func schedule(
        wallDeadline: DispatchWallTime,
        repeating interval: DispatchTimeInterval = .never,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        base.schedule(wallDeadline: wallDeadline, repeating: interval, leeway: leeway)
    }

    /// Has the timer fire at `wallDeadline`, and then again and again.
    ///
    /// - Parameters:
    ///   - wallDeadline: The first time, on the wall clock.
    ///   - interval: How many seconds it is from one time to the next, or `.infinity` for one time only.
    ///   - leeway: How much later the system may choose to fire.
    public func schedule(
        wallDeadline: DispatchWallTime,
        repeating interval: Double,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        base.schedule(wallDeadline: wallDeadline, repeating: interval, leeway: leeway)
    }
}
