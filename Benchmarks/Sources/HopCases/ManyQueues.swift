import Dispatch
import Foundation
import MultiIdentity

/// Hops to many queues as many identities in turn, by one thread or by two, while the queues run what they were given.
///
/// Whatever two threads of a hop share, each such hop would have to wait for: the more threads, the worse against raw.
public struct ManyQueues: Sendable {
    /// The ways across: `raw` binds and carries nothing.
    public static let ways = ["raw", "handwritten", "carried"]

    private let queues: [IdentityQueue]
    /// One for each queue, which alone touches it.
    private let counters: [Counter]
    private let identities: [Identity?]
    private let users: [User]
    /// The hops that were begun, so that the next ones run as others; ``run(_:hops:threads:)`` alone touches it.
    private let begun = Counter()

    /// Makes so many of each.
    ///
    /// The queues run on the global queue, so that there are no more workers than processors.
    public init(queues: Int, identities: Int) {
        self.queues = (0..<queues).map { IdentityQueue(label: "many-\($0)", target: .global()) }
        counters = (0..<queues).map { _ in Counter() }
        self.identities = (0..<identities).map { try? Identity("user-\(1_000_000 + $0)@contoso.com") }
        users = (0..<identities).map { User(name: "user-\(1_000_000 + $0)@contoso.com") }
    }

    /// Hands so many hops over, shared among so many threads, and returns when all have run; one run at a time.
    public func run(_ way: String, hops: Int, threads: Int) {
        let done = DispatchGroup()
        let (share, first) = (hops / threads, begun.value)
        begun.value += hops
        for thread in 1..<threads {
            done.enter()
            Thread.detachNewThread {
                submit(way, first + thread * share..<first + (thread + 1) * share)
                done.leave()
            }
        }
        submit(way, first..<first + share)
        done.wait()
        for queue in queues { queue.base.sync {} }
    }

    private func submit(_ way: String, _ hops: Range<Int>) {
        switch way {
        case "raw": submitRaw(hops)
        case "handwritten": submitHandwritten(hops)
        default: submitCarried(hops)
        }
    }

    private func submitRaw(_ hops: Range<Int>) {
        for hop in hops {
            let (queue, counter) = (queues[hop % queues.count].base, counters[hop % queues.count])
            queue.async { counter.value += 1 }
        }
    }

    private func submitHandwritten(_ hops: Range<Int>) {
        for hop in hops {
            let (queue, counter) = (queues[hop % queues.count].base, counters[hop % queues.count])
            Handwritten.$user.withValue(users[Growth.place(of: hop, among: users.count)]) {
                let user = Handwritten.user
                queue.async { Handwritten.$user.withValue(user) { counter.value += 1 } }
            }
        }
    }

    private func submitCarried(_ hops: Range<Int>) {
        for hop in hops {
            let (queue, counter) = (queues[hop % queues.count], counters[hop % queues.count])
            withIdentity(identities[Growth.place(of: hop, among: identities.count)]) {
                queue.async { counter.value += 1 }
            }
        }
    }
}
