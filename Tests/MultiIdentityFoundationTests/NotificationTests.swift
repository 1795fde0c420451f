import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

@Suite("An observer of notifications, plain or carrying identity") struct NotificationTests {
    // Foundation of Swift 6.2 does not find an object of any other class again.
    private final class Subject: NSObject, Sendable {}

    /// The plain and the carrying way to register an observer, which must behave alike.
    enum Kind: CaseIterable, Sendable {
        case plain, carrying

        func observe(
            _ name: Notification.Name?,
            of object: Any? = nil,
            in center: NotificationCenter,
            on queue: OperationQueue? = nil,
            _ block: @escaping @Sendable (Notification) -> Void
        ) -> any NSObjectProtocol {
            switch self {
            case .plain: center.addObserver(forName: name, object: object, queue: queue, using: block)
            case .carrying:
                center.propagatingIdentity.addObserver(forName: name, object: object, queue: queue, using: block)
            }
        }
    }

    @Test("gets the posted name, object and user info", .rule("4.7"), arguments: Kind.allCases)
    func payload(_ kind: Kind) {
        let (center, object) = (NotificationCenter(), Subject())
        let runs = Notes<[String]>()
        let token = kind.observe(.given, in: center) { notification in
            let isSame = notification.object as? Subject === object
            runs.add([notification.name.rawValue, "\(isSame)", notification.userInfo?["key"] as? String ?? ""])
        }
        center.post(name: .given, object: object, userInfo: ["key": "value"])
        center.removeObserver(token)
        #expect(runs.all == [["multi-identity.given", "true", "value"]])
    }

    @Test("gets only what it asked for, until it is removed", .rule("4.7"), arguments: Kind.allCases)
    func filter(_ kind: Kind) {
        let (center, object) = (NotificationCenter(), Subject())
        let other = Notification.Name("multi-identity.other")
        let runs = Notes<String>()
        let tokens = [
            kind.observe(.given, in: center) { _ in runs.add("name") },
            kind.observe(nil, of: object, in: center) { _ in runs.add("object") },
            kind.observe(.given, of: object, in: center) { _ in runs.add("both") },
        ]
        center.post(name: other, object: nil)
        center.post(name: .given, object: NSObject())
        center.post(name: other, object: object)
        #expect(runs.all == ["name", "object"])
        center.post(name: .given, object: object)
        #expect(runs.all.dropFirst(2).sorted() == ["both", "name", "object"])
        for token in tokens { center.removeObserver(token) }
        center.post(name: .given, object: object)
        #expect(runs.all.count == 5)
    }

    @Test("runs on its queue while the poster waits", .rule("4.7"), arguments: Kind.allCases, [false, true])
    func queue(_ kind: Kind, _ carries: Bool) async {
        let runs = Notes<Bool>()
        let ran = await onNewThread { () -> Int in
            let center = NotificationCenter()
            let queue = carries ? IdentityOperationQueue() : OperationQueue()
            let token = kind.observe(.given, in: center, on: queue) { _ in runs.add(OperationQueue.current === queue) }
            center.post(name: .given, object: nil)
            let ran = runs.all.count
            center.removeObserver(token)
            return ran
        }
        #expect(ran == 1)
        #expect(runs.all == [true])
    }

    @Test("can read who posted, unless it runs on a queue", .rule("4.10"), arguments: [false, true])
    func trigger(_ hasQueue: Bool) async {
        let triggers = Notes<IdentityTrigger?>()
        await onNewThread {
            let center = NotificationCenter()
            let queue = hasQueue ? OperationQueue() : nil
            let token = withIdentity(ada) {
                Kind.carrying.observe(.given, in: center, on: queue) { _ in triggers.add(.current) }
            }
            withIdentity(grace) { center.post(name: .given, object: nil) }
            center.post(name: .given, object: nil)
            center.removeObserver(token)
        }
        let isKnown = triggers.all.map { $0 != nil }
        #expect(isKnown == [!hasQueue, !hasQueue])
        #expect(triggers.all.map { $0?.identity } == [hasQueue ? nil : grace, nil])
    }

    @Test("that posts runs the observers of that as theirs, and then continues as its own", .rule("4.7"))
    func nested() {
        let (center, inner) = (NotificationCenter(), Notification.Name("multi-identity.inner"))
        let runs = Notes<Identity?>()
        let tokens = [
            withIdentity(ada) {
                Kind.carrying.observe(.given, in: center) { _ in
                    center.post(name: inner, object: nil)
                    runs.add(.current)
                }
            },
            withIdentity(.nobody) { Kind.carrying.observe(inner, in: center) { _ in runs.add(.current) } },
        ]
        withIdentity(grace) { center.post(name: .given, object: nil) }
        for token in tokens { center.removeObserver(token) }
        #expect(runs.all == [.nobody, ada])
    }
}
