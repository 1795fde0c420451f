import Foundation
import MultiIdentity
import Synchronization

/// The operation that a closure becomes: its blocks and its completion block run as the captured identity.
final class CarryingBlockOperation: BlockOperation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; the properties here are constant or atomic.

    private let captured: BoundaryCapture
    /// Kept here and not as one of the superclass's blocks, which takes two allocations more.
    private let first: @Sendable () -> Void
    private let hasMore = Atomic(false)
    /// True once it depended on others: cheaper to read than its `dependencies`.
    let hasDepended = Atomic(false)

    init(_ block: @escaping @Sendable () -> Void, _ captured: BoundaryCapture) {
        self.captured = captured
        first = block
        super.init()
    }

    override func main() {
        captured.restore(first)
        if hasMore.load(ordering: .acquiring) { super.main() }
    }

    override func addDependency(_ other: Operation) {
        hasDepended.store(true, ordering: .releasing)
        super.addDependency(other)
    }

    // Each block by itself, since Apple's platforms run them on several threads.
    override func addExecutionBlock(_ block: @escaping @Sendable () -> Void) {
        super.addExecutionBlock(captured.wrap(block))
        hasMore.store(true, ordering: .releasing)
    }

    override var executionBlocks: [@Sendable () -> Void] { [captured.wrap(first)] + super.executionBlocks }

    override var completionBlock: (@Sendable () -> Void)? {
        get { super.completionBlock }
        set {
            // As the operation itself, whichever identity sets it.
            super.completionBlock = newValue.map { block in
                let captured = captured.restore { BoundaryCapture(at: .completionBlock, of: name) }
                return { [weak self] in
                    // If it was not cancelled, it ran to its end; otherwise, what ended it is unknown.
                    let hasRun = self?.isCancelled == false
                    captured.restore(triggeredBy: hasRun ? captured.snapshot : nil, block)
                }
            }
        }
    }
}
