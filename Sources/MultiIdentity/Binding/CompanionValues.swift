import CMultiIdentity
import Synchronization

/// The values of companions at the time of a snapshot: made once, and shared by all captures that find the same values.
final class CompanionValues: @unchecked Sendable {
    // `@unchecked Sendable`: the memory is written in `init` only, and its values are `Sendable`.

    private let companions: CompanionLocals
    private let pairs: [any CompanionPairValue]
    /// Laid out as C's `mi_companion_values`.
    private let memory: UnsafeMutableRawPointer

    /// True if this is in the record of living captures.
    private let isRecorded: Bool

    /// The number of these, and the most that captures make.
    static let count = Atomic(0)
    static let most = Atomic(100_000)

    /// Copies the current values of all companions; returns `nil` while one of them is being read or bound.
    ///
    /// Returns the defaults if there are too many captures.
    static func captured(of companions: CompanionLocals, in list: BoundList? = nil) -> CompanionValues? {
        if companions.areBeingRead { return nil }
        if count.load(ordering: .relaxed) >= most.load(ordering: .relaxed) {
            _ = saidMost
            return companions.defaults
        }
        return CompanionValues(of: companions, in: list)
    }

    private static let saidMost: Void = {
        var text =
            "MultiIdentity: \(most.load(ordering: .relaxed)) captures retain values of task-locals. Others have the defaults. "
            + "IdentityCompanions.outliving shows those whose scope has ended.\n"
        text.withUTF8 { mi_write_error($0.baseAddress, $0.count) }
    }()

    /// Copies the values of all companions: the current ones, or those of another thread's list.
    init(of companions: CompanionLocals, in list: BoundList? = nil) {
        let (table, locals) = (companions.table, companions.locals)
        let (start, size) = (companions.valuesOffset, Int(table.pointee.size))
        memory = .allocate(byteCount: start + size + locals.count, alignment: start)
        memory.initializeMemory(as: UnsafePointer<mi_companions>.self, to: table)
        var bound: UInt = 0
        for (index, local) in locals.enumerated() {
            let place =
                if let list { mi_companion_in_list(table, UInt32(index), list.innermost) } else {
                    swift_task_localValueGet(local.key)
                }
            local.copy(place, to: memory + start + Int(table.pointee.of[index].offset))
            memory.storeBytes(of: place == nil ? 1 : 0, toByteOffset: start + size + index, as: UInt8.self)
            bound += place == nil ? 0 : 1
        }
        memory.storeBytes(of: bound, toByteOffset: MemoryLayout<UInt>.size, as: UInt.self)
        self.companions = companions
        pairs = list == nil ? CompanionReading.run { companions.pairs.map { $0.capture() } } : []
        Self.count.add(1, ordering: .relaxed)
        isRecorded = CompanionRecord.isOn
        if isRecorded { CompanionRecord.add(self, kept) }
    }

    deinit {
        Self.count.subtract(1, ordering: .relaxed)
        if isRecorded { CompanionRecord.remove(self) }
        for (index, local) in companions.locals.enumerated() { local.destroy(at: value(index)) }
        memory.deallocate()
    }

    private func value(_ index: Int) -> UnsafeMutableRawPointer {
        memory + companions.valuesOffset + Int(companions.table.pointee.of[index].offset)
    }

    /// The names of the companions whose values this retains.
    private var kept: [String] {
        let start = companions.valuesOffset + Int(companions.table.pointee.size)
        let locals = companions.locals.enumerated().filter { index, local in
            local.isKept && memory.load(fromByteOffset: start + index, as: UInt8.self) == 0
        }
        return locals.map(\.element.name) + companions.pairs.map(\.name)
    }

    /// True if any of them was bound, and is not its default.
    var isAnyBound: Bool {
        let start = companions.valuesOffset + Int(companions.table.pointee.size)
        let marks = companions.locals.indices.lazy.map { self.memory.load(fromByteOffset: start + $0, as: UInt8.self) }
        return !pairs.isEmpty || marks.contains(0)
    }

    /// The values in C's representation, if comparing and binding need only their bytes.
    var bytes: UnsafePointer<mi_companion_values>? {
        if pairs.isEmpty && companions.table.pointee.are_bytes { known } else { nil }
    }

    private var known: UnsafePointer<mi_companion_values> {
        UnsafePointer(memory.assumingMemoryBound(to: mi_companion_values.self))
    }

    /// Returns whether these are the current values of all companions named so far; `false` also if that cannot be known.
    func areHere(_ table: UnsafePointer<mi_companions>) -> Bool {
        companions.table == table && table.pointee.are_bytes && mi_companions_hold(known)
            && (pairs.isEmpty || !CompanionReading.isHere && CompanionReading.run { pairs.allSatisfy(\.isHere) })
    }

    /// Runs `body` with all of them bound, the first one outermost.
    func bind(for body: () -> Void) {
        if pairs.isEmpty { return bindLocals(for: body) }
        bindLocals { Self.bind(pairs[...], body) }
    }

    private static func bind(_ pairs: ArraySlice<any CompanionPairValue>, _ body: () -> Void) {
        guard let first = pairs.first else { return body() }
        first.bind { bind(pairs.dropFirst(), body) }
    }

    /// Sets the thread's lasting bindings, creating them if possible; otherwise pushes.
    private func bindLocals(for body: () -> Void) {
        guard companions.table.pointee.are_bytes else { return push(for: body) }
        // The bindings contain values that they do not own: this lives as long as the call, and they get their own
        // values back before that.
        var outer: UnsafePointer<mi_companion_values>?
        guard mi_companions_lend(known, &outer) || makeBindingsLast() && mi_companions_lend(known, &outer) else {
            return push(for: body)
        }
        body()
        mi_companions_take_back(known, outer)
    }

    /// Gives the thread lasting bindings of all companions; returns `false` if that is impossible, or it already has them.
    @inline(never)
    private func makeBindingsLast() -> Bool {
        let (table, lasting) = (companions.table, mi_companions_lasting_count())
        guard lasting >= 0, lasting < table.pointee.count else { return false }
        for index in UInt32(lasting)..<table.pointee.count {
            guard companions.locals[Int(index)].pushDefault() else { return false }
            if !mi_companion_become_lasting(table, index) {
                mi_companion_pop()
                return false
            }
        }
        return true
    }

    /// Never inlined, for the same reason as `IdentitySnapshot.bind(for:)`.
    @inline(never)
    private func push(for body: () -> Void) {
        let absent = absentHere
        for local in absent { if let place = local.placeOfDefault { local.push(copyOf: place) } }
        for (index, local) in companions.locals.enumerated() { local.push(copyOf: value(index)) }
        body()
        for _ in 0..<companions.locals.count + absent.count { mi_companion_pop() }
    }

    /// While all task-locals are carried: those that are bound here and were not, or are not carried.
    ///
    /// This may be run by hand where the values of other work are bound.
    private var absentHere: [any CompanionLocal] {
        if companions.others == nil { return [] }
        if !companions.areBeingRead { CompanionLocals.learnAll(in: .here) }
        guard let now = CompanionLocals.current, let left = now.others?.leftLocals else { return [] }
        if now === companions && left.isEmpty { return [] }
        let absent = now.locals.dropFirst(companions.locals.count) + left
        return absent.filter { swift_task_localValueGet($0.key) != nil && $0.placeOfDefault != nil }
    }

    /// Runs asynchronous `body` with all of them bound, on the caller's actor.
    nonisolated(nonsending) func bind(for body: nonisolated(nonsending) () async -> Void) async {
        let absent = absentHere
        await bind(from: -absent.count, hiding: absent, isolation: #isolation, body)
    }

    private func bind(
        from index: Int,
        hiding absent: [any CompanionLocal],
        isolation: isolated (any Actor)?,
        _ body: nonisolated(nonsending) () async -> Void
    ) async {
        let locals = companions.locals
        if index < locals.count {
            let local = index < 0 ? absent[~index] : locals[index]
            let place = index < 0 ? local.placeOfDefault : UnsafeRawPointer(value(index))
            guard let place else { return await body() }
            await local.bind(copyOf: place, isolation: isolation) {
                await bind(from: index + 1, hiding: absent, isolation: isolation, body)
            }
        } else if index - locals.count < pairs.count {
            await pairs[index - locals.count].bind(isolation: isolation) {
                await bind(from: index + 1, hiding: absent, isolation: isolation, body)
            }
        } else {
            await body()
        }
    }
}

extension BindingFrame {
    /// This with the companions' current values, reusing an earlier capture with the same values.
    ///
    /// The bound frame stores a few captures. Their number is limited, so that memory does not grow if the values
    /// always differ, or if work hands itself over for ever.
    func withCompanions(_ table: UnsafePointer<mi_companions>) -> BindingFrame {
        // Each is retained by the previous one, and this one by its caller.
        var frame = Borrowed(self)
        while true {
            if frame.read({ $0.holdsCompanions(table) }) { return frame.object }
            guard let next = frame.read({ $0.captured.frame }) else {
                return capturing(table, after: frame)
            }
            frame = next
        }
    }

    @inline(never)
    private func capturing(_ table: UnsafePointer<mi_companions>, after last: Borrowed<BindingFrame>) -> BindingFrame {
        let table = CompanionLocals.knowingAllHere(table)
        let (depth, contents) = (last.read(\.depth), wholeContents.with(table))
        if depth == Self.keptCaptures || contents.companions == nil { return OriginFrame(contents, depth: depth) }
        let new = OriginFrame(contents, depth: depth + 1)
        let kept = last.read { $0.captured.keep(new).object }
        // Another thread came first, and its values may differ.
        return kept === new ? new : kept.withCompanions(table)
    }

    private func holdsCompanions(_ table: UnsafePointer<mi_companions>) -> Bool {
        if let companionBytes { return companionBytes.pointee.all == table && mi_companions_hold(companionBytes) }
        return origin.contents.companions != nil && holdsOtherCompanions(table)
    }

    @inline(never)
    private func holdsOtherCompanions(_ table: UnsafePointer<mi_companions>) -> Bool {
        origin.contents.companions?.areHere(table) == true
    }

    /// Runs `work` with the captured companions bound; the caller keeps this alive in the meantime.
    @inline(__always)
    func bindCompanions(for work: () -> Void) {
        var outer: UnsafePointer<mi_companion_values>?
        if let companionBytes, mi_companions_lend(companionBytes, &outer) {
            work()
            mi_companions_take_back(companionBytes, outer)
        } else {
            bindCompanionsOtherwise(for: work)
        }
    }

    @inline(never)
    private func bindCompanionsOtherwise(for work: () -> Void) {
        if let companions = origin.contents.companions { companions.bind(for: work) } else { work() }
    }

    private static let keptCaptures = 4
}

/// A slot for one frame, kept as long as this lives.
// Not `AtomicLazyReference`: outside its module, each load looks its type up, at 400 instructions.
struct KeptFrame: ~Copyable {
    private let bits = Atomic<UInt>(0)

    var frame: Borrowed<BindingFrame>? {
        UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring)).map { Borrowed(at: $0) }
    }

    /// Stores a frame, and returns the stored one: the argument, or another one that came first.
    func keep(_ frame: BindingFrame) -> Borrowed<BindingFrame> {
        let new = Borrowed(retaining: frame)
        let (isKept, first) = bits.compareExchange(
            expected: 0,
            desired: UInt(bitPattern: new.address),
            ordering: .acquiringAndReleasing
        )
        if isKept { return new }
        new.release()
        guard let first = UnsafeRawPointer(bitPattern: first) else { preconditionFailure("The slot was empty.") }
        return Borrowed(at: first)
    }

    deinit { frame?.release() }
}

extension BindingFrameContents {
    /// Returns this with the companions' current values.
    func with(_ table: UnsafePointer<mi_companions>) -> BindingFrameContents {
        var contents = self
        contents.companions = .captured(of: .of(table))
        return contents
    }
}

extension IdentitySnapshot {
    /// Runs `work` with the captured companions bound.
    func bindCompanions(for work: () -> Void) {
        if BindingFeatures.inUse.contains(.companions), case .frame(let frame) = held {
            frame.bindCompanions(for: work)
        } else {
            work()
        }
    }
}
