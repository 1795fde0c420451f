import Dispatch
import MultiIdentity

/// A hop while something grows: identities, or scopes around it.
public struct Growth: Sendable {
    /// What grows.
    public let what: String
    /// The variant of crossing.
    public let way: String
    private let makeRun: @Sendable (_ size: Int) -> @Sendable (_ hops: Int) -> Void

    /// Returns a function that makes hops at that size.
    public func prepare(size: Int) -> @Sendable (_ hops: Int) -> Void { makeRun(size) }

    /// All of them.
    public static let all = [
        Growth(what: "identities", way: "carried", makeRun: carriedIdentities),
        Growth(what: "identities", way: "handwritten", makeRun: handwrittenUsers),
        Growth(what: "scopes", way: "carried") { depth in
            { hops in scopes(depth) { HopCase.held(HopCase.carriedAsync(), hops) } }
        },
        Growth(what: "scopes", way: "handwritten") { depth in
            { hops in users(depth) { HopCase.held(HopCase.handwrittenAsync(), hops) } }
        },
    ]

    /// Returns the index of a hop's identity: all are equally likely, as among a server's users.
    ///
    /// It does not use steps, which suit caches and prefetching better or worse depending on the distance.
    static func place(of hop: Int, among count: Int) -> Int {
        // The finalizer of SplitMix64.
        var mixed = UInt64(hop) &* 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ (mixed >> 31)) >> 32) % count
    }

    private static let carriedIdentities: @Sendable (Int) -> @Sendable (Int) -> Void = { size in
        let identities = (0..<size).map { try? Identity("user-\(1_000_000 + $0)@contoso.com") }
        return { hops in
            let (queue, counter) = (IdentityQueue(label: "carried"), Counter())
            queue.base.suspend()
            for hop in 0..<hops {
                withIdentity(identities[place(of: hop, among: size)]) { queue.async { counter.value += 1 } }
            }
            queue.base.resume()
            queue.base.sync {}
        }
    }

    private static let handwrittenUsers: @Sendable (Int) -> @Sendable (Int) -> Void = { size in
        let users = (0..<size).map { User(name: "user-\(1_000_000 + $0)@contoso.com") }
        return { hops in
            let (queue, counter) = (DispatchQueue(label: "handwritten"), Counter())
            queue.suspend()
            for hop in 0..<hops {
                Handwritten.$user.withValue(users[place(of: hop, among: size)]) {
                    let user = Handwritten.user
                    queue.async { Handwritten.$user.withValue(user) { counter.value += 1 } }
                }
            }
            queue.resume()
            queue.sync {}
        }
    }

    /// Each with its own identity, as if calls were nested.
    private static func scopes(_ depth: Int, _ body: () -> Void) {
        if depth == 0 { return body() }
        withIdentity(try? Identity("caller-\(depth)@contoso.com")) { scopes(depth - 1, body) }
    }

    private static func users(_ depth: Int, _ body: () -> Void) {
        if depth == 0 { return body() }
        Handwritten.$user.withValue(User(name: "caller-\(depth)@contoso.com")) { users(depth - 1, body) }
    }
}

extension HopCase {
    fileprivate static func held(_ parts: HopParts, _ hops: Int) {
        parts.hold()
        parts.enqueue(hops)
        parts.drain()
    }
}
