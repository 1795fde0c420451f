extension BoundaryConformance {
    /// Declares that the call that hands the work over returns only when the work has run.
    ///
    /// - Returns: The boundary with this declaration.
    public func awaited() -> BoundaryConformance {
        var copy = self
        copy.isAwaited = true
        return copy
    }

    /// Declares that prepared work can be handed over or fired repeatedly, such as a timer or a work item.
    ///
    /// - Returns: The boundary with this declaration.
    public func reusable() -> BoundaryConformance {
        var copy = self
        copy.isReusable = true
        return copy
    }

    /// Declares that work can hand over through the same boundary even though the call waits for the work.
    ///
    /// Otherwise no check does so if the caller waits, since a serial queue's `sync` would deadlock. If the
    /// caller does not wait, every boundary is expected to allow it.
    ///
    /// - Returns: The boundary with this declaration.
    public func reentrant() -> BoundaryConformance {
        var copy = self
        copy.isReentrant = true
        return copy
    }

    /// Declares that the boundary takes a limited number of pieces of work at a time.
    ///
    /// A caller that hands over more waits until one has ended, or runs the work itself. The checks hand over that many at once, and
    /// then some more, from a thread that may wait. Also use this if each piece of work takes a descriptor or a process.
    ///
    /// - Parameter capacity: The number of pieces that wait or run before a caller has to wait; at least 1.
    /// - Returns: The boundary with this declaration.
    public func bounded(to capacity: Int) -> BoundaryConformance {
        var copy = self
        copy.capacity = max(1, capacity)
        return copy
    }

    /// Declares how work is dropped before it has run.
    ///
    /// - Parameter drop: Hands its argument over, and cancels or drops it so that it never runs.
    /// - Returns: The boundary with this declaration.
    public func dropping(_ drop: @escaping @Sendable (@escaping Work) -> Void) -> BoundaryConformance {
        var copy = self
        copy.drop = drop
        return copy
    }

    /// Declares how work that throws is handed over.
    ///
    /// - Parameter handOver: Hands its argument over; what it does with the error is up to the boundary.
    /// - Returns: The boundary with this declaration.
    public func throwing(
        _ handOver: @escaping @Sendable (@escaping @Sendable () throws -> Void) -> Void
    ) -> BoundaryConformance {
        var copy = self
        copy.handOverThrowing = handOver
        return copy
    }

    /// Declares how work is handed over so that the caller gets its value or error.
    ///
    /// - Parameter handOver: Hands its argument over, waits, and returns its value or throws its error.
    /// - Returns: The boundary with this declaration.
    public func returning(
        _ handOver: @escaping @Sendable (@escaping @Sendable () throws -> Int) throws -> Int
    ) -> BoundaryConformance {
        var copy = self
        copy.handOverReturning = handOver
        return copy
    }

    /// Limits how long a check waits before it reports work that has not run or was not released.
    ///
    /// - Parameter limit: The longest time to wait, on the continuous clock.
    /// - Returns: The boundary with that limit.
    public func within(_ limit: Duration) -> BoundaryConformance { within(limit, released: limit) }

    /// Sets separate limits for running and for the release of what has run or was dropped.
    package func within(_ limit: Duration, released releaseLimit: Duration) -> BoundaryConformance {
        var copy = self
        copy.limit = limit
        copy.releaseLimit = releaseLimit
        return copy
    }
}
