import Dispatch
import MultiIdentity

/// `channel.propagatingIdentity.read` of a few bytes with random access.
///
/// A raw closure behind the handler on the same queue asks the worker.
struct IORead: CarriedBoundary {
    let name = "channel.read, at random"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.given
        Self.read(hop.lane.files, on: queue, way) { hop.run { hop.askWorker(on: queue) } }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.given
        let work = block.work
        block.each { Self.read(block.lane.files, on: queue, way, work) }
    }

    private static func read(
        _ files: LaneFiles,
        on queue: DispatchQueue,
        _ way: Way,
        _ work: @escaping @Sendable () -> Void
    ) {
        let handler: @Sendable (Bool, DispatchData?, Int32) -> Void = { isDone, _, _ in if isDone { work() } }
        let channel = files.channel
        switch way {
        case .carried: channel.propagatingIdentity.read(offset: 0, length: 4, queue: queue, ioHandler: handler)
        case .raw: channel.read(offset: 0, length: 4, queue: queue, ioHandler: handler)
        }
    }
}
