import Foundation
import MultiIdentity

// Many callers, and how often work runs.
extension BoundaryCheck {
    /// Hands over one closure as several callers: all before the first runs, and all at once.
    func distinguishesCallers() async throws {
        for isAtOnce in [false, true] {
            // A name comes last: otherwise a boundary that remembers the last caller would look like one that loses all.
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
                handOverTogether(as: callers, opening: gate) { _ in prepare(work) }
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

    /// Runs chains of hops: the work of each hop hands over the next one, as a newly drawn identity.
    func neverMixesCallers() async throws {
        let callers: [Identity?] = cast.many + [.nobody, nil]
        var random = SeededGenerator(seed: seed)
        let chains = callers.map { first in
            [first] + (1..<16).compactMap { _ in callers.randomElement(using: &random) }
        }
        let (ended, wrong, done) = (Notes<Void>(), Reply<Mixed>(), Reply<Void>())
        // A worker that waits for a place in its own boundary would deadlock.
        let isFlat = boundary.isAwaited || boundary.capacity != nil
        let ends = isFlat ? chains.count * chains[0].count : chains.count
        let finish: @Sendable () -> Void = { if ended.count(adding: ()) >= ends { done.send(()) } }
        for chain in chains {
            startThread { [self] in
                if isFlat {
                    for hop in chain.indices {
                        withIdentity(chain[hop]) {
                            handOver {
                                note(chain, hop, wrong)
                                finish()
                            }
                        }
                    }
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

    /// Hands over the next hop of a chain; if work runs twice, the second run hands over nothing.
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

    /// Captures more often than a fixed-size table has entries, before the first capture is needed.
    ///
    /// The callers are random, so that a ring buffer does not overwrite each capture with an equal one.
    func keepsEveryCapture() async throws {
        let isEarly = boundary.capturePoint != .handedOver
        if boundary.isAwaited && !isEarly {
            throw skip("each caller waits for its work, so captures cannot queue up")
        }
        var random = SeededGenerator(seed: seed)
        let all = cast.callers + cast.many
        let callers = (0..<min(Self.manyCaptures, (boundary.capacity ?? Self.manyCaptures) + Self.fewCaptures))
            .map { _ in all[random.below(all.count)] }
        let (replies, gate) = (callers.map { _ in Reply<Identity?>() }, gate())
        let prepared: @Sendable (Int) -> BoundaryConformance.Work = { [self] index in
            // Only as many wait as keep the workers busy: each can take a thread.
            prepare(behind: !isEarly && index < Self.workers ? gate : nil) { replies[index].send(Identity.current) }
        }
        if isEarly {
            let fires = callers.enumerated().map { index, caller in withIdentity(caller) { prepared(index) } }
            handOverTogether(as: callers.map { _ in cast.hander }, opening: gate) { fires[$0] }
        } else {
            handOverTogether(as: callers, opening: gate, prepared)
        }
        let situation = Situation.of(
            "\(callers.count) pieces of work handed over before the first one ran, seed \(seed)"
        )
        for (index, caller) in callers.enumerated() {
            let place = "in number \(index + 1)"
            let found = try await value(of: replies[index], in: situation.remarked(place))
            try expect(found, is: caller, in: situation, place)
        }
    }

    /// More than the 1,024 entries of a table; few enough for boundaries that start a thread for each.
    private static let manyCaptures = 1_100
    private static let fewCaptures = 64
    /// The most workers that the check keeps busy.
    private static let workers = 64

    /// Hands over one piece of work as each caller, on one thread, and then opens the gate that the work waits at.
    ///
    /// Beyond the capacity of a bounded boundary, the caller may have to wait; the gate then opens after a while.
    func handOverTogether(
        as callers: [Identity?],
        opening gate: Gate,
        _ prepared: @escaping @Sendable (Int) -> BoundaryConformance.Work
    ) {
        startThread { [self] in
            gate.belongsHere()
            let handed = Reply<Void>()
            for (index, caller) in callers.enumerated() {
                if index == boundary.capacity { openLater(gate, unless: handed) }
                withIdentity(caller) { prepared(index)() }
            }
            handed.send(())
            gate.open()
            drain(as: cast.worker)
        }
    }

    /// Opens the gate on a new thread: work that waits at it can block all workers of Dispatch, and so those of tasks.
    private func openLater(_ gate: Gate, unless handed: Reply<Void>) {
        startThread { [self] in
            repeat {
                Thread.sleep(forTimeInterval: 0.1)
                gate.open()
                drain(as: cast.worker)
            } while handed.value == nil
        }
    }

    /// Hands over several pieces and counts their runs; a piece that was released cannot run again.
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

    func returnsResults() async throws {
        guard let handOver = boundary.handOverReturning else {
            throw skip("declare how work returns values to its caller: `.returning { … }`")
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
