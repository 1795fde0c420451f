import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

#if canImport(Darwin) || compiler(>=6.3)
extension FoundationBoundary {
    static let messages: [FoundationBoundary] = [
        FoundationBoundary("asynchronous message", .reusable) { work in
            let center = NotificationCenter()
            let token = center.propagatingIdentity.addObserver(for: GivenMessage.self) { (_: GivenMessage) async in
                await Task.yield()
                work()
            }
            let subject = GivenMessage.Subject()
            return Given(
                setOff: { center.post(GivenMessage(), subject: subject) },
                end: { center.removeObserver(token) }
            )
        }
    ]
}

struct GivenMessage: NotificationCenter.AsyncMessage {
    final class Subject: Sendable {}
}

@Suite("An observer of typed messages that carries identity", .rule("4.7")) struct MessageTests {
    struct Shown: NotificationCenter.MainActorMessage {
        typealias Subject = GivenMessage.Subject
        let text: String
    }

    private let center = NotificationCenter()
    private let subject = GivenMessage.Subject()

    @MainActor
    @Test("runs on the main actor as its registrar, whichever identity posts, until its token is removed")
    func mainActor() {
        let runs = Notes<String>()
        let note: @MainActor (Shown) -> Void = { message in
            MainActor.assertIsolated()
            runs.add("\(message.text) \(Identity.current?.name ?? "unset")")
        }
        let tokens = withIdentity(ada) {
            [
                center.propagatingIdentity.addObserver(of: subject, for: .shown, using: note),
                center.propagatingIdentity.addObserver(of: GivenMessage.Subject.self, for: .shown, using: note),
                center.propagatingIdentity.addObserver(for: Shown.self, using: note),
            ]
        }
        let after = withIdentity(grace) { () -> Identity? in
            center.post(Shown(text: "1"), subject: subject)
            return .current
        }
        #expect(after == grace)
        #expect(runs.all == ["1 ada@contoso.com", "1 ada@contoso.com", "1 ada@contoso.com"])
        for token in tokens { center.removeObserver(token) }
        center.post(Shown(text: "2"), subject: subject)
        #expect(runs.all.count == 3)
    }

    @Test("runs in a task as its registrar, across suspensions", arguments: 0..<3)
    func asynchronous(_ form: Int) async {
        let (center, subject) = (center, subject)
        let (stream, continuation) = AsyncStream<Identity?>.makeStream()
        let note: @Sendable (GivenMessage) async -> Void = { _ in
            continuation.yield(.current)
            await Task.yield()
            continuation.yield(.current)
            continuation.finish()
        }
        let token = withIdentity(ada) {
            switch form {
            case 0: center.propagatingIdentity.addObserver(of: subject, for: .given, using: note)
            case 1: center.propagatingIdentity.addObserver(of: GivenMessage.Subject.self, for: .given, using: note)
            default: center.propagatingIdentity.addObserver(for: GivenMessage.self, using: note)
            }
        }
        withIdentity(grace) { center.post(GivenMessage(), subject: subject) }
        #expect(await stream.reduce(into: []) { $0.append($1) } == [ada, ada])
        center.removeObserver(token)
    }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<MessageTests.Shown> {
    static var shown: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<GivenMessage> {
    static var given: Self { .init() }
}
#else
// Foundation has no typed messages there.
extension FoundationBoundary {
    static let messages: [FoundationBoundary] = []
}
#endif
