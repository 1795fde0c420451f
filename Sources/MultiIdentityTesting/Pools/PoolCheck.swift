import MultiIdentity

/// One promise being checked on one pool.
struct PoolCheck: Sendable {
    let promise: PoolPromise
    let pool: PoolConformance
    let cast: Cast

    /// The time after which a caller counts as waiting: a pool does not report when it makes one wait.
    static let patience = Duration.milliseconds(100)

    /// The next lessees: a named one is bound over what an earlier lessee left; nobody and unset may not be bound, and would see it.
    var followers: [Identity?] { named + [nil] }

    /// The next lessees without unset, which may be refused.
    var named: [Identity] { pool.refusesNobody ? [cast.stranger] : [cast.stranger, .nobody] }

    /// Checks out once.
    func checkOut(as identity: Identity?, _ work: @escaping PoolConformance.Work) async throws {
        // The pool gets the step's own error, which may decide what it does.
        let failed = Reply<String>()
        do {
            try await withIdentityLevels(IdentityLevels()) {
                try await withIdentity(identity) {
                    try await pool.checkOut { try await work($0.noting { failed.send("\($0) threw \($1)") }) }
                }
            }
        } catch {
            guard let step = failed.value else { throw error }
            throw StepError(description: "\(step), checked out as \(words(identity)), of \"\(pool.name)\": \(promise)")
        }
    }

    /// Checks out, and tries again while the pool backs off.
    func serve(_ identity: Identity, _ work: @escaping PoolConformance.Work) async throws {
        let (called, end) = (Reply<Void>(), ContinuousClock.now + pool.limit)
        while true {
            do {
                return try await checkOut(as: identity) { resource in
                    called.send(())
                    try await work(resource)
                }
            } catch {
                if !pool.backsOff || called.value != nil { throw error }
                if ContinuousClock.now >= end {
                    throw violation("asked for \(pool.limit), as \(identity)", "a resource in the end", "\(error)")
                }
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    /// The resource's number, the identity that it reports, and whether it shows a changed setting.
    typealias Seen = (id: Int, who: Identity?, isChanged: Bool)

    /// Checks out, without retrying if `once` or unset, and returns what the resource shows.
    func look(as identity: Identity?, once: Bool = false) async throws -> Seen {
        let seen = Notes<Seen>()
        let work: PoolConformance.Work = { resource in
            let who = try await resource.ask()
            seen.add((resource.id, who, (try? await resource.setting?.isChanged()) ?? false))
        }
        if let identity, !once { try await serve(identity, work) } else { try await checkOut(as: identity, work) }
        guard let last = seen.all.last else {
            throw violation("checked out as \(words(identity))", "work that is called", "none")
        }
        return last
    }

    /// Checks that the next lessee sees only itself, and no changed setting; with nothing bound, a refusal is as good.
    ///
    /// - Returns: The number of its resource.
    @discardableResult
    func expectItself(_ follower: Identity?, _ situation: String) async throws -> Int? {
        let seen = if let follower { try await look(as: follower) } else { try? await look(as: nil) }
        guard let seen else { return nil }
        let situation = "checked out \(situation), as \(words(follower))"
        if seen.isChanged { throw violation(situation, "the setting as it was", "an earlier lessee's") }
        try expect(seen.who, is: follower, situation)
        return seen.id
    }

    func expect(_ found: Identity?, is expected: Identity?, _ situation: String) throws {
        // Nobody's resource reports nobody, or nothing.
        let isRight = found == expected || expected?.isNobody ?? true && found?.isNobody ?? true
        if !isRight { throw violation(situation, words(expected), words(found)) }
    }

    func violation(_ situation: String, _ expected: String, _ found: String) -> PoolViolation {
        PoolViolation(promise: promise, pool: pool.name, situation: situation, expected: expected, found: found)
    }

    func words(_ identity: Identity?) -> String { identity.map { "\($0)" } ?? "unset" }

    func earlierLessees() async throws {
        for identity in [cast.caller] + named + [cast.caller, cast.creator] + named {
            try expect(try await look(as: identity).who, is: identity, "checked out after others, as \(identity)")
        }
    }

    func withoutIdentity() async throws {
        _ = try await look(as: cast.stranger)
        try await expectItself(nil, "after \(cast.stranger)")
        if pool.refusesNobody, let seen = try? await look(as: .nobody, once: true) {
            throw violation(
                "checked out as nobody, which the pool is declared to refuse",
                "no resource",
                "number \(seen.id)"
            )
        }
    }

    func batches() async throws {
        guard let batch = pool.batch else { throw Inapplicable(reason: "declare how work is batched: `.batching`") }
        let callers = [cast.caller] + named
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
