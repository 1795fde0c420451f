import Synchronization

/// The living captures of companions, each with the frame of the scope in which it was made.
package enum CompanionRecord: Sendable {
    private struct Entry: Sendable {
        weak let scope: BindingFrame?
        let kept: [String]
    }

    private static let wanted = Atomic(false)
    private static let entries = Locked<[ObjectIdentifier: Entry]>([:])

    package static var isOn: Bool {
        get { wanted.load(ordering: .relaxed) }
        set { wanted.store(newValue, ordering: .relaxed) }
    }

    static func add(_ values: CompanionValues, _ kept: [String]) {
        let entry = Entry(scope: ThreadMirror.current().frame, kept: kept)
        entries.withLock { $0[ObjectIdentifier(values)] = entry }
    }

    static func remove(_ values: CompanionValues) {
        _ = entries.withLock { $0.removeValue(forKey: ObjectIdentifier(values)) }
    }

    package static var outliving: [String: Int] {
        // Outside the lock: a scope may end while it is queried.
        let kept = entries.withLock { Array($0.values) }.flatMap { $0.scope == nil ? $0.kept : [] }
        return kept.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}
