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
    @TaskLocal package static var current: FindingExemption?

    private let isOver = Atomic(false)

    package init() {}

    /// Ends the scope, also for tasks that inherited it.
    package func end() { isOver.store(true, ordering: .releasing) }

    static var isInForce: Bool { current.map { !$0.isOver.load(ordering: .acquiring) } ?? false }
}
