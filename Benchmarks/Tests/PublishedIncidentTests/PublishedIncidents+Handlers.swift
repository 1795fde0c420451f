import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityDiagnostics
import MultiIdentityFoundation
import Testing

extension PublishedIncidents {
    /// DataDog/dd-trace-js#8826, othiym23/node-continuation-local-storage#58.
    @Test("a completion handler that another user's work completes") func completionHandler() async throws {
        try await reproduce(Users.bea) {
            let (pool, seen) = (CallbackPool(), Seen())
            RequestUser.$current.withValue(Users.ada) { pool.take {} }
            RequestUser.$current.withValue(Users.bea) { pool.take { seen.note(RequestUser.current) } }
            RequestUser.$current.withValue(Users.ada) { pool.giveBack() }
            return [try seen.only]
        } withPackage: {
            let (pool, seen) = (CallbackPool(), Seen())
            withIdentity(Users.ada) { pool.take {} }
            withIdentity(Users.bea) {
                pool.take(IdentitySnapshot.capture().wrap { seen.note(Identity.current) })
            }
            withIdentity(Users.ada) { pool.giveBack() }
            return [try seen.only]
        }
    }

    /// apache/felix#27, groue/GRDB.swift#1747.
    @Test("a notification posted by another") func notification() async throws {
        try await reproduce(Users.ada) {
            let (center, seen) = (NotificationCenter(), Seen())
            let token = RequestUser.$current.withValue(Users.ada) {
                center.addObserver(forName: changed, object: nil, queue: nil) { _ in seen.note(RequestUser.current) }
            }
            RequestUser.$current.withValue(Users.bea) { center.post(name: changed, object: nil) }
            center.removeObserver(token)
            return [try seen.only]
        } withPackage: {
            let (center, seen) = (NotificationCenter(), Seen())
            let token = withIdentity(Users.ada) {
                center.propagatingIdentity.addObserver(forName: changed, object: nil, queue: nil) { _ in
                    seen.note(Identity.current)
                }
            }
            withIdentity(Users.bea) { center.post(name: changed, object: nil) }
            center.removeObserver(token)
            return [try seen.only]
        }
    }

    /// bentoml/BentoML#2989, graph-gophers/dataloader#103.
    @Test("a fan-in under the wrong parent") func mergedBatch() async throws {
        try await reproduce(.nobody) {
            let isFull = Signal()
            let batch = RequestUser.$current.withValue(Users.ada) {
                Task {
                    await isFull.wait()
                    return RequestUser.current
                }
            }
            RequestUser.$current.withValue(Users.bea) { isFull.come() }
            return [await batch.value]
        } withPackage: {
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
            return [seen]
        }
    }

    /// basecamp/fizzy#3093, scottfwlr/yak#18.
    @Test("a long-lived connection that captured its first user") func openSocket() async throws {
        try await reproduce(.nobody) {
            var signedIn: Set = [Users.ada]
            let socket: @Sendable () -> Identity? = { [user = Users.ada] in user }
            signedIn.remove(Users.ada)
            return [socket()]
        } withPackage: {
            let ada = Users.user("ada@socket.example")
            IdentityRevocation.isOn = true
            let socket = withIdentity(ada) { IdentitySnapshot.capture().wrap { Identity.current } }
            IdentityRevocation.revoke(ada, for: .signedOut)
            defer { IdentityRevocation.readmit(ada) }
            return [socket()]
        }
    }
}

private let changed = Notification.Name("changed")
