import MultiIdentity

// What a lessee leaves behind, as the next lessee sees it.
extension PoolCheck {
    func thrown() async throws {
        for follower in followers {
            try await leave(throwing: true)
            try await expectItself(follower, "after a lessee's work threw")
        }
    }

    func cancelled() async throws {
        var gone: Set<Int> = []
        for follower in followers {
            let (began, id) = (Reply<Void>(), Reply<Int>())
            let task = Task.detached {
                defer { began.send(()) }
                try await serve(cast.caller) { resource in
                    id.send(resource.id)
                    began.send(())
                    while !Task.isCancelled { await Task.yield() }
                }
            }
            _ = try await began.value(within: pool.limit)
            task.cancel()
            let end = await task.result
            if id.value == nil { try end.get() }
            let situation = "after a lessee was cancelled"
            try expect(id.value, andNext: try await expectItself(follower, situation), notIn: &gone, situation)
        }
    }

    func failedReset() async throws {
        guard let failReset = pool.failReset else {
            throw Inapplicable(reason: "declare how a reset fails: `.failingReset`")
        }
        var gone: Set<Int> = []
        for follower in followers {
            let id = Reply<Int>()
            failReset()
            try await leave(throwing: false) { resource in
                _ = try await resource.ask()
                try await resource.setting?.change()
                id.send(resource.id)
            }
            let situation = "after a reset failed"
            try expect(id.value, andNext: try await expectItself(follower, situation), notIn: &gone, situation)
        }
    }

    func rolledBack() async throws {
        guard let rollBack = pool.rollBack else {
            throw Inapplicable(reason: "declare how a transaction is rolled back: `.rollingBack`")
        }
        for follower in followers {
            try await withIdentity(cast.caller) { try await rollBack() }
            try await expectItself(follower, "after a rollback")
        }
    }

    func halfBound() async throws {
        guard let die = pool.dieWhileBinding else {
            throw Inapplicable(reason: "declare how the server dies: `.dyingWhileBinding`")
        }
        for follower in followers {
            die()
            if let seen = try? await look(as: cast.caller, once: true) {
                try expect(seen.who, is: cast.caller, "checked out while the server died")
            }
            try await expectItself(follower, "after the server died")
        }
    }

    /// Changes a setting in a lease whose work returns, and in one whose work throws.
    func settings() async throws {
        for (follower, isThrowing) in followers.flatMap({ [($0, false), ($0, true)] }) {
            let shows = Reply<Bool>()
            try await leave(throwing: isThrowing) { resource in
                try await resource.setting?.change()
                if let setting = resource.setting { shows.send(try await setting.isChanged()) }
            }
            guard let shows = shows.value else {
                throw Inapplicable(reason: "declare how a setting is changed: `Held.setting`")
            }
            if !shows { throw violation("changed a setting", "a resource that shows it", "one that does not") }
            let end = isThrowing ? "threw" : "returned"
            try await expectItself(follower, "after a lessee changed a setting and \(end)")
        }
    }

    /// Leases as the caller, runs `work`, and throws if requested; then the pool may throw that error, or another one, or none.
    private func leave(throwing isThrowing: Bool, _ work: @escaping PoolConformance.Work = { _ in }) async throws {
        let isDone = Reply<Void>()
        do {
            try await serve(cast.caller) { resource in
                try await work(resource)
                isDone.send(())
                if isThrowing { throw WorkError() }
            }
        } catch {
            if isDone.value == nil { throw error }
        }
    }

    /// Checks that no later lease gets a resource that had to be closed, even if idle ones come first.
    private func expect(_ ended: Int?, andNext next: Int?, notIn gone: inout Set<Int>, _ situation: String) throws {
        guard let ended else { throw violation("checked out", "work that is called", "none") }
        let isBack = !gone.insert(ended).inserted
        if isBack || next.map(gone.contains) ?? false {
            throw violation("checked out \(situation)", "another resource", "the same one")
        }
    }
}
