@testable import MultiIdentity

/// A server of a fair line, with a cost for each piece instead of a clock; it checks each choice by a search.
struct FairServer: ~Copyable {
    private(set) var line = FairLine()
    private(set) var used: [Identity?: UInt64] = [:]
    /// The numbers of the pieces that ran, and of those that were added.
    private(set) var ran: [Identity?: [Int]] = [:]
    private(set) var added: [Identity?: [Int]] = [:]
    /// The first wrong choice.
    private(set) var mistake: String?

    private let weight: (Identity?) -> Double
    private let last = Locked(-1)
    private var count = 0
    private var running: [FairLine.Tenant] = []

    init(weight: @escaping (Identity?) -> Double = { _ in 1 }) { self.weight = weight }

    // Nothing that waits is released with a line.
    deinit { precondition(line.waiting == 0) }

    mutating func add(_ identity: Identity?) {
        let (last, number) = (last, count)
        count += 1
        added[identity, default: []].append(number)
        let tenant = line.tenant(of: identity) ?? line.begin(identity, weight: weight(identity))
        let work = BatchedWork({ last.withLock { $0 = number } }, BoundaryCapture(of: .nothing, at: .async))
        line.add(FairPiece.made(.work(work), isBarrier: false), to: tenant)
    }

    /// Begins the next piece; returns its identity.
    mutating func begin() -> Identity?? {
        guard let (piece, tenant) = line.take() else { return nil }
        let identity = tenant.pointee.identity
        if case .work(let work) = FairPiece.taken(piece) { work.run() }
        ran[identity, default: []].append(last.withLock { $0 })
        running.append(tenant)
        // Equal is what differs by less than a grain.
        for other in line.all where other.pointee.first != nil {
            if other.pointee.used >> FairOrder.grain < tenant.pointee.used >> FairOrder.grain {
                mistake = mistake ?? "\(identity?.name ?? "unset") was served, who had used more than another."
            }
        }
        return .some(identity)
    }

    /// Ends the oldest running piece, or another one.
    mutating func end(_ index: Int = 0, cost: UInt64) {
        if running.isEmpty { return }
        let tenant = running.remove(at: index % running.count)
        used[tenant.pointee.identity, default: 0] += cost
        line.end(of: tenant, cost: cost)
    }

    /// Serves up to `count` pieces, one after another, and returns whose they were.
    @discardableResult
    mutating func serve(_ count: Int, _ cost: (Identity?) -> UInt64) -> [Identity?] {
        var served: [Identity?] = []
        while served.count < count, let identity = begin() {
            served.append(identity)
            end(cost: cost(identity))
        }
        return served
    }

    /// Serves all that waits.
    mutating func finish() {
        while !running.isEmpty { end(cost: 1) }
        serve(.max) { _ in 1 }
    }
}
