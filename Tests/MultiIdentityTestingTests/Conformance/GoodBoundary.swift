import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityTesting
import Testing

/// Boundaries that keep every promise that applies to them; each check makes its own.
struct GoodBoundary: Sendable, CustomTestStringConvertible {
    let make: @Sendable () -> BoundaryConformance
    /// The promises that are meaningless for it, or cannot be checked.
    let inapplicable: Set<BoundaryPromise>

    var testDescription: String { make().name }

    init(notApplicable inapplicable: Set<BoundaryPromise>, _ make: @escaping @Sendable () -> BoundaryConformance) {
        self.make = make
        self.inapplicable = inapplicable
    }

    /// The promises that are meaningless for work that is handed over to run once, without a result.
    private static let ofOneHop: Set<BoundaryPromise> = [
        .keepsIdentityOnEachRun, .keepsItAcrossSuspension, .returnsResults, .reinstatesAfterThrow,
        .releasesWhatWasDropped,
    ]

    static let all: [GoodBoundary] = [
        GoodBoundary(notApplicable: [.keepsIdentityOnEachRun, .keepsItAcrossSuspension, .returnsResults]) {
            Pool().boundary("a pool that restores around each piece of work")
        },
        GoodBoundary(notApplicable: ofOneHop) {
            let queue = IdentityQueue(label: "queue")
            return BoundaryConformance("IdentityQueue.async") { queue.async(execute: $0) }
                .running(on: .reachable { queue.base.async(execute: $0) })
        },
        GoodBoundary(
            notApplicable: [
                .keepsIdentityOnEachRun, .keepsItAcrossSuspension, .outlivesTheScope, .keepsWorkThatRepeats, .nests,
                .keepsEveryCapture, .runsNothingAsTheRevoked, .releasesWhatWasDropped,
            ]
        ) {
            let queue = IdentityQueue(label: "queue")
            return BoundaryConformance("IdentityQueue.sync") { queue.sync(execute: $0) }
                .running(on: .callingThread)
                .throwing { try? queue.sync(execute: $0) }
                .returning { try queue.sync(execute: $0) }
        },
        GoodBoundary(notApplicable: ofOneHop.union([.reinstatesAfterReturn])) {
            BoundaryConformance("a wrapped closure on a thread", capturedWhen: .created) { work in
                let wrapped: BoundaryConformance.Work = IdentitySnapshot.capture().wrap(work)
                return { Thread.detachNewThread(wrapped) }
            }
        },
        GoodBoundary(
            notApplicable: [.keepsItAcrossSuspension, .outlivesTheScope, .returnsResults, .reinstatesAfterThrow]
        ) {
            BoundaryConformance("DispatchWorkItem.perform", capturedWhen: .created) { work in
                let item = Item(DispatchWorkItem.propagatingIdentity(block: work))
                return { item.item.perform() }
            }
            .running(on: .callingThread)
            .reusable()
            .reentrant()
            .dropping { DispatchWorkItem.propagatingIdentity(block: $0).cancel() }
        },
        GoodBoundary(notApplicable: ofOneHop) {
            let queue = DispatchQueue(label: "notifications")
            return BoundaryConformance("DispatchGroup.notify", capturedWhen: .registered) { work in
                let group = DispatchGroup()
                group.enter()
                group.propagatingIdentity.notify(queue: queue, execute: work)
                return { group.leave() }
            }
            .running(on: .reachable { queue.async(execute: $0) })
        },
        GoodBoundary(notApplicable: ofOneHop) {
            let loop = Loop()
            return BoundaryConformance("an event loop that somebody drains") { work in
                loop.enqueue(IdentitySnapshot.capture().wrap(work))
            }
            .running(on: loop.worker)
        },
        GoodBoundary(
            notApplicable: [
                .keepsIdentityOnEachRun, .returnsResults, .reinstatesAfterReturn, .reinstatesAfterThrow,
                .releasesWhatWasDropped, .carriesIntoBlockingWork,
            ]
        ) {
            .asynchronous("Task.propagatingIdentity.detached") { work in
                Task.propagatingIdentity.detached { await work() }
            }
        },
        GoodBoundary(notApplicable: ofOneHop.union([.reinstatesAfterReturn, .carriesIntoBlockingWork])) {
            BoundaryConformance("Task") { work in Task { work() } }
        },
        GoodBoundary(
            notApplicable: [
                .keepsIdentityOnEachRun, .returnsResults, .reinstatesAfterReturn, .reinstatesAfterThrow,
                .releasesWhatWasDropped, .carriesIntoBlockingWork, .runsNothingAsTheRevoked,
            ]
        ) {
            .afterHandler("a middleware that wraps what the handler gave back") { identity, handler in
                let body: BoundaryConformance.AsyncWork = await withIdentity(identity) {
                    IdentitySnapshot.capture().wrap(await handler())
                }
                await body()
            }
        },
        GoodBoundary(
            notApplicable: [
                .returnsResults, .reinstatesAfterReturn, .reinstatesAfterThrow, .releasesWhatWasDropped,
                .carriesIntoBlockingWork,
            ]
        ) {
            .upstream("a share of a sequence that carries") { upstream in
                let share = FirstComeShare(upstream.propagatingIdentity)
                return { await share.next() }
            }
        },
        bounded("a pool whose callers wait", waits: true),
        bounded("a pool whose callers run what does not fit", waits: false),
        GoodBoundary(
            notApplicable: [
                .keepsIdentityOnEachRun, .keepsItAcrossSuspension, .reinstatesAfterReturn, .reinstatesAfterThrow,
                .releasesWhatWasDropped,
            ]
        ) {
            let (queue, turn) = (IdentityQueue(label: "in turn"), InTurn())
            return BoundaryConformance("a subject with callers that take turns") { work in
                turn.take { queue.async(execute: work) }
            }
            .throwing { work in turn.take { queue.async { try? work() } } }
            .returning { work in try turn.take { try queue.sync(execute: work) } }
            .takingTurns()
        },
    ]
}

extension GoodBoundary {
    /// At most four pieces of work, waiting or running.
    private static func bounded(_ name: String, waits: Bool) -> GoodBoundary {
        GoodBoundary(notApplicable: ofOneHop) {
            let (queue, places) = (DispatchQueue(label: "bounded"), DispatchSemaphore(value: 4))
            return BoundaryConformance(name) { work in
                let wrapped: BoundaryConformance.Work = IdentitySnapshot.capture().wrap(work)
                if places.wait(timeout: waits ? .distantFuture : .now()) == .timedOut { return wrapped() }
                queue.async {
                    wrapped()
                    places.signal()
                }
            }
            .running(on: .reachable { queue.async(execute: $0) })
            .bounded(to: 4)
        }
    }
}

/// Records whether two callers are ever inside at once.
final class InTurn: Sendable {
    private let isTaken = Locked(false)

    func take<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let wasTaken = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return isTaken
        }
        #expect(!wasTaken, "two callers are inside at once")
        defer { isTaken.withLock { $0 = false } }
        return try body()
    }
}

/// Passes a work item into a closure: this is safe, but on Linux a work item is not declared `Sendable`.
struct Item: @unchecked Sendable {
    let item: DispatchWorkItem

    init(_ item: DispatchWorkItem) { self.item = item }
}
