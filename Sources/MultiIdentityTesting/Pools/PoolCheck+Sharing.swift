import MultiIdentity

// Several lessees at once: they wait, take turns, and join.
extension PoolCheck {
    /// One lessee has a resource while others ask, one of them with the same identity; then those take turns.
    func oneAtATime() async throws {
        let (inUse, shared, goOn) = (Locked<Set<Int>>([]), Reply<Int>(), Reply<Void>())
        @Sendable func use(as identity: Identity, _ wait: @escaping @Sendable () async throws -> Void) async throws {
            try await checkOut(as: identity) { resource in
                let isFirst = inUse.withLock { $0.insert(resource.id).inserted }
                if isFirst {
                    defer { inUse.withLock { _ = $0.remove(resource.id) } }
                    try await wait()
                } else {
                    shared.send(resource.id)
                }
            }
        }
        let began = Reply<Void>()
        let holder = Task.detached {
            defer { began.send(()) }
            try await use(as: cast.stranger) {
                began.send(())
                _ = try await goOn.value(within: pool.limit)
            }
        }
        _ = try await began.value(within: pool.limit)
        let others = ([cast.caller, cast.creator] + named).map { other in
            // A refusal is allowed.
            Task.detached { try? await use(as: other) { try await Task.sleep(for: Self.patience / 10) } }
        }
        _ = try await shared.value(within: Self.patience)
        goOn.send(())
        try await ended(holder, "had a resource while others asked")
        for other in others { try await ended(other, "asked while \(cast.stranger) had a resource") }
        if shared.value != nil {
            throw violation(
                "asked while \(cast.stranger) had a resource",
                "another resource, a wait or a refusal",
                "the same one"
            )
        }
    }

    func waiter() async throws {
        guard pool.isWaitedFor else { throw Inapplicable(reason: "declare that callers wait: `.waitedFor`") }
        for follower in [cast.caller] + named.dropFirst() {
            let (began, goOn, asks) = (Reply<Void>(), Reply<Void>(), Reply<Void>())
            let holder = Task.detached {
                defer { began.send(()) }
                try await checkOut(as: cast.stranger) { _ in
                    began.send(())
                    _ = try await goOn.value(within: pool.limit)
                }
            }
            _ = try await began.value(within: pool.limit)
            let waiter = Task.detached {
                asks.send(())
                return try await look(as: follower, once: true).who
            }
            _ = try await asks.value(within: pool.limit)
            // By then it waits, or was checked out normally.
            try await Task.sleep(for: Self.patience)
            goOn.send(())
            try await ended(holder, "had what another waits for")
            let situation = "checked out by waiting for \(cast.stranger), as \(follower)"
            try expect(try await ended(waiter, situation), is: follower, situation)
        }
    }

    func joiners() async throws {
        guard let join = pool.join else { throw Inapplicable(reason: "declare how work is joined: `.joining`") }
        let (began, asks, alone, goOn) = (Reply<Void>(), Reply<Void>(), Reply<Void>(), Reply<Void>())
        let first = Task.detached { [cast, pool] in
            try await withIdentity(cast.stranger) {
                try await join {
                    began.send(())
                    _ = try? await goOn.value(within: pool.limit)
                    return Identity.current
                }
            }
        }
        _ = try await began.value(within: pool.limit)
        let second = Task.detached { [cast] in
            try await withIdentity(cast.caller) {
                asks.send(())
                return try await join {
                    alone.send(())
                    return Identity.current
                }
            }
        }
        _ = try await asks.value(within: pool.limit)
        // By then it has joined, or runs by itself.
        _ = try await alone.value(within: Self.patience)
        goOn.send(())
        try expect(try await first.value, is: cast.stranger, "asked first")
        try expect(try await second.value, is: cast.caller, "asked while \(cast.stranger)'s was under way")
    }

    /// Waits for the end of a lease, at most for the pool's limit: a pool can forget a waiter.
    @discardableResult
    private func ended<Value: Sendable, Failure: Error>(_ lease: Task<Value, Failure>, _ situation: String) async throws
        -> Value
    {
        let end = Reply<Result<Value, Failure>>()
        Task.detached { end.send(await lease.result) }
        guard let result = try await end.value(within: pool.limit) else {
            lease.cancel()
            throw violation(situation, "an end", "none within \(pool.limit)")
        }
        return try result.get()
    }
}
