import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityDiagnostics
import MultiIdentityFoundation

extension Incident {
    static let handlers = [completionHandler, notification, mergedBatch, openSocket]

    private static let completionHandler = Incident(
        name: "completion-handler",
        title: "A completion handler that another user's work completes",
        references: [
            .issue("DataDog/dd-trace-js", 8826), .issue("othiym23/node-continuation-local-storage", 58),
        ],
        mechanism: """
            A pool keeps the handlers of those who wait. The user that gives a connection back runs the next one's handler, \
            within their own context.
            """,
        lesson: "A handler that is kept runs where somebody else is. Wrap it where it is handed over.",
        keeper: "IdentitySnapshot.wrap",
        asPublished: {
            let (pool, seen) = (CallbackPool(), Seen())
            RequestUser.$current.withValue(Users.ada) { pool.take {} }
            RequestUser.$current.withValue(Users.bea) { pool.take { seen.note(RequestUser.current) } }
            RequestUser.$current.withValue(Users.ada) { pool.giveBack() }
            return [Sighting("Bea's completion handler", of: Users.bea, saw: try seen.only)]
        },
        withPackage: {
            let (pool, seen) = (CallbackPool(), Seen())
            withIdentity(Users.ada) { pool.take {} }
            withIdentity(Users.bea) {
                pool.take(IdentitySnapshot.capture().wrap { seen.note(Identity.current) })
            }
            withIdentity(Users.ada) { pool.giveBack() }
            return [Sighting("Bea's completion handler", of: Users.bea, saw: try seen.only)]
        }
    )

    private static let notification = Incident(
        name: "notification",
        title: "A notification posted by another",
        references: [.issue("apache/felix", 27), .issue("groue/GRDB.swift", 1747)],
        mechanism: """
            Observers are called inside the call that posts, with whatever the one who posts has bound: rights, a tenant, \
            its cancellation. Here it is Foundation's own notification centre.
            """,
        lesson: "The observer has asked for the work, and it is done as them. Who posted is a question of its own.",
        keeper: "center.propagatingIdentity",
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

    private static let mergedBatch = Incident(
        name: "merged-batch",
        title: "A fan-in under the wrong parent",
        references: [.issue("bentoml/BentoML", 2989), .issue("graph-gophers/dataloader", 103)],
        mechanism: """
            Requests of several users are answered by one batch. It runs as a child of the request that came first, and all \
            that it does is written down as that user's.
            """,
        lesson: "What several have caused is no one's alone. Whom it runs as is said by a rule, not by who came first.",
        keeper: "IdentityFanIn",
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

    private static let openSocket = Incident(
        name: "open-socket",
        title: "A long-lived connection that captured its first user",
        references: [.issue("basecamp/fizzy", 3093), .issue("scottfwlr/yak", 18)],
        mechanism: """
            A web socket asks who its user is once, when it is opened. The user signs out, and frames that come through the \
            open socket are still handled as theirs.
            """,
        lesson: "Being signed in ends while connections live. Whatever captured a user has to hear of it.",
        keeper: "IdentityRevocation",
        asPublished: {
            var signedIn: Set = [Users.ada]
            let socket: @Sendable () -> Identity? = { [user = Users.ada] in user }
            signedIn.remove(Users.ada)
            return [Sighting("a frame after Ada has signed out", of: .nobody, saw: socket())]
        },
        withPackage: {
            let ada = Users.user("ada@socket.example")
            IdentityRevocation.isOn = true
            let socket = withIdentity(ada) { IdentitySnapshot.capture().wrap { Identity.current } }
            IdentityRevocation.revoke(ada, for: .signedOut)
            defer { IdentityRevocation.readmit(ada) }
            return [Sighting("a frame after Ada has signed out", of: .nobody, saw: socket())]
        }
    )

    private static let changed = Notification.Name("changed")
}
