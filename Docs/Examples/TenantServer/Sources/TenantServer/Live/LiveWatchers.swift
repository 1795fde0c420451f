import MultiIdentity
import Synchronization

/// Has running work recorded while somebody watches, and only then: it costs each piece of work a lock.
final class LiveWatchers: Sendable {
    private let count = Mutex(0)

    /// - Parameter operation: What watches.
    /// - Throws: What `operation` throws.
    @concurrent func watching(_ operation: @concurrent () async throws -> Void) async throws {
        change(by: 1)
        defer { change(by: -1) }
        try await operation()
    }

    private func change(by difference: Int) {
        count.withLock { count in
            count += difference
            RunningWork.isRecorded = count > 0
            CarryCounters.areOn = count > 0
        }
    }
}
