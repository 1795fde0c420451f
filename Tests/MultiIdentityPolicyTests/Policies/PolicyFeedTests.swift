import MultiIdentity
import MultiIdentityPolicy
import Testing

@Suite("A publication of policies") struct PolicyFeedTests {
    private typealias Seen = Notes<(before: PolicySet, now: PolicySet)>

    private static func set(_ number: Int) -> PolicySet {
        PolicySet(allowedAccounts: [Users.named("user\(number)")])
    }

    @Test("announces each change once, in order, and nothing without a change") func once() {
        let feed = PolicyFeed(Self.set(0))
        let seen = Seen()
        let subscription = feed.subscribe { seen.add(($0, $1)) }
        for number in [0, 1, 1, 2, 1] { feed.publish(Self.set(number)) }
        #expect(seen.all.map(\.before) == [0, 1, 2].map(Self.set))
        #expect(seen.all.map(\.now) == [1, 2, 1].map(Self.set))
        subscription.cancel()
        feed.publish(Self.set(3))
        #expect(seen.all.count == 3)
    }

    @Test("reaches no one who has cancelled meanwhile") func cancelledMeanwhile() {
        let feed = PolicyFeed(Self.set(0))
        let seen = Seen()
        let later = Locked<Subscription?>(nil)
        let first = feed.subscribe { _, _ in later.withLock { $0 }?.cancel() }
        later.withLock { $0 = feed.subscribe { seen.add(($0, $1)) } }
        feed.publish(Self.set(1))
        #expect(seen.all.isEmpty)
        first.cancel()
    }

    @Test("reaches no one who has dropped the subscription") func dropped() {
        let feed = PolicyFeed(Self.set(0))
        let seen = Seen()
        do { _ = feed.subscribe { seen.add(($0, $1)) } }
        feed.publish(Self.set(1))
        #expect(seen.all.isEmpty)
    }

    @Test("captured when registered: a listener runs as its subscriber", arguments: [nil, .nobody, Users.ada])
    func identity(_ identity: Identity?) {
        let feed = PolicyFeed(Self.set(0))
        let ran = Locked<[Identity?]>([])
        let subscription = withIdentity(identity) {
            feed.subscribe { _, _ in ran.withLock { $0.append(Identity.current) } }
        }
        withIdentity(Users.bob) { feed.publish(Self.set(1)) }
        #expect(ran.withLock { $0 } == [identity])
        subscription.cancel()
    }
}
