import CMultiIdentity

/// The task-locals that are carried without having been named, and those among them that are not: an immutable list.
struct OtherLocals {
    /// What the program says of them.
    let policy: any OtherLocalsPolicy
    /// Those that are not carried, by key: true if work must not be handed over while they are bound.
    private var left: [UnsafeRawPointer: Bool]
    /// Retains their objects, so that no other one gets such an address.
    private(set) var leftLocals: [any CompanionLocal] = []

    /// The most task-locals that become known: a program that makes them without end keeps the first ones.
    static let most = Int(mi_known_most) / 2

    init(_ policy: any OtherLocalsPolicy, leaving own: [UnsafeRawPointer]) {
        (self.policy, left) = (policy, Dictionary(uniqueKeysWithValues: own.map { ($0, false) }))
    }

    /// This without a task-local; `nil`: its key is not an object of Swift's class.
    func leaving(_ key: UnsafeRawPointer, _ local: (any CompanionLocal)?, isRefused: Bool) -> OtherLocals {
        var copy = self
        copy.left[key] = isRefused
        if let local { copy.leftLocals.append(local) }
        return copy
    }

    func contains(_ key: UnsafeRawPointer) -> Bool { left[key] != nil }

    func isFull(with locals: [any CompanionLocal]) -> Bool { locals.count + leftLocals.count >= Self.most }

    /// The table in which C looks keys up.
    func known(with locals: [any CompanionLocal]) -> UnsafeMutableBufferPointer<mi_known_local> {
        var rows = locals.enumerated().map { index, local in
            mi_known_local(key: local.key, index: Int32(index), place: UInt32(local.placeInItem))
        }
        for (key, isRefused) in left where !rows.contains(where: { $0.key == key }) {
            let reason = isRefused ? mi_known_refused : mi_known_left
            rows.append(mi_known_local(key: key, index: Int32(reason), place: 0))
        }
        var count = 8
        while count < rows.count * 2 { count *= 2 }
        let table = UnsafeMutableBufferPointer<mi_known_local>.allocate(capacity: count)
        table.initialize(repeating: mi_known_local(key: nil, index: 0, place: 0))
        for row in rows {
            guard let key = row.key else { continue }
            var slot = Int(mi_known_slot(key)) & (count - 1)
            while table[slot].key != nil { slot = (slot + 1) & (count - 1) }
            table[slot] = row
        }
        return table
    }
}

/// Decides about task-locals that no one named.
protocol OtherLocalsPolicy: Sendable {
    /// True if a closure of the program decides.
    var asksProgram: Bool { get }
    /// Makes the task-local of an item known.
    func learn(_ item: mi_bound_item)
    /// Reports that `work` is handed over while it is bound, and must not be.
    func report(_ item: mi_bound_item, of work: IdentitySnapshot)
}

extension CompanionLocal {
    /// The offset of a value in an item of the runtime's list: behind three words, where its alignment allows.
    fileprivate var placeInItem: Int {
        let header = MemoryLayout<mi_bound_item>.size
        return (header + alignment - 1) / alignment * alignment
    }
}

extension CompanionLocals {
    func knows(_ key: UnsafeRawPointer) -> Bool { keys.contains(key) || others?.contains(key) == true }

    static func learnAll(in list: BoundList) {
        while let now = mi_companions_current(), now.pointee.known != nil,
            let item = mi_companions_unknown(now, list.innermost)
        {
            of(now).others?.policy.learn(item.pointee)
        }
    }

    /// Returns the companions after all that is bound here has become known; in a policy, nothing does.
    static func knowingAllHere(_ table: UnsafePointer<mi_companions>) -> UnsafePointer<mi_companions> {
        guard table.pointee.known != nil, !of(table).areBeingRead else { return table }
        return knowingAll(in: .here, of: ThreadMirror.current()) ?? table
    }

    /// Returns the companions after all that is in the list of the code that hands `work` over has become known.
    static func knowingAll(in list: BoundList, of work: IdentitySnapshot) -> UnsafePointer<mi_companions>? {
        learnAll(in: list)
        guard let now = mi_companions_current() else { return nil }
        if now.pointee.known != nil, let item = mi_companions_refused(now, list.innermost) {
            of(now).others?.policy.report(item.pointee, of: work)
        }
        return now
    }
}
