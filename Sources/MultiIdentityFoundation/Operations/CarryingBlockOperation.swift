import Foundation
import MultiIdentity

/// The operation that a closure becomes: its blocks and its completion block run as whoever added it.
final class CarryingBlockOperation: BlockOperation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; the one property here is constant.

    private let captured: BoundaryCapture

    init(_ block: @escaping @Sendable () -> Void, _ captured: BoundaryCapture) {
        self.captured = captured
        super.init()
        addExecutionBlock(block)
    }

    // Each block by itself, since Apple's platforms run them on several threads.
    override func addExecutionBlock(_ block: @escaping @Sendable () -> Void) {
        super.addExecutionBlock(captured.wrap(block))
    }

    override var completionBlock: (@Sendable () -> Void)? {
        get { super.completionBlock }
        set {
            // As the operation itself, whoever sets it.
            super.completionBlock = newValue.map { block in
                let captured = captured.restore { BoundaryCapture(at: .completionBlock, of: name) }
                return { [weak self] in
                    // One that nobody cancelled has run to its end; of one that somebody did nobody knows what ended it.
                    let hasRun = self?.isCancelled == false
                    captured.restore(triggeredBy: hasRun ? captured.snapshot : nil, block)
                }
            }
        }
    }
}
