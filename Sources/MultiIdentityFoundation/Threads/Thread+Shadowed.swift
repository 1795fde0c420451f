public import Foundation
@_spi(CarryIdentity) public import MultiIdentity

@_spi(CarryIdentity) extension Thread {
    /// Captured when created: a thread that runs `block` as the identity bound here.
    public convenience init(_ mark: ShadowMark, block: @escaping @Sendable () -> Void) {
        self.init(block: IdentityThreads.runningOnce(block, BoundaryCapture(at: .thread)))
    }
}
