import Dispatch
import MultiIdentity

/// `source.propagatingIdentity.setEventHandler` of a source that watches a pipe, with others that watch the same one.
///
/// A raw closure behind the handler on the same queue asks the worker.
struct SourceRead: CarriedBoundary {
    let name = "read source, event"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.serial.base
        Self.read(hop.lane.files, on: queue, way) { hop.run { hop.askWorker(on: queue) } }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.serial.base
        let work = block.work
        block.each { Self.read(block.lane.files, on: queue, way, work) }
    }

    private static func read(
        _ files: LaneFiles,
        on queue: DispatchQueue,
        _ way: Way,
        _ work: @escaping @Sendable () -> Void
    ) {
        let source = DispatchSource.makeReadSource(fileDescriptor: files.readable, queue: queue).propagatingIdentity
        source.setEventHandler(way) {
            work()
            source.cancel()
        }
        // A descriptor must stay open until nothing watches it any more.
        source.base.setCancelHandler { withExtendedLifetime(files) {} }
        source.activate()
    }
}
