#if os(Linux)
import CMultiIdentityScheduling

/// A vector clock: the last moment of each piece that is known to come before.
struct ScheduledClock {
    private var times: [UInt32] = []

    mutating func join(_ other: ScheduledClock) {
        if times.count < other.times.count {
            times += repeatElement(0, count: other.times.count - times.count)
        }
        for index in other.times.indices where other.times[index] > times[index] { times[index] = other.times[index] }
    }

    /// Begins the next moment of a piece.
    mutating func tick(_ piece: Int) {
        if times.count <= piece { times += repeatElement(0, count: piece + 1 - times.count) }
        times[piece] += 1
    }

    func time(of piece: Int) -> UInt32 { piece < times.count ? times[piece] : 0 }
}

/// The accesses to a value, without those that no later access has to be compared with.
struct ScheduledAccesses: Sendable {
    /// A moment of a piece, in words and numbers.
    struct Moment: Sendable {
        let piece: Int
        let time: UInt32
        let place: String
    }

    private var write: Moment?
    private var reads: [Moment] = []

    /// Returns an earlier access that no hand-over orders before this one.
    mutating func add(_ moment: Moment, isWrite: Bool, after clock: ScheduledClock) -> Moment? {
        func isUnordered(_ other: Moment) -> Bool {
            other.piece != moment.piece && clock.time(of: other.piece) < other.time
        }
        let conflict = write.flatMap { isUnordered($0) ? $0 : nil } ?? (isWrite ? reads.first(where: isUnordered) : nil)
        if isWrite {
            (write, reads) = (moment, [])
        } else {
            reads.removeAll { $0.piece == moment.piece || !isUnordered($0) }
            reads.append(moment)
        }
        return conflict
    }
}

extension Schedule {
    /// Records in `clock` all that the current piece has done so far.
    func release(into clock: inout ScheduledClock) {
        guard settings.findsRaces, let piece = worker?.piece else { return }
        orderAsTask(piece)
        clock.join(piece.clock)
        tick(piece)
    }

    func tick(_ piece: ScheduledPiece) {
        piece.clock.tick(piece.number)
        moments.tick(piece.number)
    }

    /// Orders a task after all that was done before: the runtime does not report what it waited for if that had already ended.
    private func orderAsTask(_ piece: ScheduledPiece) {
        if piece.queue === tasks { piece.clock.join(moments) }
    }

    /// Orders the moments of `clock` before all that the current piece does from now on.
    func acquire(_ clock: ScheduledClock) {
        guard settings.findsRaces else { return }
        worker?.piece?.clock.join(clock)
    }

    /// Records an access by the current piece, and reports one that no hand-over orders with it.
    func access(_ accesses: inout ScheduledAccesses, isWrite: Bool, _ what: String) {
        guard settings.findsRaces, let piece = worker?.piece else { return }
        orderAsTask(piece)
        let moment = ScheduledAccesses.Moment(
            piece: piece.number,
            time: piece.clock.time(of: piece.number),
            place: "piece \(piece.number) on \(piece.queue.label)"
        )
        guard let other = accesses.add(moment, isWrite: isWrite, after: piece.clock) else { return }
        find(
            "\(what): \(moment.place) \(isWrite ? "writes" : "reads") it, and no hand-over orders that with \(other.place)"
        )
    }
}
#endif
