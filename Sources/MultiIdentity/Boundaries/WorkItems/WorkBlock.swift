import CMultiIdentity

/// Work that may run any number of times, and whom it is for, as the block that Dispatch makes a work item of.
///
/// A closure around the work would be one more object, which Swift would put into a block after all.
enum WorkBlock {
    typealias Block = @convention(block) @Sendable () -> Void

    private struct Contents {
        let captured: BoundaryCapture
        let work: @Sendable () -> Void
    }

    /// Lends `body` the block, which can keep it.
    @inline(__always)
    static func with<Value>(
        _ work: consuming @escaping @Sendable () -> Void,
        _ captured: consuming BoundaryCapture,
        _ body: (@escaping Block) -> Value
    ) -> Value {
        let block = mi_work_block_make(run, end)
        contents(of: mi_work_block_contents(block)).initialize(to: Contents(captured: captured, work: work))
        // A block is one pointer; code that keeps it takes a reference of its own.
        defer { mi_work_block_release(block) }
        return body(unsafeBitCast(block, to: Block.self))
    }

    // Both are called by the block, which lives meanwhile, with what `with` has made.
    private static let run: @convention(c) (UnsafeMutableRawPointer) -> Void = { memory in
        let contents = contents(of: memory)
        contents.pointee.captured.restore(contents.pointee.work)
    }

    private static let end: @convention(c) (UnsafeMutableRawPointer) -> Void = { memory in
        contents(of: memory).deinitialize(count: 1)
    }

    private static func contents(of memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Contents> {
        precondition(MemoryLayout<Contents>.size <= mi_work_block_size)
        return memory.assumingMemoryBound(to: Contents.self)
    }
}
