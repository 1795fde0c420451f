import Dispatch
import MultiIdentity

/// `channel.propagatingIdentity.barrier`, among reads and writes of the same channel.
///
/// A raw closure on a global queue, where libdispatch runs barriers of channels, asks a worker.
struct IOBarrier: CarriedBoundary {
    let name = "channel.barrier"

    func handOver(_ hop: Hop, _ way: Way) {
        Self.barrier(hop.lane.files, way) { hop.run { hop.askWorker(on: .global()) } }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let work = block.work
        block.each { Self.barrier(block.lane.files, way, work) }
    }

    private static func barrier(_ files: LaneFiles, _ way: Way, _ work: @escaping @Sendable () -> Void) {
        switch way {
        case .carried: files.channel.propagatingIdentity.barrier(execute: work)
        case .raw: files.channel.barrier(execute: work)
        }
    }
}
