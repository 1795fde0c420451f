import Observation
import Testing

@testable import MultiIdentity

@Suite("A handler of an observed change that carries identity") struct ObservationTrackingTests {
    /// Its properties are read and changed on one thread at a time.
    private final class Inbox: Observable, Sendable {
        private let registrar = ObservationRegistrar()
        private let count = Locked(0)

        var unread: Int {
            get {
                registrar.access(self, keyPath: \.unread)
                return count.withLock { $0 }
            }
            set {
                registrar.withMutation(of: self, keyPath: \.unread) { count.withLock { $0 = newValue } }
            }
        }
    }

    static let owners: [Identity?] = [Users.ada, .nobody, nil]
    static let others: [Identity?] = [Users.grace, .nobody, nil]

    @Test(
        "runs as its owner, before the change and once, whichever identity makes it",
        .rule("4.5"),
        arguments: owners,
        others
    )
    func owner(_ owner: Identity?, _ other: Identity?) async {
        let (inbox, seen) = (Inbox(), Notes<[Identity?]>())
        let found = withIdentity(owner) {
            withIdentityObservationTracking {
                #expect(Identity.current == owner)
                return inbox.unread
            } onChange: {
                #expect(inbox.unread == 0)
                seen.add([Identity.current, IdentitySnapshot.bound.get().identity, IdentityTrigger.current?.identity])
            }
        }
        #expect(found == 0)
        await onNewThread {
            withIdentity(other) {
                inbox.unread = 1
                inbox.unread = 2
                #expect(Identity.current == other)
                #expect(IdentitySnapshot.bound.get().identity == other)
            }
        }
        #expect(seen.all == [[owner, owner, other]])
    }

    @Test("runs as its trigger if registered so", .rule("4.10"))
    func trigger() {
        let (inbox, seen) = (Inbox(), Notes<Identity?>())
        withIdentity(ada) {
            withIdentityObservationTracking(runningAs: .trigger) {
                _ = inbox.unread
            } onChange: {
                seen.add(.current)
            }
        }
        withIdentity(grace) { inbox.unread = 1 }
        #expect(seen.all == [grace])
    }

    @Test("is not made if nothing was read", .rule("4.7"))
    func unread() {
        let seen = Notes<String>()
        func handler() -> @Sendable () -> Void {
            seen.add("made")
            return {}
        }
        withIdentityObservationTracking({}, onChange: handler())
        #expect(seen.all.isEmpty)
    }

    @Test("is released with its captures when it has run, although the observed object is retained", .rule("6.2"))
    func released() async {
        let inbox = Inbox()
        let outcome = await Farewell.outcome { farewell in
            withIdentity(ada) {
                withIdentityObservationTracking {
                    _ = inbox.unread
                } onChange: {
                    withExtendedLifetime(farewell) {}
                }
            }
            inbox.unread = 1
        }
        #expect(outcome == .released(whileBound: nil))
        #expect(inbox.unread == 1)
    }
}
