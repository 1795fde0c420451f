import Dispatch

/// The due time of delayed work, on one of Dispatch's two clocks.
enum DueTime {
    /// On the clock that stops while the machine sleeps.
    case uptime(DispatchTime)
    case wall(DispatchWallTime)

    /// The time in libdispatch's representation, whichever clock it is on.
    var rawValue: UInt64 {
        switch self {
        case .uptime(let time): time.rawValue
        case .wall(let time): time.rawValue
        }
    }

    var hasCome: Bool {
        switch self {
        case .uptime(let time): time <= .now()
        case .wall(let time): time <= .now()
        }
    }

    /// Hands a work item to Dispatch.
    func hand(_ item: DispatchWorkItem, to queue: DispatchQueue) {
        switch self {
        case .uptime(let time): queue.asyncAfter(deadline: time, execute: item)
        case .wall(let time): queue.asyncAfter(wallDeadline: time, execute: item)
        }
    }
}
