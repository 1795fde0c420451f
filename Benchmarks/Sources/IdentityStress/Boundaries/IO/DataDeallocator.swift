import Dispatch
import MultiIdentity

/// `DispatchData.Deallocator.propagatingIdentity` of data that a stranger lets go of last.
///
/// A raw closure behind the deallocator on the same queue asks the worker.
struct DataDeallocator: CarriedBoundary {
    let name = "DispatchData, deallocator"

    func handOver(_ hop: Hop, _ way: Way) {
        let queue = hop.lane.serial.base
        var data: DispatchData? = Self.data(on: queue, way) { hop.run { hop.askWorker(on: queue) } }
        withIdentity(hop.stranger) {
            withExtendedLifetime(data) {}
            data = nil
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let queue = block.lane.serial.base
        let work = block.work
        block.held(queue) { _ = Self.data(on: queue, way, work) }
    }

    private static func data(
        on queue: DispatchQueue,
        _ way: Way,
        _ work: @escaping @Sendable () -> Void
    ) -> DispatchData {
        let deallocator: DispatchData.Deallocator =
            switch way {
            case .carried: .propagatingIdentity(queue, work)
            case .raw: .custom(queue, work)
            }
        return DispatchData(bytesNoCopy: bytes, deallocator: deallocator)
    }

    // `nonisolated(unsafe)`: bytes that are there for good, and that nobody writes once they are made.
    private nonisolated(unsafe) static let bytes: UnsafeRawBufferPointer = {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        return UnsafeRawBufferPointer(bytes)
    }()
}
