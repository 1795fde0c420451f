import Dispatch
import MultiIdentity

/// `channel.propagatingIdentity.write` of a few bytes with random access.
///
/// A raw closure behind the handler on the same queue asks the worker.
struct IOWrite: CarriedBoundary {
    let name = "channel.write, at random"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.given
        Self.write(hop.lane.files, on: queue, way) { hop.run { hop.askWorker(on: queue) } }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.given
        let work = block.work
        block.each { Self.write(block.lane.files, on: queue, way, work) }
    }

    private static func write(
        _ files: LaneFiles,
        on queue: DispatchQueue,
        _ way: Way,
        _ work: @escaping @Sendable () -> Void
    ) {
        let handler: @Sendable (Bool, DispatchData?, Int32) -> Void = { isDone, _, _ in if isDone { work() } }
        let (channel, data) = (files.channel, LaneFiles.data)
        switch way {
        case .carried: channel.propagatingIdentity.write(offset: 0, data: data, queue: queue, ioHandler: handler)
        case .raw: channel.write(offset: 0, data: data, queue: queue, ioHandler: handler)
        }
    }
}
