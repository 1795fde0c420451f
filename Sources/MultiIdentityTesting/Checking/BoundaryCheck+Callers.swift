import MultiIdentity

// Many callers, and what runs how often.
extension BoundaryCheck {
    /// One and the same closure, handed over by several: by all before the first runs, and by all at once.
    func tellsCallersApart() async throws {
        for isAtOnce in [false, true] {
            // A name comes last, to tell one who remembers the last from one who loses all.
            let callers: [Identity?] = [nil, .nobody] + cast.many
            let (seen, all, gate) = (Notes<Identity?>(), Reply<[Identity?]>(), gate())
            let work: BoundaryConformance.Work = {
                gate.pass()
                if seen.count(adding: Identity.current) >= callers.count { all.send(seen.all) }
            }
            if isAtOnce {
                gate.open()
                for caller in callers { handOver(Situation(as: caller), work) }
            } else {
                startThread { [self] in
                    for caller in callers { withIdentity(caller) { prepare(work)() } }
                    gate.open()
                    drain(as: cast.worker)
                }
            }
            let manner = isAtOnce ? "at once" : "one after the other"
            let situation = Situation.of("one closure handed over by \(callers.count) callers \(manner)")
            var missing = callers
            for identity in try await value(of: all, in: situation) {
                if let index = missing.firstIndex(of: identity) {
                    missing.remove(at: index)
                } else {
                    try expect(identity, is: missing.first ?? nil, in: situation)
                }
            }
        }
    }

    /// Chains of hops: each is handed over by the work of the one before, as somebody who is drawn anew.
    func neverMixesCallers() async throws {
        let callers: [Identity?] = cast.many + [.nobody, nil]
        var random = SeededGenerator(seed: seed)
        let chains = callers.map { first in
            [first] + (1..<16).compactMap { _ in callers.randomElement(using: &random) }
        }
        let (ended, wrong, done) = (Notes<Void>(), Reply<Mixed>(), Reply<Void>())
        let finish: @Sendable () -> Void = { if ended.count(adding: ()) >= chains.count { done.send(()) } }
        for chain in chains {
            startThread { [self] in
                if boundary.isAwaited {
                    for hop in chain.indices { withIdentity(chain[hop]) { handOver { note(chain, hop, wrong) } } }
                    finish()
                } else {
                    hops(chain, Locked(0), wrong, finish)
                }
            }
        }
        let situation = Situation.of("\(chains.count) chains of \(chains[0].count) hops at once, seed \(seed)")
        try await value(of: done, in: situation)
        if let mixed = wrong.value {
            try expect(mixed.found, is: mixed.expected, in: situation, "at hop \(mixed.hop)")
        }
    }

    private struct Mixed: Sendable {
        let expected: Identity?
        let found: Identity?
        let hop: Int
    }

    private func note(_ chain: [Identity?], _ hop: Int, _ wrong: Reply<Mixed>) {
        let found = Identity.current
        if found != chain[hop] { wrong.send(Mixed(expected: chain[hop], found: found, hop: hop)) }
    }

    /// Hands over the next hop of a chain; a hop that runs again, where work runs twice, hands over nothing.
    private func hops(
        _ chain: [Identity?],
        _ begun: Locked<Int>,
        _ wrong: Reply<Mixed>,
        _ finish: @escaping @Sendable () -> Void
    ) {
        let hop = begun.withLock { $0 }
        withIdentity(chain[hop]) {
            handOver {
                note(chain, hop, wrong)
                let isFirst = begun.withLock { begun in
                    defer { begun = max(begun, hop + 1) }
                    return begun == hop
                }
                if isFirst { if hop + 1 < chain.count { hops(chain, begun, wrong, finish) } else { finish() } }
            }
        }
    }

    /// Several pieces, each counted; a piece that was released cannot run again.
    func runsExactlyOnce() async throws {
        let pieces = (0..<8).map { _ in (runs: Notes<Void>(), ran: Reply<Void>(), gone: Reply<Void>()) }
        for (index, piece) in pieces.enumerated() {
            handOver(Situation(as: cast.many[index]), counting(piece.runs, piece.ran, Farewell(piece.gone)))
        }
        let situation = Situation.of("\(pieces.count) pieces of work handed over")
        for piece in pieces { try await value(of: piece.ran, in: situation) }
        let clock = ContinuousClock()
        let end = clock.now + min(boundary.releaseLimit, .seconds(2))
        for piece in pieces { _ = try await piece.gone.value(within: max(.zero, clock.now.duration(to: end))) }
        if let runs = pieces.map(\.runs.all.count).first(where: { $0 != 1 }) {
            throw violation(situation, expected: .fact("1 run"), found: .fact("\(runs) runs"), cause: .runTwice)
        }
    }

    private func counting(_ runs: Notes<Void>, _ ran: Reply<Void>, _ farewell: Farewell) -> BoundaryConformance.Work {
        {
            runs.add(())
            ran.send(())
            withExtendedLifetime(farewell) {}
        }
    }

    func passesResultsOn() async throws {
        guard let handOver = boundary.handOverReturning else {
            throw skip("it is not said how work that returns to its caller is handed over: `.returning { … }`")
        }
        for caller in cast.callers {
            let situation = Situation(as: caller)
            let results = Reply<(value: Int?, identity: Identity?, error: (any Error)?)>()
            startThread {
                withIdentity(caller) {
                    let identity = Reply<Identity?>()
                    let value = try? handOver {
                        identity.send(Identity.current)
                        return 42
                    }
                    let failure = Result { try handOver { throw WorkError() } }
                    let error: (any Error)? = if case .failure(let error) = failure { error } else { nil }
                    results.send((value, identity.value ?? nil, error))
                }
            }
            let seen = try await value(of: results, in: situation)
            let found = seen.value.map(String.init) ?? "no value"
            if seen.value != 42 {
                throw violation(situation, expected: .fact("42"), found: .fact(found), cause: .results)
            }
            if !(seen.error is WorkError) {
                let found = seen.error.map { "\($0)" } ?? "no error"
                throw violation(situation, expected: .fact("the work's error"), found: .fact(found), cause: .results)
            }
            try expect(seen.identity, is: caller, in: situation, "in work with a result")
        }
    }
}
