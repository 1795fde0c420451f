import CMultiIdentity
import Synchronization

/// Other task-local values that cross every boundary together with the identity.
///
/// A program names them once, when it starts:
///
/// ```swift
/// IdentityCompanions.carry(RequestLog.$metadata, ServiceContext.$current)
/// ```
///
/// From then on each boundary captures their values with the thread level, and restores them around the work. Captures in one
/// scope that find the same values share them. A program that names none pays nothing. ``carryAll(_:)`` carries every task-local.
public enum IdentityCompanions: Sendable {
    /// Carries these task-locals across every boundary from now on.
    ///
    /// Naming one again has no effect. They are bound in the order in which they were named, and unbound in reverse. Earlier
    /// captures keep the values that they captured.
    ///
    /// Name only a few: each capture compares all of them, and each restore binds all of them. A capture retains the values: an
    /// object that owns work captured while the object was bound, such as a request's context with a timer, is never freed.
    /// Name its task-local with ``carry(weakly:)``.
    ///
    /// - Parameter locals: The task-locals, written as `$name`.
    public static func carry<each Value: Sendable>(_ locals: repeat TaskLocal<each Value>) {
        var named: [any CompanionLocal] = []
        for local in repeat Companion(each locals) as any CompanionLocal { named.append(local) }
        name(named)
    }

    /// Carries these task-locals across every boundary from now on, without retaining their objects.
    ///
    /// Use it for objects that own work created while they are bound. Work runs with the object bound if it is still alive,
    /// otherwise with `nil`. Each capture copies all companions again, and takes longer. A task-local that is already named keeps
    /// the form in which it was named.
    ///
    /// - Parameter locals: The task-locals, written as `$name`.
    public static func carry<each Object: AnyObject & Sendable>(weakly locals: repeat TaskLocal<(each Object)?>) {
        var named: [any CompanionLocal] = []
        for local in repeat WeakCompanion(each locals) as any CompanionLocal { named.append(local) }
        name(named)
    }

    private static func name(_ locals: [any CompanionLocal]) {
        change { old in
            var keys = old.keys
            let new = locals.filter { keys.insert($0.key).inserted }
            return new.isEmpty ? nil : old.with(locals: new)
        }
    }

    /// Carries the value of a task-local that cannot be named, such as a library's private one, across every boundary.
    ///
    /// ```swift
    /// IdentityCompanions.carry("logger") {
    ///     Logger.current
    /// } binding: { logger, work in
    ///     withLogger(logger) { _ in work() }
    /// } bindingAsync: { logger, work in
    ///     await withLogger(logger) { _ in await work() }
    /// }
    /// ```
    ///
    /// Such values are bound after the named task-locals, in the order of the calls. To drop a value, such as a span that has
    /// ended, `binding` only calls the work. Work that the closures hand over carries no companions.
    ///
    /// - Parameters:
    ///   - name: A name for the value; using a name again has no effect.
    ///   - read: Reads the value where work is captured.
    ///   - bind: Runs the work, once, with a value bound.
    ///   - bindAsync: Runs asynchronous work, once, with a value bound. It must stay on the caller's actor: if it leaves the
    ///     actor, so does the beginning of the work, and detached tasks of an actor lose their order.
    public static func carry<Value: Sendable>(
        _ name: String,
        reading read: @escaping @Sendable () -> Value,
        binding bind: @escaping @Sendable (_ value: Value, _ work: () -> Void) -> Void,
        bindingAsync bindAsync:
            nonisolated(nonsending) @escaping @Sendable (
                _ value: Value, _ work: nonisolated(nonsending) () async -> Void
            ) async -> Void
    ) {
        change { old in
            if old.pairs.contains(where: { $0.name == name }) { return nil }
            let pair = CompanionClosures(name: name, read: read, bind: bind, bindAsync: bindAsync)
            return old.with(pair: pair)
        }
    }

    /// The most captures that retain values at once; 100,000 by default.
    ///
    /// Beyond it, work carries its identity and the defaults of all companions; values that closures read are not bound. The
    /// first time, a message on standard error says so.
    public static var maximumCaptures: Int {
        get { CompanionValues.most.load(ordering: .relaxed) }
        set { CompanionValues.most.store(newValue, ordering: .relaxed) }
    }

    /// The number of companions named so far.
    package static var count: Int { CompanionLocals.current.map { $0.locals.count + $0.pairs.count } ?? 0 }

    private static let changes = Locked(())

    static func change(_ change: (CompanionLocals) -> CompanionLocals?) {
        changes.withLock { _ in
            change(CompanionLocals.current ?? CompanionLocals([], []))?.becomeCurrent()
        }
        BindingFeatures.insert(.companions)
    }

    /// Returns the captured values of all of them here: `found`, if its values are the same.
    static func capture(_ found: CompanionValues?) -> CompanionValues? {
        guard let table = mi_companions_current() else { return nil }
        if let found, found.areHere(table) { return found }
        return .captured(of: .of(CompanionLocals.knowingAllHere(table)))
    }
}

/// A task-local of one type that crosses boundaries with the identity.
final class Companion<Value: Sendable>: CompanionLocal {
    private let local: TaskLocal<Value>

    init(_ local: TaskLocal<Value>) { self.local = local }

    /// The address of the object, which this retains.
    var key: UnsafeRawPointer { UnsafeRawPointer(Borrowed(local).address) }
    /// A metatype is one pointer.
    var type: UnsafeRawPointer { metadata(of: Value.self) }
    var size: Int { MemoryLayout<Value>.size }
    var alignment: Int { MemoryLayout<Value>.alignment }
    var name: String { IdentityCompanions.Declaration(key: key, type: type).name }
    var isKept: Bool { true }
    var isBytes: Bool { _isBitwiseTakable(Value.self) && alignment <= MemoryLayout<UInt>.alignment }

    var placeOfDefault: UnsafeRawPointer? {
        let offset = mi_offset_of_only_field(metadata(of: TaskLocal<Value>.self), "defaultValue")
        return offset > 0 ? key + Int(offset) : nil
    }

    func copy(_ place: UnsafeRawPointer?, to memory: UnsafeMutableRawPointer) {
        memory.initializeMemory(as: Value.self, to: value(at: place))
    }

    func value(at place: UnsafeRawPointer?) -> Value {
        (place ?? placeOfDefault)?.assumingMemoryBound(to: Value.self).pointee ?? local.get()
    }

    func destroy(at memory: UnsafeMutableRawPointer) {
        memory.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }

    func push(copyOf memory: UnsafeRawPointer) { push(memory.assumingMemoryBound(to: Value.self).pointee) }

    func pushDefault() -> Bool {
        if swift_task_localValueGet(key) != nil { return false }
        push(local.get())
        return true
    }

    func push(_ value: Value) {
        withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
            guard let place = memory.baseAddress else { return }
            place.initialize(to: value)
            var row = mi_companion(key: key, type: type, size: 0, offset: 0)
            mi_companion_push(&row, place)
        }
    }

    func bind(
        copyOf memory: UnsafeRawPointer,
        isolation: isolated (any Actor)?,
        _ body: nonisolated(nonsending) () async -> Void
    ) async {
        await bind(memory.assumingMemoryBound(to: Value.self).pointee, isolation: isolation, body)
    }

    func bind(
        _ value: Value,
        isolation: isolated (any Actor)?,
        _ body: nonisolated(nonsending) () async -> Void
    ) async {
        // Captures the isolation; otherwise the closure would leave the caller's actor.
        await local.withValue(value) {
            _ = isolation
            await body()
        }
    }
}

/// The closures that read and bind a value in a task-local without a name.
struct CompanionClosures<Value: Sendable>: CompanionPair {
    let name: String
    let read: @Sendable () -> Value
    let bind: @Sendable (Value, () -> Void) -> Void
    let bindAsync: nonisolated(nonsending) @Sendable (Value, nonisolated(nonsending) () async -> Void) async -> Void

    func capture() -> any CompanionPairValue { Captured(pair: self, value: read()) }

    private struct Captured: CompanionPairValue {
        let pair: CompanionClosures
        let value: Value

        var isHere: Bool {
            guard _isBitwiseTakable(Value.self) else { return false }
            return withUnsafeBytes(of: value) { kept in
                withUnsafeBytes(of: pair.read()) { here in kept.elementsEqual(here) }
            }
        }

        // If a closure does not do what it should, the work is neither lost nor run twice.

        func bind(_ body: () -> Void) {
            var hasRun = false
            func run() {
                if hasRun { return }
                hasRun = true
                CompanionReading.run(false) { body() }
            }
            CompanionReading.run { pair.bind(value, run) }
            run()
        }

        func bind(isolation: isolated (any Actor)?, _ body: nonisolated(nonsending) () async -> Void) async {
            var hasRun = false
            await CompanionReading.run(isolation: isolation) {
                await pair.bindAsync(value) {
                    if hasRun { return }
                    hasRun = true
                    await CompanionReading.run(false, isolation: isolation, body)
                }
            }
            if !hasRun { await body() }
        }
    }
}
