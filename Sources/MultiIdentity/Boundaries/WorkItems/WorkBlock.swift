import CMultiIdentity

/// The block that Dispatch makes a work item from: work that may run any number of times, and its identity.
///
/// A Swift closure around the work would be one more object, which Swift would put into a block anyway.
enum WorkBlock {
    typealias Block = @convention(block) @Sendable () -> Void

    /// Laid out as C's `mi_work`.
    private struct Contents {
        let captured: BoundaryCapture
        let work: @Sendable () -> Void
    }

    @inline(__always)
    static func make(_ work: consuming @escaping @Sendable () -> Void, _ captured: consuming BoundaryCapture) -> Block {
        var block = mi_work_block_make(ThreadMirror.bitsOfNothing, BindingFeatures.askedByC.rawValue, run, end)
        contents(of: mi_work_block_contents(block)).initialize(to: Contents(captured: captured, work: work))
        // Moves the only reference: a block is one pointer, and copying it would retain it again.
        return withUnsafeMutablePointer(to: &block) { place in
            place.withMemoryRebound(to: Owned.self, capacity: 1) { $0.move() }.block
        }
    }

    private struct Owned {
        let block: Block
    }

    // The block calls both, and is alive while it does, with what `make` has made.
    private static let run: @convention(c) (UnsafeMutableRawPointer) -> Void = { memory in
        let contents = contents(of: memory)
        contents.pointee.captured.restore(contents.pointee.work)
    }

    private static let end: @convention(c) (UnsafeMutableRawPointer) -> Void = { memory in
        contents(of: memory).deinitialize(count: 1)
    }

    private static func contents(of memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Contents> {
        precondition(MemoryLayout<Contents>.size == MemoryLayout<mi_work>.size)
        return memory.assumingMemoryBound(to: Contents.self)
    }
}
