import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityFoundation
import MultiIdentityLease

extension Incident {
    static let messages = [consumerLoop, notification, mergedBatch]

    private static let consumerLoop = Incident(
        name: "consumer-loop",
        title: "The scope of a consumer's loop",
        symptom: "what a consumer does after its loop, or on an empty poll, belongs to the last message",
        kind: .messages,
        references: [
            .issue("open-telemetry/opentelemetry-java-instrumentation", 1947),
            .issue("open-telemetry/opentelemetry-java-instrumentation", 5826),
        ],
        mechanism: """
            The iterator over a consumer's messages opens a message's scope in `next` and closes it when it is asked for the \
            one after. A loop that is left early never asks, and the scope stays for whatever the thread does then.
            """,
        model: "The broker is an array; messages are envelopes with an owner.",
        lesson: "One closure for each message, which ends with its scope. No iterator hears that its loop is over.",
        keeper: Keeper("`IdentityConsumer`", see: "Leases.md#messages"),
        asPublished: {
            let worker = WorkerThread()
            let (handled, after) = await worker.run {
                var handled: Identity?
                for _ in ScopedMessages(owners: [Users.ada, Users.bea]) {
                    handled = ThreadUser.current
                    break  // what is left comes with the next poll
                }
                return (handled, ThreadUser.current)
            }
            return consuming(saw: handled, after)
        },
        withPackage: {
            let messages = try [Users.ada, Users.bea].map { try withIdentity($0) { try Envelope() } }
            let handled = Seen()
            let consumer = IdentityConsumer<Envelope>(
                owner: { try $0.owner },
                acknowledge: { _ in },
                retry: { _, _ in },
                deadLetter: { _, _ in }
            )
            for message in messages {
                try await consumer.consume(message) { _ in handled.note(Identity.current) }
                break
            }
            return consuming(saw: try handled.only, Identity.current)
        }
    )

    private static func consuming(saw handled: Identity?, _ after: Identity?) -> [Sighting] {
        [
            Sighting("what handles Ada's message", of: Users.ada, saw: handled),
            Sighting("what comes after the loop", of: nil, saw: after),
        ]
    }

    private static let notification = Incident(
        name: "notification",
        title: "A notification posted by another",
        symptom: "an observer sees the rows of the user that made the change",
        kind: .messages,
        references: [.issue("apache/felix", 27), .issue("groue/GRDB.swift", 1747)],
        mechanism: """
            Observers are called inside the call that posts, with whatever the one who posts has bound: rights, a tenant, \
            its cancellation. Here it is Foundation's own notification centre.
            """,
        model: nil,
        lesson: "The observer has asked for the work, and it is done as them. Who posted is a question of its own.",
        keeper: Keeper("`center.propagatingIdentity`", see: "Boundaries.md#owners-and-triggers"),
        asPublished: {
            let (center, seen) = (NotificationCenter(), Seen())
            let token = RequestUser.$current.withValue(Users.ada) {
                center.addObserver(forName: changed, object: nil, queue: nil) { _ in seen.note(RequestUser.current) }
            }
            RequestUser.$current.withValue(Users.bea) { center.post(name: changed, object: nil) }
            center.removeObserver(token)
            return [Sighting("Ada's observer", of: Users.ada, saw: try seen.only)]
        },
        withPackage: {
            let (center, seen) = (NotificationCenter(), Seen())
            let token = withIdentity(Users.ada) {
                center.propagatingIdentity.addObserver(forName: changed, object: nil, queue: nil) { _ in
                    seen.note(Identity.current)
                }
            }
            withIdentity(Users.bea) { center.post(name: changed, object: nil) }
            center.removeObserver(token)
            return [Sighting("Ada's observer", of: Users.ada, saw: try seen.only)]
        }
    )

    private static let changed = Notification.Name("changed")

    private static let mergedBatch = Incident(
        name: "merged-batch",
        title: "A fan-in under the wrong parent",
        symptom: "one request's trace, or one user's bill, grows by the work of others",
        kind: .messages,
        references: [.issue("bentoml/BentoML", 2989), .issue("graph-gophers/dataloader", 103)],
        mechanism: """
            Requests of several users are answered by one batch. It runs as a child of the request that came first, and all \
            that it does is written down as that user's.
            """,
        model: "The model server is a task that begins with the first request, and runs when there are two.",
        lesson: "What several have caused is no one's alone. Whom it runs as is said by a rule, not by who came first.",
        keeper: Keeper("`IdentityFanIn`", see: "Semantics.md#411-what-follows-the-work-of-several-runs-by-a-rule"),
        asPublished: {
            let isFull = Signal()
            let batch = RequestUser.$current.withValue(Users.ada) {
                Task {
                    await isFull.wait()
                    return RequestUser.current
                }
            }
            RequestUser.$current.withValue(Users.bea) { isFull.come() }
            return [Sighting("a batch for Ada and Bea", of: .nobody, saw: await batch.value)]
        },
        withPackage: {
            let levels = IdentityLevels()
            levels.diagnostics.response = .report { _ in }  // it reports a mixed join, which is what is made here
            let seen = await withIdentityLevels(levels) {
                await withCheckedContinuation { caller in
                    let (queue, group, fanIn) = (IdentityQueue(label: "model"), DispatchGroup(), IdentityFanIn())
                    for user in [Users.ada, Users.bea] {
                        withIdentity(user) { queue.async(group: group, joining: fanIn) {} }
                    }
                    group.propagatingIdentity.notify(queue: queue.base, joining: fanIn, as: .contributors) { _ in
                        caller.resume(returning: Identity.current)
                    }
                }
            }
            return [Sighting("a batch for Ada and Bea", of: .nobody, saw: seen)]
        }
    )
}

/// An iterator that keeps a message's scope open until it is asked for the next.
private struct ScopedMessages: Sequence, IteratorProtocol {
    var owners: [Identity]

    mutating func next() -> Identity? {
        ThreadUser.current = owners.first
        return owners.isEmpty ? nil : owners.removeFirst()
    }
}
