import Dispatch
import MultiIdentity
import Synchronization

@testable import ScheduleExploring

// Each is the library with one rule broken, as real programs break it.

/// `async` takes its capture when the work runs.
struct CapturesLate: ExplorationSubject {
    func async(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        queue.async { IdentitySnapshot.capture().restore(work) }
    }
}

/// A wrapped closure does not carry unset: where nothing was bound it is called as it is.
struct ForgetsUnset: ExplorationSubject {
    func wrap(_ work: @escaping Work, _ asyncWork: @escaping AsyncWork) -> (Work, AsyncWork) {
        let snapshot = IdentitySnapshot.capture()
        return snapshot.identity == nil ? (work, asyncWork) : (snapshot.wrap(work), snapshot.wrap(asyncWork))
    }
}

/// An item that is dispatched runs as its dispatcher, not as its creator.
final class CarriesTheDispatcher: ExplorationSubject {
    var fresh: any ExplorationSubject { CarriesTheDispatcher() }

    private let created = Mutex<[ObjectIdentifier: IdentitySnapshot]>([:])

    func item(_ work: @escaping @Sendable () -> Void) -> DispatchWorkItem {
        let item = DispatchWorkItem(block: work)
        let snapshot = IdentitySnapshot.capture()
        created.withLock { $0[ObjectIdentifier(item)] = snapshot }
        return item
    }

    func perform(_ item: DispatchWorkItem) {
        let snapshot = created.withLock { $0[ObjectIdentifier(item)] }
        snapshot?.restore { item.perform() }
    }

    func dispatch(_ item: DispatchWorkItem, on queue: DispatchQueue) {
        let snapshot = IdentitySnapshot.capture()
        let shared = SharedItem(item: item)
        queue.async { snapshot.restore { shared.item.perform() } }
    }
}

/// The UI level counts for files.
struct LetsUICountForFiles: ExplorationSubject {
    func effective(for purpose: EffectiveIdentity.Purpose) -> (identity: Identity?, level: EffectiveIdentity.Level?) {
        if purpose == .files, Identity.current == nil, let ui = IdentityLevels.current.ui { return (ui, .ui) }
        let effective = EffectiveIdentity.current(for: purpose)
        return (effective.identity, effective.level)
    }
}

/// A group's notification runs as the identity that makes the group empty.
struct NotifiesAsTheLast: ExplorationSubject {
    func notify(of group: DispatchGroup, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        group.notify(queue: queue, execute: work)
    }
}

/// The detached twin does not carry.
struct DetachesBare: ExplorationSubject {
    func detached(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> { Task.detached { await work() } }
}

/// An asynchronous scope binds nothing.
struct BindsNoTask: ExplorationSubject {
    nonisolated(nonsending) func bind(
        _ identity: Identity?,
        _ body: nonisolated(nonsending) () async throws(Leaving) -> Void
    ) async throws(Leaving) {
        try await body()
    }
}

/// A cancelled item runs all the same when it is dispatched.
final class RunsTheCancelled: ExplorationSubject {
    var fresh: any ExplorationSubject { RunsTheCancelled() }

    /// The work of each item, as long as the item keeps it.
    private let works = Mutex<[Int: @Sendable () -> Void]>([:])
    private let numbers = Mutex<[ObjectIdentifier: Int]>([:])

    /// Goes with the item's block.
    private final class Entry: Sendable {
        let number: Int
        private let subject: RunsTheCancelled

        init(_ number: Int, _ subject: RunsTheCancelled) {
            self.number = number
            self.subject = subject
        }

        deinit {
            let work = subject.works.withLock { [number] in $0.removeValue(forKey: number) }
            withExtendedLifetime(work) {}
        }
    }

    func item(_ work: @escaping @Sendable () -> Void) -> DispatchWorkItem {
        let number = numbers.withLock { $0.count }
        let entry = Entry(number, self)
        works.withLock { $0[number] = work }
        let item = DispatchWorkItem.propagatingIdentity { [self] in
            let work = works.withLock { $0[entry.number] }
            work?()
        }
        numbers.withLock { $0[ObjectIdentifier(item)] = number }
        return item
    }

    func dispatch(_ item: DispatchWorkItem, on queue: DispatchQueue) {
        let shared = SharedItem(item: item)
        let number = numbers.withLock { $0[ObjectIdentifier(item)] }
        queue.propagatingIdentity.async { [self] in
            if shared.item.isCancelled, let number { works.withLock { $0[number] }?() }
            shared.item.perform()
        }
    }
}

/// A subject that keeps for ever what `async` was given.
final class KeepsWork: ExplorationSubject {
    private let kept = Mutex<[@Sendable () -> Void]>([])

    func async(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        kept.withLock { $0.append(work) }
        queue.propagatingIdentity.async(execute: work)
    }
}

/// `sync` waits for something that does not come.
struct Deadlocks: ExplorationSubject {
    let released: DispatchSemaphore

    func sync(on queue: DispatchQueue, _ work: () throws(Leaving) -> Void) throws(Leaving) { released.wait() }
}
