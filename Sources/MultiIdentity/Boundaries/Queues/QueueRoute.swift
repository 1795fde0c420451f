import Dispatch

/// The route by which a queue's work reaches Dispatch.
enum QueueRoute: Sendable {
    /// In a box of one allocation, by the queue's verified C handle.
    case handle(QueueHandle)
    /// Through the list of a queue that drains in batches.
    ///
    /// That list keeps a handle of its own: whatever has one here is handed over piece by piece.
    case batches(WorkInBatches)
    /// In a closure, by Dispatch itself.
    case closures
}

extension IdentityQueue {
    /// The list of work of a queue that drains in batches.
    var batches: WorkInBatches? { if case .batches(let batches) = route { batches } else { nil } }

    /// Hands `work` over as the identity that is bound here.
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
        case .handle(let handle):
            if handle.hand(how, { WorkBox(work, capture(runsOnce: true)) }) { return }
            fallthrough
        case .closures:
            how.hand(capture().wrapOnce(work), to: base)
        }
    }

    /// Hands a work item over, which runs as it was made to.
    @inline(__always)
    func hand(_ item: DispatchWorkItem, for group: DispatchGroup? = nil, at time: DueTime? = nil) {
        if let batches { return batches.hand(item, for: group, at: time) }
        if let time {
            time.hand(item, to: base)
        } else if let group {
            base.async(group: group, execute: item)
        } else {
            base.async(execute: item)
        }
    }
}

/// What work is handed over with, as Dispatch takes it.
struct HandOver {
    var group: DispatchGroup?
    var qos = DispatchQoS.unspecified
    var flags: DispatchWorkItemFlags = []
    /// `nil` for work that is due at once.
    var time: DueTime?

    /// Hands a closure to Dispatch.
    func hand(_ work: @escaping @Sendable () -> Void, to queue: DispatchQueue) {
        switch time {
        case .uptime(let time): queue.asyncAfter(deadline: time, qos: qos, flags: flags, execute: work)
        case .wall(let time): queue.asyncAfter(wallDeadline: time, qos: qos, flags: flags, execute: work)
        case nil: queue.async(group: group, qos: qos, flags: flags, execute: work)
        }
    }
}
