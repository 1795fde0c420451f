import Dispatch
@_spi(Checks) import MultiIdentityTesting

@testable import MultiIdentity

/// A random program for one serial queue, from a seed: runs on different queues can be compared.
struct QueueProgram: Sendable {
    /// A function that hands over one piece of work.
    enum Way: CaseIterable, Sendable {
        case async, barrier, quality, group, item, itemInGroup, due, dueItem, dueByWallClock, sync, syncBarrier,
            syncItem

        var isAwaited: Bool { [.sync, .syncBarrier, .syncItem].contains(self) }
    }

    /// What a piece of work does besides recording that it runs.
    enum Deed: Sendable {
        case nothing
        /// Hands over more, without waiting.
        case handsOver([Step])
        /// Suspends the queue, which another thread resumes.
        case suspends
        case binds
    }

    struct Step: Sendable {
        let number: Int
        let way: Way
        let caller: Identity?
        let deed: Deed
    }

    /// Each round hands over work, and then waits for it.
    struct Round: Sendable {
        let isHeld: Bool
        let steps: [Step]
    }

    let rounds: [Round]
    private(set) var callers: [Int: Identity?] = [:]

    init(seed: UInt64, among identities: [Identity?]) {
        var random = SeededGenerator(seed: seed)
        var count = 0
        var callers: [Int: Identity?] = [:]
        func step(mayWait: Bool, mayHandOver: Bool) -> Step {
            count += 1
            let ways = Way.allCases.filter { mayWait || !$0.isAwaited }
            let identity = random.element(of: identities)
            callers[count] = identity
            let number = count
            let deed: Deed =
                switch random.number(below: 12) {
                case 0 where mayHandOver:
                    .handsOver((0...random.number(below: 4)).map { _ in step(mayWait: false, mayHandOver: false) })
                case 1: .suspends
                case 2: .binds
                default: .nothing
                }
            return Step(number: number, way: random.element(of: ways), caller: identity, deed: deed)
        }
        rounds = (0..<4).map { _ in
            // While the queue is suspended, no one may wait until it resumes; only then is it certain that everything handed
            // over in a round comes before what its work hands over. Long rounds are more than a batch.
            let isHeld = random.number(below: 2) == 0
            let length = [5, 40, 300][random.number(below: 3)]
            return Round(isHeld: isHeld, steps: (0..<length).map { _ in step(mayWait: !isHeld, mayHandOver: isHeld) })
        }
        self.callers = callers
    }
}

extension SeededGenerator {
    fileprivate mutating func number(below limit: Int) -> Int { Int(next() % UInt64(limit)) }
    fileprivate mutating func element<Element>(of elements: [Element]) -> Element {
        elements[number(below: elements.count)]
    }
}
