import Dispatch
import MultiIdentity
import Testing

extension AutomaticMode {
    @Suite("what a closure owns") struct ReleaseTests {
        /// A way to hand a closure over.
        struct Way: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let handOver: @Sendable (@escaping @Sendable () -> Void) -> Void

            init(_ description: String, _ handOver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
                testDescription = description
                self.handOver = handOver
            }
        }

        /// By the wrappers, which automatic mode reaches underneath.
        static let carrying: [Way] = [
            Way("async") { IdentityQueue.global().async(execute: $0) },
            Way("async, in a group") { IdentityQueue.global().async(group: DispatchGroup(), execute: $0) },
            Way("async, with a QoS") { IdentityQueue.global().async(qos: .utility, execute: $0) },
            Way("async, as a barrier") { concurrent.async(flags: .barrier, execute: $0) },
            Way("async, on a serial queue") { IdentityQueue(label: "serial").async(execute: $0) },
            Way("async, on a queue that drains in batches") {
                IdentityQueue(label: "batched", draining: .inBatches).async(execute: $0)
            },
            Way("async, on a queue that was given") {
                DispatchQueue(label: "given").propagatingIdentity.async(execute: $0)
            },
            Way("asyncAfter a deadline") { IdentityQueue.global().asyncAfter(deadline: .now(), execute: $0) },
            Way("asyncAfter a wall clock's deadline") {
                IdentityQueue.global().asyncAfter(wallDeadline: .now(), execute: $0)
            },
            Way("a group's notification") {
                DispatchGroup().propagatingIdentity.notify(queue: .global(), execute: $0)
            },
        ]

        static let plain: [Way] = [
            Way("plain async") { DispatchQueue.global().async(execute: $0) },
            Way("plain async, in a group") { DispatchQueue.global().async(group: DispatchGroup(), execute: $0) },
            Way("plain asyncAfter") { DispatchQueue.global().asyncAfter(deadline: .now(), execute: $0) },
            Way("a plain group's notification") { DispatchGroup().notify(queue: .global(), execute: $0) },
        ]

        private static let concurrent = IdentityQueue(label: "concurrent", attributes: .concurrent)

        @Test("goes outside the scope that it ran in", .rule("6.2"), arguments: carrying + plain)
        func outside(_ way: Way) async throws {
            let ada = try Identity("ada@contoso.com")
            let (ran, giverHasLetGo) = (Seen(), DispatchSemaphore(value: 0))
            func give(_ farewell: Farewell) {
                withIdentity(ada) {
                    way.handOver {
                        giverHasLetGo.wait()
                        ran.identity = Identity.current
                        withExtendedLifetime(farewell) {}
                    }
                }
            }
            let released = await withCheckedContinuation { continuation in
                give(Farewell { continuation.resume(returning: $0) })
                giverHasLetGo.signal()
            }
            #expect(ran.identity == ada)
            #expect(released == nil)
        }
    }
}

/// Written by the work, and read when what the work owned has gone.
private final class Seen: @unchecked Sendable {
    // `@unchecked Sendable`: the continuation, which is resumed after the work, orders the two.
    var identity: Identity?
}

/// Says who is bound where it goes.
private final class Farewell: Sendable {
    private let said: @Sendable (Identity?) -> Void

    init(_ said: @escaping @Sendable (Identity?) -> Void) { self.said = said }

    deinit { said(Identity.current) }
}
