import CMultiIdentity

/// The companions that a program has named so far, in order: an immutable list, which is never freed once it was current.
final class CompanionLocals: @unchecked Sendable {
    // `@unchecked Sendable`: the table behind `table` is written before other code gets this, and is freed with it.

    let locals: [any CompanionLocal]
    /// The keys of `locals`.
    let keys: Set<UnsafeRawPointer>
    let pairs: [any CompanionPair]
    /// How those that no one named are treated; `nil` if they are not carried.
    let others: OtherLocals?
    /// The task-locals in C's representation.
    let table: UnsafePointer<mi_companions>
    /// The companions before these were named: frames and threads may still use them.
    let former: CompanionLocals?

    init(
        _ locals: [any CompanionLocal],
        _ pairs: [any CompanionPair],
        others: OtherLocals? = nil,
        after former: CompanionLocals? = nil
    ) {
        self.former = former
        self.locals = locals
        keys = Set(locals.map(\.key))
        self.pairs = pairs
        self.others = others
        let rows = UnsafeMutablePointer<mi_companion>.allocate(capacity: max(locals.count, 1))
        var size = 0
        for (index, local) in locals.enumerated() {
            let offset = (size + local.alignment - 1) / local.alignment * local.alignment
            let (ofValue, ofAll) = (UInt32(local.size), UInt32(offset))
            let row = mi_companion(key: local.key, type: local.type, size: ofValue, offset: ofAll)
            rows.advanced(by: index).initialize(to: row)
            size = offset + local.size
        }
        // With more, each is looked up by itself, and no further ones become known.
        let known = locals.count <= Int(mi_known_most) ? others?.known(with: locals) : nil
        let table = UnsafeMutablePointer<mi_companions>.allocate(capacity: 1)
        self.table = UnsafePointer(table)
        table.initialize(
            to: mi_companions(
                of: rows,
                count: UInt32(locals.count),
                size: UInt32(size),
                are_bytes: locals.allSatisfy(\.isBytes),
                owner: Borrowed(self).address,
                known: known.flatMap { UnsafePointer($0.baseAddress) },
                known_mask: known.map { UInt32($0.count - 1) } ?? 0,
                is_full: others?.isFull(with: locals) == true,
                are_in_list: known != nil && pairs.isEmpty && locals.allSatisfy { $0.placeOfDefault != nil }
            )
        )
    }

    /// True while one of the program's closures for these runs here: work that it hands over carries none.
    var areBeingRead: Bool { (!pairs.isEmpty || others?.policy.asksProgram == true) && CompanionReading.isHere }

    func with(locals new: [any CompanionLocal] = [], others: OtherLocals? = nil) -> CompanionLocals {
        CompanionLocals(locals + new, pairs, others: others ?? self.others, after: self)
    }

    func with(pair: any CompanionPair) -> CompanionLocals {
        CompanionLocals(locals, pairs + [pair], others: others, after: self)
    }

    /// The offset of the values behind the word that identifies them: directly after it, unless a value needs a larger alignment.
    var valuesOffset: Int { locals.reduce(MemoryLayout<mi_companion_values>.size) { max($0, $1.alignment) } }

    /// The defaults of all of them, for work that cannot carry values.
    var defaults: CompanionValues {
        madeDefaults.withLock { made in
            let values = made ?? CompanionValues(of: self, in: BoundList(innermost: nil))
            made = values
            return values
        }
    }
    private let madeDefaults = Locked<CompanionValues?>(nil)

    /// The newest; `nil` if none has been named.
    static var current: CompanionLocals? { mi_companions_current().map { of($0) } }

    static func of(_ table: UnsafePointer<mi_companions>) -> CompanionLocals {
        Borrowed<CompanionLocals>(at: table.pointee.owner).object
    }

    func becomeCurrent() {
        _ = Borrowed(retaining: self)
        mi_companions_make_current(table)
    }

    deinit {
        UnsafeMutablePointer(mutating: table.pointee.of).deallocate()
        UnsafeMutablePointer(mutating: table.pointee.known)?.deallocate()
        UnsafeMutablePointer(mutating: table).deallocate()
    }
}

/// A task-local of any type that crosses boundaries with the identity.
protocol CompanionLocal: AnyObject, Sendable {
    /// The key and the type of the value, in the runtime's representation.
    var key: UnsafeRawPointer { get }
    var type: UnsafeRawPointer { get }
    var size: Int { get }
    var alignment: Int { get }
    /// The name for people: that of the declaration, or the value's type.
    var name: String { get }
    /// True if a captured value is retained.
    var isKept: Bool { get }
    /// True if a value can be moved by its bytes, and is in a binding where the table expects it.
    var isBytes: Bool { get }

    /// The default, behind which `push` and `bind` find it; `nil` if that is not known.
    var placeOfDefault: UnsafeRawPointer? { get }

    /// Copies the value at `place`; `nil`: none is bound, and the copy is of the default.
    func copy(_ place: UnsafeRawPointer?, to memory: UnsafeMutableRawPointer)
    func destroy(at memory: UnsafeMutableRawPointer)
    /// Binds a copy of a value, until the runtime's pop.
    func push(copyOf memory: UnsafeRawPointer)
    /// Binds the default; returns `false`, and does nothing, if a value is already bound.
    func pushDefault() -> Bool
    /// Runs asynchronous `body` with a value bound, on the caller's actor.
    func bind(
        copyOf memory: UnsafeRawPointer,
        isolation: isolated (any Actor)?,
        _ body: nonisolated(nonsending) () async -> Void
    ) async
}

/// A pair of closures that represents a task-local that cannot be named.
protocol CompanionPair: Sendable {
    var name: String { get }
    func capture() -> any CompanionPairValue
}

/// The value of such a pair at the capture.
protocol CompanionPairValue: Sendable {
    /// True if the current value here is the same, byte for byte.
    var isHere: Bool { get }
    func bind(_ body: () -> Void)
    func bind(isolation: isolated (any Actor)?, _ body: nonisolated(nonsending) () async -> Void) async
}
