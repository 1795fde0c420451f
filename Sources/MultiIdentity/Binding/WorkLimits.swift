import CMultiIdentity
import Synchronization

/// The limits on a tree of work: those of its own scope, and those of the trees around it.
///
/// Everything captured in the tree has these in its frame. A thread knows for which limits it works, and reads its clock when that changes.
final class WorkLimits: @unchecked Sendable {
    // `@unchecked Sendable`: only the thread of the one scope that opens these uses `before`; the rest is constant, or atomic.

    /// Innermost first, and few: work that opens a scope with limits again and again, from its own work, must not grow.
    let all: [TimeLimit]
    private static let most = 32

    /// The address of the frame whose scope opened these, and 0 otherwise: scopes on other threads, which share these, ask as well.
    private let opener = Atomic<UInt>(0)
    /// What the thread worked for before that scope.
    private var before: Borrowed<WorkLimits>?

    private init(_ all: [TimeLimit]) { self.all = all }

    /// Makes those of a scope that opens here, with a limit of its own.
    convenience init(_ own: TimeLimit) {
        let others = (ThreadMirror.current().frame?.origin.contents.limits?.all ?? []).lazy.filter { !$0.isExceeded }
        self.init([own] + others.prefix(Self.most - 1))
    }

    /// Returns these for a scope in the tree: if the thread does not work for them yet, the scope may have to open them.
    var inScope: WorkLimits { Self.here?.address == Borrowed(self).address ? self : WorkLimits(all) }

    static var here: Borrowed<WorkLimits>? { mi_thread_current().pointee.limits.map { Borrowed(at: $0) } }

    /// Makes this thread work for other limits, and charges those before; returns false if they are the same.
    ///
    /// In a scope or a piece of work: its frame keeps what the thread works for alive.
    @discardableResult
    static func change(to limits: Borrowed<WorkLimits>?) -> Bool {
        let (thread, before) = (mi_thread_current(), here)
        if before?.address == limits?.address { return false }
        // First: charging may call the program.
        thread.pointee.limits = nil
        before?.read { $0.charge(from: thread.pointee.limits_since) }
        if let limits { thread.pointee.limits_since = limits.read { $0.now } }
        thread.pointee.limits = limits?.address
        return true
    }

    private var now: UInt64 { all[0].clock() }

    private func charge(from began: UInt64) {
        let now = now
        if now > began { for limit in all { limit.charge(now - began) } }
    }

    // MARK: Scopes

    /// Begins the synchronous scope of a frame.
    func open(for frame: BindingFrame) {
        let before = Self.here
        guard Self.change(to: Borrowed(self)) else { return }
        self.before = before
        opener.store(Self.address(of: frame), ordering: .relaxed)
    }

    /// Ends the scope of a frame, if it was opened for these.
    func close(for frame: BindingFrame) {
        guard opener.load(ordering: .relaxed) == Self.address(of: frame) else { return }
        opener.store(0, ordering: .relaxed)
        _ = Self.change(to: before)
    }

    private static func address(of frame: BindingFrame) -> UInt { UInt(bitPattern: Borrowed(frame).address) }

    // MARK: Pieces

    /// A piece of work that runs for other limits than the thread did before it, or for none.
    struct Piece {
        fileprivate let limits: WorkLimits?
        fileprivate let before: Borrowed<WorkLimits>?

        func end() { withExtendedLifetime(limits) { _ = WorkLimits.change(to: before) } }
    }

    /// Begins a piece of work; returns `nil` if that changes nothing.
    static func begin(_ limits: WorkLimits?) -> Piece? {
        let before = here
        return change(to: limits.map { Borrowed($0) }) ? Piece(limits: limits, before: before) : nil
    }
}

/// The time that one tree of work has used, and its limit.
class TimeLimit: @unchecked Sendable {
    // `@unchecked Sendable`: everything is constant, or atomic.
    let clock: @Sendable () -> UInt64
    let most: UInt64
    private let used = Atomic<UInt64>(0)

    init(_ most: UInt64, by clock: @escaping @Sendable () -> UInt64) { (self.most, self.clock) = (most, clock) }

    final var isExceeded: Bool { used.load(ordering: .relaxed) > most }

    /// Adds time, and reports the limit if that exceeds it.
    fileprivate final func charge(_ time: UInt64) {
        let (before, after) = used.add(time, ordering: .relaxed)
        if before <= most, after > most { report(after) }
    }

    /// Reports that it is exceeded, once.
    func report(_ used: UInt64) {}
}
