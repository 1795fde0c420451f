import MultiIdentity

/// The waiters of a pool, in turns: one of each identity that has any, and of each in the order in which they came.
struct FairLine {
    private var lines: [Identity: Queue<LeaseWaiter>] = [:]
    /// Each identity that has a line, once.
    private var turns = Queue<Identity>()
    /// Those in line, with those that wait no longer and have not been passed yet.
    private var inLine = 0
    /// Those that wait no longer.
    private var gone = 0

    var count: Int { max(0, inLine - gone) }
    /// True if nobody is in line, gone or not.
    var isEmpty: Bool { inLine == 0 }

    mutating func append(_ waiter: LeaseWaiter) {
        if lines[waiter.lessee] == nil { turns.append(waiter.lessee) }
        lines[waiter.lessee, default: Queue()].append(waiter)
        inLine += 1
    }

    /// Takes the next: the first of the identity that is next, which then goes behind all others.
    mutating func popFirst() -> LeaseWaiter? {
        while let identity = turns.popFirst() {
            while let waiter = lines[identity]?.popFirst() {
                inLine -= 1
                if waiter.isSettled {
                    gone -= 1
                    continue
                }
                if lines[identity]?.isEmpty == true { lines[identity] = nil } else { turns.append(identity) }
                return waiter
            }
            lines[identity] = nil
        }
        return nil
    }

    /// Notes that one in line waits no longer; it is let go of when its turn comes, or when those are the larger part.
    mutating func oneIsGone() {
        gone += 1
        if gone > 16, gone * 2 > inLine { sweep() }
    }

    /// Notes that one that was taken from the line had gone before it could be notified.
    mutating func takenWasGone() { gone -= 1 }

    private mutating func sweep() {
        let before = inLine
        for identity in Array(lines.keys) {
            lines[identity]?.removeAll(where: \.isSettled)
            if lines[identity]?.isEmpty == true { lines[identity] = nil }
        }
        turns.removeAll { lines[$0] == nil }
        inLine = lines.values.reduce(0) { $0 + $1.count }
        gone -= before - inLine
    }

    /// Takes those of one identity.
    mutating func removeAll(of identity: Identity) -> [LeaseWaiter] {
        guard var line = lines.removeValue(forKey: identity) else { return [] }
        turns.removeAll { $0 == identity }
        let all = line.removeAll()
        inLine -= all.count
        gone -= all.count(where: \.isSettled)
        return all
    }

    mutating func removeAll() -> [LeaseWaiter] {
        defer { self = FairLine() }
        return lines.values.flatMap { line in
            var line = line
            return line.removeAll()
        }
    }
}
