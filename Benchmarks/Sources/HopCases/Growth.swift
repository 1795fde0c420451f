import Dispatch
import MultiIdentity

/// A hop while something grows: identities, scopes around it, companions.
public struct Growth: Sendable {
    /// `what/way`.
    public let name: String
    private let makeRun: @Sendable (_ size: Int) -> @Sendable (_ hops: Int) -> Void

    /// Returns a function that makes hops at that size.
    public func prepare(size: Int) -> @Sendable (_ hops: Int) -> Void { makeRun(size) }

    /// All of them.
    public static let all = [
        Growth(name: "identities/carried", makeRun: carriedIdentities),
        Growth(name: "identities/handwritten", makeRun: handwrittenUsers),
        Growth(name: "scopes/carried") { depth in
            { hops in scopes(depth) { HopCase.held(HopCase.carriedAsync(), hops) } }
        },
        Growth(name: "scopes/handwritten") { depth in
            { hops in users(depth) { HopCase.held(HopCase.handwrittenAsync(), hops) } }
        },
        Growth(name: "companions/carried") { count in
            for _ in 0..<count { IdentityCompanions.carry(TaskLocal<User?>(wrappedValue: nil)) }
            return { hops in CaseBinding.identity.around { HopCase.held(HopCase.carriedAsync(), hops) } }
        },
    ]

    /// The place of a hop's identity among so many: one as likely as another, as among a server's users.
    ///
    /// Not by steps, which caches and what fetches ahead treat well or badly as the distance happens to be.
    static func place(of hop: Int, among count: Int) -> Int {
        var dice = SeededGenerator(seed: UInt64(hop))
        return dice.below(count)
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

    /// Each with an identity of its own, as if calls were nested.
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
