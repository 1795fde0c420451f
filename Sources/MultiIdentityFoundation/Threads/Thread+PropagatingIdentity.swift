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
/// A subclass of `Thread` with its own `main` (on Apple platforms; Foundation on Linux allows none) captures a snapshot
/// in its initializer, `let creator = IdentitySnapshot.capture()`, and restores it in `main`, `creator.restore { … }`.
public struct IdentityThreads: Sendable {
    init() {}

    /// Captured when created: returns a thread that runs `block` as the identity bound here, no matter who starts it.
    ///
    /// - Parameters:
    ///   - block: The work; it is released, with the identity, as soon as it has run, or with a thread that never
    ///     starts.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The thread; call `start()` on it.
    public func callAsFunction(
        block: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Thread {
        Thread(block: Self.runningOnce(block, BoundaryCapture(at: .thread, fileID, line)))
    }

    /// Captured when created: runs `block` as the identity bound at the call, on a new thread.
    ///
    /// - Parameters:
    ///   - block: The work; it is released, with the identity, as soon as it has run.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    public func detachNewThread(
        _ block: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        Thread.detachNewThread(Self.runningOnce(block, BoundaryCapture(at: .thread, fileID, line)))
    }

    static func runningOnce(
        _ block: @escaping @Sendable () -> Void,
        _ captured: BoundaryCapture
    ) -> @Sendable () -> Void {
        let carried = HeldWork(block, captured)
        return { CarriedThread.run { carried.runOnce { $0() } } }
    }
}
