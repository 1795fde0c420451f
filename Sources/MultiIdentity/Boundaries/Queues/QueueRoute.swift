import Dispatch

/// The route of a queue's work to Dispatch.
enum QueueRoute: Sendable {
    /// In a box of one allocation, through the queue's verified C handle.
    case handle(QueueHandle)
    /// Through the list of a queue that drains in batches.
    ///
    /// The list has its own handle: work with a handle here is handed over piece by piece.
    case batches(WorkInBatches)
    /// Through the lines of a fair queue, which have their own handle too.
    case turns(WorkInTurns)
    /// In a closure, through Dispatch itself.
    case closures
}

extension IdentityQueue {
    /// The list of work of a queue that drains in batches.
    var batches: WorkInBatches? { if case .batches(let batches) = route { batches } else { nil } }

    /// The lines of a fair queue.
    var turns: WorkInTurns? { if case .turns(let turns) = route { turns } else { nil } }

    /// Hands over `work` as the identity that is bound here.
    func hand(
        _ work: @escaping @Sendable () -> Void,
        _ how: HandOver,
        at boundary: IdentityBoundary,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        func capture(runsOnce: Bool = false) -> BoundaryCapture {
            BoundaryCapture(at: boundary, onto: base, runsOnce: runsOnce, fileID, line)
        }
        switch route {
        case .batches(let batches):
            batches.hand(work, how, capture())
        case .turns(let turns):
            turns.hand(work, how, capture())
        case .handle(let handle):
            if handle.hand(how, { WorkBox(work, capture(runsOnce: true)) }) { return }
            fallthrough
        case .closures:
            how.hand(capture().wrapOnce(work), to: base)
        }
    }

    /// Hands over a work item, which runs with the identity of its creation.
    @inline(__always)
    func hand(_ item: DispatchWorkItem, for group: DispatchGroup? = nil, at time: DueTime? = nil) {
        if let batches { return batches.hand(item, for: group, at: time) }
        if let turns { return turns.hand(item, for: group, at: time) }
        if let time {
            time.hand(item, to: base)
        } else if let group {
            base.async(group: group, execute: item)
        } else {
            base.async(execute: item)
        }
    }
}

/// The options of a hand-over, as in Dispatch.
///
/// `@unchecked Sendable`: values, and a thread-safe object of libdispatch, which are not marked `Sendable` on Linux.
struct HandOver: @unchecked Sendable {
    var group: DispatchGroup?
    var qos = DispatchQoS.unspecified
    var flags: DispatchWorkItemFlags = []
    /// `nil` for work that is due at once.
    var time: DueTime?

    /// The same for work that is due.
    var now: HandOver { HandOver(group: group, qos: qos, flags: flags) }

    /// Hands a closure to Dispatch.
    func hand(_ work: @escaping @Sendable () -> Void, to queue: DispatchQueue) {
        switch time {
        case .uptime(let time): queue.asyncAfter(deadline: time, qos: qos, flags: flags, execute: work)
        case .wall(let time): queue.asyncAfter(wallDeadline: time, qos: qos, flags: flags, execute: work)
        case nil: queue.async(group: group, qos: qos, flags: flags, execute: work)
        }
    }
}
