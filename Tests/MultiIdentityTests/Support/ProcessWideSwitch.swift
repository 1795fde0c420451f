@testable import MultiIdentity

/// Runs tests that turn on a process-wide switch one at a time, so that none turns it off during another one.
actor ProcessWideSwitch {
    static let shared = ProcessWideSwitch()

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private func take() async {
        if isTaken { await withCheckedContinuation { waiting.append($0) } } else { isTaken = true }
    }

    private func give() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }

    /// Runs `body` while no other such test runs.
    static func exclusively<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
        await shared.take()
        do {
            let value = try await body()
            await shared.give()
            return value
        } catch {
            await shared.give()
            throw error
        }
    }

    /// Runs `body` while no other such test runs and a switch is on.
    static func exclusively<Value: Sendable>(
        turning change: @Sendable (Bool) -> Void,
        _ body: @Sendable () async throws -> Value
    ) async rethrows -> Value {
        try await exclusively {
            change(true)
            defer { change(false) }
            return try await body()
        }
    }
}
