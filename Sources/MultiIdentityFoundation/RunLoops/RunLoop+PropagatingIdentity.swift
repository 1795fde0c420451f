public import Foundation
import MultiIdentity

extension RunLoop {
    /// A view of this run loop with methods that carry identity: each captures when it is called.
    public var propagatingIdentity: PropagatingRunLoop { PropagatingRunLoop(base: self) }
}

extension IdentityBoundary {
    static let runLoop = IdentityBoundary("run loop")
}

/// A view of a run loop whose blocks carry identity.
///
/// ```swift
/// RunLoop.main.propagatingIdentity.perform { show(inbox) }  // as the identity bound at this call
/// ```
///
/// A block is released, with the identity, as soon as it has run. For timers, use `Timer.propagatingIdentity`.
public struct PropagatingRunLoop {
    /// The run loop itself; a block that is passed to it directly carries no identity.
    public let base: RunLoop

    /// Captured when called: runs `block` in the run loop's default mode as the identity bound at the call.
    public func perform(
        _ block: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        base.perform(BoundaryCapture(at: .runLoop, of: RunLoop.Mode.default.rawValue, fileID, line).wrapOnce(block))
    }

    /// Captured when called: runs `block` in one of the given run loop modes as the identity bound at the call.
    public func perform(
        inModes modes: [RunLoop.Mode],
        block: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let place = { modes.map(\.rawValue).joined(separator: ", ") }
        base.perform(inModes: modes, block: BoundaryCapture(at: .runLoop, of: place(), fileID, line).wrapOnce(block))
    }
}

@available(*, unavailable, message: "A run loop is not Sendable, and neither is a view of it.")
extension PropagatingRunLoop: Sendable {}
