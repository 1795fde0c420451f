import Synchronization

/// A check of all work of the process, whatever its levels: for a test whose work may lose its levels.
package enum FindingWatch {
    private static let response = Locked<(any FindingResponse)?>(nil)
    private static let isOn = Atomic(false)

    /// The response to each finding of code that asks; the process pays for strict mode while there is one.
    static var current: (any FindingResponse)? { isOn.load(ordering: .acquiring) ? response.withLock { $0 } : nil }

    /// Begins to watch with a response, or ends with `nil`; one at a time.
    package static func set(_ new: (any FindingResponse)?) {
        let old = response.withLock { response in
            defer { response = new }
            return response
        }
        isOn.store(new != nil, ordering: .releasing)
        if (old == nil) != (new == nil) { FeatureUses.shared.count(.strictness, by: new == nil ? -1 : 1) }
    }
}

/// A scope whose questions are no findings.
package final class FindingExemption: Sendable {
    @TaskLocal private static var current: FindingExemption?

    private let isOver = Atomic(false)

    package static func run<Value>(_ operation: () throws -> Value) rethrows -> Value {
        let exemption = FindingExemption()
        defer { exemption.end() }
        return try $current.withValue(exemption, operation: operation)
    }

    package static func run<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ operation: nonisolated(nonsending) () async throws -> Value
    ) async rethrows -> Value {
        let exemption = FindingExemption()
        defer { exemption.end() }
        return try await $current.withValue(exemption) {
            // Captures the isolation; otherwise the closure would leave the caller's actor.
            _ = isolation
            return try await operation()
        }
    }

    /// Ends the scope, also for tasks that inherited it.
    private func end() { isOver.store(true, ordering: .releasing) }

    static var isInForce: Bool { current.map { !$0.isOver.load(ordering: .acquiring) } ?? false }
}
