import Dispatch
import MultiIdentity

extension FairnessPromise {
    /// The length of the long line.
    private static var length: Int { 1_000 }

    /// Checks that a queue keeps this promise.
    ///
    /// It hands over work while all of the queue's places are taken by work that waits, so that lines fill.
    ///
    /// - Parameters:
    ///   - boundary: The queue; preferably a new one for each check.
    ///   - places: The number of pieces that it runs at a time. The order within an identity is visible only with one.
    /// - Returns: That the promise is kept, or why it does not apply.
    /// - Throws: ``FairnessViolation`` if it is broken.
    @discardableResult
    public func check(on boundary: BoundaryConformance, places: Int) async throws -> PromiseOutcome {
        guard case .synchronous(let prepare) = boundary.carrier, !boundary.isAwaited, boundary.capacity == nil,
            boundary.drain == nil
        else {
            return .notApplicable(reason: "its caller, or a task, waits, so that no line fills")
        }
        if self == .keepsOrderWithinAnIdentity, places > 1 {
            return .notApplicable(reason: "pieces that run at a time have no order")
        }
        let cast = try Cast()
        let others: [Identity?] = [nil, .nobody] + cast.many
        let ran = try await Self.run(on: boundary, prepare, places, cast.caller, others)
        let mistake =
            switch self {
            case .keepsNobodyWaiting: Self.wait(in: ran, of: others, behind: cast.caller, places)
            case .keepsOrderWithinAnIdentity: Self.disorder(in: ran)
            }
        if let mistake { throw FairnessViolation(promise: self, queue: boundary.name, found: mistake) }
        return .kept
    }

    private struct Piece: Sendable {
        let identity: Identity?
        let number: Int
    }

    /// Hands over the long line, and then the others' work; returns what ran, in the order in which it began.
    private static func run(
        on boundary: BoundaryConformance,
        _ prepare: @escaping @Sendable (@escaping BoundaryConformance.Work) -> BoundaryConformance.Work,
        _ places: Int,
        _ caller: Identity?,
        _ others: [Identity?]
    ) async throws -> [Piece] {
        let (ran, done, gate) = (Notes<Piece>(), Reply<Void>(), DispatchSemaphore(value: 0))
        let count = length + 3 * others.count
        @Sendable func hand(_ number: Int, as identity: Identity?) {
            withIdentity(identity) {
                prepare {
                    if ran.count(adding: Piece(identity: identity, number: number)) == count { done.send(()) }
                }()
            }
        }
        let begun = DispatchSemaphore(value: 0)
        startThread {
            for _ in 0..<places {
                withIdentity(caller) {
                    prepare {
                        begun.signal()
                        gate.wait()
                    }()
                }
            }
            for _ in 0..<places { begun.wait() }
            for number in 0..<length { hand(number, as: caller) }
            for number in 0..<3 { for identity in others { hand(number, as: identity) } }
            for _ in 0..<places { gate.signal() }
        }
        _ = try await done.value(within: boundary.limit)
        return ran.all
    }

    /// Each of the others may begin its pieces in turn, while the places serve the line beside them.
    private static func wait(
        in ran: [Piece],
        of others: [Identity?],
        behind caller: Identity?,
        _ places: Int
    ) -> String? {
        // Twice the turns, since pieces that run at a time are noted in any order.
        let bound = 2 * 3 * (others.count + 1) + 4 * places
        guard let late = ran.indices.last(where: { ran[$0].identity != caller }), late >= bound else {
            return ran.count { $0.identity != caller } == 3 * others.count ? nil : "work that did not run"
        }
        let name = ran[late].identity?.description ?? "unset"
        return "work of \(name) that began after \(late) pieces, and not after \(bound) at most"
    }

    private static func disorder(in ran: [Piece]) -> String? {
        var last: [Identity?: Int] = [:]
        for piece in ran {
            if let before = last[piece.identity], before > piece.number {
                return "piece \(piece.number) of \(piece.identity?.description ?? "unset") after its piece \(before)"
            }
            last[piece.identity] = piece.number
        }
        return nil
    }
}
