import MultiIdentity

/// One promise being checked on one pool.
struct PoolCheck: Sendable {
    let promise: PoolPromise
    let pool: PoolConformance
    let cast: Cast

    /// The time from the moment when somebody asks until it counts as waiting: nothing tells when a pool lets it wait.
    private static let patience = Duration.milliseconds(100)

    /// Checks out as an identity, and says which resource that was and who it says it is.
    func look(as identity: Identity?) async throws -> (id: Int, who: Identity?) {
        let seen = Notes<(id: Int, who: Identity?)>()
        try await withIdentityLevels(IdentityLevels()) {
            try await withIdentity(identity) {
                try await pool.checkOut { resource in seen.add((resource.id, try await resource.ask())) }
            }
        }
        guard let last = seen.all.last else {
            throw violation("checked out as \(words(identity))", "work that is called", "none")
        }
        return last
    }

    func expect(_ found: Identity?, is expected: Identity?, _ situation: String) throws {
        // Nobody's resource says nobody, or nothing.
        let isRight = found == expected || expected?.isNobody ?? true && found?.isNobody ?? true
        if !isRight { throw violation(situation, words(expected), words(found)) }
    }

    func violation(_ situation: String, _ expected: String, _ found: String) -> PoolViolation {
        PoolViolation(promise: promise, pool: pool.name, situation: situation, expected: expected, found: found)
    }

    func words(_ identity: Identity?) -> String { identity.map { "\($0)" } ?? "unset" }

    func earlierLessees() async throws {
        for identity in [cast.caller, cast.stranger, .nobody, cast.caller, cast.creator, .nobody] {
            try expect(try await look(as: identity).who, is: identity, "checked out after others, as \(identity)")
        }
    }

    func withoutIdentity() async throws {
        _ = try await look(as: cast.stranger)
        // Refused is as good; what was seen is judged apart.
        guard let seen = try? await look(as: nil) else { return }
        try expect(seen.who, is: nil, "checked out with nothing bound, after \(cast.stranger)")
    }

    func cancelled() async throws {
        let (began, id) = (Reply<Void>(), Reply<Int>())
        let (pool, caller) = (pool, cast.caller)
        let task = Task.detached {
            try await withIdentity(caller) {
                try await pool.checkOut { resource in
                    id.send(resource.id)
                    began.send(())
                    while !Task.isCancelled { await Task.yield() }
                }
            }
        }
        _ = try await began.value(within: pool.limit)
        task.cancel()
        _ = try? await task.value
        let next = try await look(as: cast.stranger)
        let situation = "checked out after a lessee was cancelled"
        if next.id == id.value { throw violation(situation, "another resource", "the same one") }
        try expect(next.who, is: cast.stranger, situation)
    }

    func failedReset() async throws {
        guard let failReset = pool.failReset else { throw Inapplicable(reason: "it is not said how a reset fails") }
        failReset()
        let failed = try? await look(as: cast.caller)
        let next = try await look(as: cast.stranger)
        let situation = "checked out after a reset failed"
        if next.id == failed?.id { throw violation(situation, "another resource", "the same one") }
        try expect(next.who, is: cast.stranger, situation)
    }

    func rolledBack() async throws {
        guard let rollBack = pool.rollBack else {
            throw Inapplicable(reason: "it is not said how a transaction is rolled back")
        }
        try await withIdentity(cast.caller) { try await rollBack() }
        for identity in [cast.stranger, .nobody] {
            try expect(try await look(as: identity).who, is: identity, "checked out after a rollback, as \(identity)")
        }
    }

    func halfBound() async throws {
        guard let die = pool.dieWhileBinding else { throw Inapplicable(reason: "it is not said how the server dies") }
        die()
        if let seen = try? await look(as: cast.caller) {
            try expect(seen.who, is: cast.caller, "checked out while the server died")
        }
        for identity in [.nobody, cast.stranger] {
            try expect(
                try await look(as: identity).who,
                is: identity,
                "checked out after the server died, as \(identity)"
            )
        }
    }

    func waiter() async throws {
        guard pool.isWaitedFor else { throw Inapplicable(reason: "the pool is not said to have waiters") }
        let (began, goOn) = (Reply<Void>(), Reply<Void>())
        let pool = pool
        let holder = Task.detached { [cast] in
            try await withIdentity(cast.stranger) {
                try await pool.checkOut { _ in
                    began.send(())
                    _ = try await goOn.value(within: pool.limit)
                }
            }
        }
        _ = try await began.value(within: pool.limit)
        let asks = Reply<Void>()
        let waiter = Task.detached {
            asks.send(())
            return try await look(as: cast.caller).who
        }
        _ = try await asks.value(within: pool.limit)
        // It waits by then, or is checked out for in the ordinary way.
        try await Task.sleep(for: Self.patience)
        goOn.send(())
        try await holder.value
        try expect(try await waiter.value, is: cast.caller, "checked out by waiting for \(cast.stranger)")
    }

    func joiners() async throws {
        guard let join = pool.join else { throw Inapplicable(reason: "it is not said how work is joined") }
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
        // It has joined by then, or runs by itself.
        _ = try await alone.value(within: Self.patience)
        goOn.send(())
        try expect(try await first.value, is: cast.stranger, "asked first")
        try expect(try await second.value, is: cast.caller, "asked while \(cast.stranger)'s was under way")
    }

    func batches() async throws {
        guard let batch = pool.batch else { throw Inapplicable(reason: "it is not said how work is batched") }
        let callers = [cast.caller, cast.stranger, .nobody]
        try await withThrowingTaskGroup(of: (Identity, Identity?).self) { group in
            for number in 0..<30 {
                let caller = callers[number % callers.count]
                group.addTask { (caller, try await withIdentity(caller) { try await batch(number) }) }
            }
            for try await (caller, found) in group {
                try expect(found, is: caller, "asked for in a batch, as \(caller)")
            }
        }
    }
}
