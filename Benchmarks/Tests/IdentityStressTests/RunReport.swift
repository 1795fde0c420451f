@testable import IdentityStress

extension Stress {
    /// Runs and returns the report, without blocking the test's thread.
    static func report(_ options: StressOptions) async -> Report {
        await withCheckedContinuation { continuation in
            Stress(options).start { continuation.resume(returning: $0) }
        }
    }
}
