import Dispatch
import MultiIdentity

/// A plain or a carrying queue: their common methods, so that each row is written once.
enum WorkQueue: Sendable {
    typealias Work = @Sendable () -> Void

    case plain(DispatchQueue)
    case carrying(IdentityQueue)
    case carryingMain

    static func main(_ crossing: any BoundaryCrossing) -> WorkQueue { crossing.carries ? .carryingMain : .plain(.main) }

    static func new(
        _ crossing: any BoundaryCrossing,
        _ attributes: DispatchQueue.Attributes = [],
        target: DispatchQueue? = nil
    ) -> WorkQueue {
        crossing.carries
            ? .carrying(IdentityQueue(label: "upper", attributes: attributes, target: target))
            : .plain(DispatchQueue(label: "upper", attributes: attributes, target: target))
    }

    /// A queue on `target`, which drains in batches if it carries; or the one that the crossing shares.
    static func batched(_ crossing: any BoundaryCrossing, on target: DispatchQueue) -> WorkQueue {
        if let shared = crossing.shared.queue { return crossing.carries ? .carrying(shared) : .plain(shared.base) }
        return crossing.carries
            ? .carrying(IdentityQueue(label: "batched", target: target, draining: .inBatches))
            : .plain(DispatchQueue(label: "batched", target: target))
    }

    /// A queue on `target`, which is fair if it carries; or the one that the crossing shares.
    static func fair(_ crossing: any BoundaryCrossing, on target: DispatchQueue) -> WorkQueue {
        if let shared = crossing.shared.queue { return crossing.carries ? .carrying(shared) : .plain(shared.base) }
        return crossing.carries
            ? .carrying(IdentityQueue(label: "fair", target: target, draining: .fairly()))
            : .plain(DispatchQueue(label: "fair", target: target))
    }

    var base: DispatchQueue {
        switch self {
        case .plain(let queue): queue
        case .carrying(let queue): queue.base
        case .carryingMain: .main
        }
    }

    // MARK: Closures

    func async(execute work: @escaping Work) {
        switch self {
        case .plain(let queue): queue.async(execute: work)
        case .carrying(let queue): queue.async(execute: work)
        case .carryingMain: IdentityQueue.main.async(execute: work)
        }
    }

    func async(
        group: DispatchGroup? = nil,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping Work
    ) {
        switch self {
        case .plain(let queue): queue.async(group: group, qos: qos, flags: flags, execute: work)
        case .carrying(let queue): queue.async(group: group, qos: qos, flags: flags, execute: work)
        case .carryingMain: IdentityQueue.main.async(group: group, qos: qos, flags: flags, execute: work)
        }
    }

    func asyncAfter(
        deadline: DispatchTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping Work
    ) {
        switch self {
        case .plain(let queue): queue.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: work)
        case .carrying(let queue): queue.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: work)
        case .carryingMain: IdentityQueue.main.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: work)
        }
    }

    func asyncAfter(
        wallDeadline: DispatchWallTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping Work
    ) {
        switch self {
        case .plain(let queue): queue.asyncAfter(wallDeadline: wallDeadline, qos: qos, flags: flags, execute: work)
        case .carrying(let queue): queue.asyncAfter(wallDeadline: wallDeadline, qos: qos, flags: flags, execute: work)
        case .carryingMain:
            IdentityQueue.main.asyncAfter(wallDeadline: wallDeadline, qos: qos, flags: flags, execute: work)
        }
    }

    func sync(execute work: Work) {
        switch self {
        case .plain(let queue): queue.sync(execute: work)
        case .carrying(let queue): queue.sync(execute: work)
        case .carryingMain: IdentityQueue.main.sync(execute: work)
        }
    }

    func sync(flags: DispatchWorkItemFlags, execute work: Work) {
        switch self {
        case .plain(let queue): queue.sync(flags: flags, execute: work)
        case .carrying(let queue): queue.sync(flags: flags, execute: work)
        case .carryingMain: IdentityQueue.main.sync(flags: flags, execute: work)
        }
    }

    // MARK: Work items

    func async(execute item: DispatchWorkItem) {
        switch self {
        case .plain(let queue): queue.async(execute: item)
        case .carrying(let queue): queue.async(execute: item)
        case .carryingMain: IdentityQueue.main.async(execute: item)
        }
    }

    func async(group: DispatchGroup, execute item: DispatchWorkItem) {
        switch self {
        case .plain(let queue): queue.async(group: group, execute: item)
        case .carrying(let queue): queue.async(group: group, execute: item)
        case .carryingMain: IdentityQueue.main.async(group: group, execute: item)
        }
    }

    func asyncAfter(deadline: DispatchTime, execute item: DispatchWorkItem) {
        switch self {
        case .plain(let queue): queue.asyncAfter(deadline: deadline, execute: item)
        case .carrying(let queue): queue.asyncAfter(deadline: deadline, execute: item)
        case .carryingMain: IdentityQueue.main.asyncAfter(deadline: deadline, execute: item)
        }
    }

    func asyncAfter(wallDeadline: DispatchWallTime, execute item: DispatchWorkItem) {
        switch self {
        case .plain(let queue): queue.asyncAfter(wallDeadline: wallDeadline, execute: item)
        case .carrying(let queue): queue.asyncAfter(wallDeadline: wallDeadline, execute: item)
        case .carryingMain: IdentityQueue.main.asyncAfter(wallDeadline: wallDeadline, execute: item)
        }
    }

    func sync(execute item: DispatchWorkItem) {
        switch self {
        case .plain(let queue): queue.sync(execute: item)
        case .carrying(let queue): queue.sync(execute: item)
        case .carryingMain: IdentityQueue.main.sync(execute: item)
        }
    }
}

extension BoundaryCrossing {
    /// The crossing's queue, as it is or carrying.
    var workQueue: WorkQueue {
        carries ? .carrying(shared.queue ?? IdentityQueue(wrapping: queue)) : .plain(queue)
    }
}
