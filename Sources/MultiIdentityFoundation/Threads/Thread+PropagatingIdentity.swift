public import Foundation
import MultiIdentity

extension Thread {
    /// Threads that carry identity: each is captured when created.
    public static var propagatingIdentity: IdentityThreads { IdentityThreads() }
}

extension IdentityBoundary {
    static let thread = IdentityBoundary("thread")
}

/// Threads that run as the identity that created them.
///
/// ```swift
/// let thread = Thread.propagatingIdentity { index(document) }  // as the identity bound here, not where it starts
/// thread.start()
/// Thread.propagatingIdentity.detachNewThread { index(other) }
/// ```
///
/// A subclass of `Thread` with a `main` of its own (on Apple platforms; Foundation on Linux allows none) captures by
/// itself: it takes a snapshot in its initialiser, `let creator = IdentitySnapshot.capture()`, and restores it in
/// `main`, `creator.restore { … }`.
public struct IdentityThreads: Sendable {
    init() {}

    /// Captured when created: a thread that runs `block` as the identity bound here, whichever identity starts it.
    ///
    /// - Parameters:
    ///   - block: The work; it is released, with the identity, as soon as it has run, or with a thread that never does.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    /// - Returns: The thread, which is still to be started.
    public func callAsFunction(
        block: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Thread {
        Thread(block: runningOnce(block, BoundaryCapture(at: .thread, fileID, line)))
    }

    /// Captured when created: runs `block` as the identity bound at the call, on a new thread.
    ///
    /// - Parameters:
    ///   - block: The work; it is released, with the identity, as soon as it has run.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    public func detachNewThread(
        _ block: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        Thread.detachNewThread(runningOnce(block, BoundaryCapture(at: .thread, fileID, line)))
    }

    private func runningOnce(
        _ block: @escaping @Sendable () -> Void,
        _ captured: BoundaryCapture
    ) -> @Sendable () -> Void {
        let carried = HeldWork(block, captured)
        return { CarriedThread.run { carried.runOnce { $0() } } }
    }
}
