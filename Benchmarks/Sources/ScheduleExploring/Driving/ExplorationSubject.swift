import Dispatch
import MultiIdentity

/// The code that is compared with the rules: each requirement is one thing that the library does.
///
/// The defaults are the library itself (``LibrarySubject``); a test breaks one and sees it found.
protocol ExplorationSubject: Sendable {
    /// The shape of wrapped work: it is passed the worker that calls it.
    typealias Work = @Sendable (ScheduledWorker) throws(Leaving) -> Void
    typealias AsyncWork = @Sendable (ScheduledWorker) async throws(Leaving) -> Void

    /// The subject that a run is driven with: a new one, where a subject keeps anything.
    var fresh: any ExplorationSubject { get }

    /// The thread level, here and now.
    var current: Identity? { get }
    /// The identity that work counts as, here and now.
    func effective(for purpose: EffectiveIdentity.Purpose) -> (identity: Identity?, level: EffectiveIdentity.Level?)

    /// Binds `identity` for the length of `body`.
    func bind(_ identity: Identity?, _ body: () throws(Leaving) -> Void) throws(Leaving)
    nonisolated(nonsending) func bind(
        _ identity: Identity?,
        _ body: nonisolated(nonsending) () async throws(Leaving) -> Void
    ) async throws(Leaving)

    /// Takes a snapshot, and wraps closures in it.
    func wrap(_ work: @escaping Work, _ asyncWork: @escaping AsyncWork) -> (Work, AsyncWork)

    func async(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void)
    func barrier(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void)
    func async(on queue: DispatchQueue, in group: DispatchGroup, _ work: @escaping @Sendable () -> Void)
    func sync(on queue: DispatchQueue, _ work: () throws(Leaving) -> Void) throws(Leaving)

    func item(_ work: @escaping @Sendable () -> Void) -> DispatchWorkItem
    func dispatch(_ item: DispatchWorkItem, on queue: DispatchQueue)
    func perform(_ item: DispatchWorkItem)
    func notify(of item: DispatchWorkItem, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void)
    func notify(of group: DispatchGroup, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void)

    func detached(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>
}

/// The library as it is.
struct LibrarySubject: ExplorationSubject {}

extension ExplorationSubject {
    var fresh: any ExplorationSubject { self }

    var current: Identity? { Identity.current }

    func effective(for purpose: EffectiveIdentity.Purpose) -> (identity: Identity?, level: EffectiveIdentity.Level?) {
        let effective = EffectiveIdentity.current(for: purpose)
        return (effective.identity, effective.level)
    }

    func bind(_ identity: Identity?, _ body: () throws(Leaving) -> Void) throws(Leaving) {
        try withIdentity(identity, body)
    }

    nonisolated(nonsending) func bind(
        _ identity: Identity?,
        _ body: nonisolated(nonsending) () async throws(Leaving) -> Void
    ) async throws(Leaving) {
        try await withIdentity(identity, body)
    }

    func wrap(_ work: @escaping Work, _ asyncWork: @escaping AsyncWork) -> (Work, AsyncWork) {
        let snapshot = IdentitySnapshot.capture()
        return (snapshot.wrap(work), snapshot.wrap(asyncWork))
    }

    func async(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        queue.propagatingIdentity.async(execute: work)
    }

    func barrier(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        queue.propagatingIdentity.async(flags: .barrier, execute: work)
    }

    func async(on queue: DispatchQueue, in group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
        queue.propagatingIdentity.async(group: group, execute: work)
    }

    func sync(on queue: DispatchQueue, _ work: () throws(Leaving) -> Void) throws(Leaving) {
        try queue.propagatingIdentity.sync(execute: work)
    }

    func item(_ work: @escaping @Sendable () -> Void) -> DispatchWorkItem {
        DispatchWorkItem.propagatingIdentity(block: work)
    }

    func dispatch(_ item: DispatchWorkItem, on queue: DispatchQueue) {
        queue.propagatingIdentity.async(execute: item)
    }

    func perform(_ item: DispatchWorkItem) { item.perform() }

    func notify(of item: DispatchWorkItem, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        item.propagatingIdentity.notify(queue: queue, execute: work)
    }

    func notify(of group: DispatchGroup, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        group.propagatingIdentity.notify(queue: queue, execute: work)
    }

    func detached(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task.propagatingIdentity.detached { await work() }
    }
}
