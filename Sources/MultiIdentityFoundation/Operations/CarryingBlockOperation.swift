import Foundation
import MultiIdentity

/// The operation that a closure becomes: its blocks and its completion block run as whoever added it.
final class CarryingBlockOperation: BlockOperation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; the one property here is constant.

    private let snapshot: IdentitySnapshot

    init(_ block: @escaping @Sendable () -> Void, _ snapshot: IdentitySnapshot) {
        self.snapshot = snapshot
        super.init()
        addExecutionBlock(block)
    }

    // Each block by itself, since Apple's platforms run them on several threads.
    override func addExecutionBlock(_ block: @escaping @Sendable () -> Void) {
        super.addExecutionBlock(snapshot.wrap(block))
    }

    override var completionBlock: (@Sendable () -> Void)? {
        get { super.completionBlock }
        set { super.completionBlock = newValue.map { snapshot.wrap($0) } }
    }
}
