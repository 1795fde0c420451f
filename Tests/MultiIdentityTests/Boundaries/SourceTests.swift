import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

@Suite("A source that carries identity otherwise behaves like a plain source") struct SourceTests {
    private let edith = Users.named("edith@contoso.com")

    @Test(
        "each handler runs as its owner, although another identity starts, feeds and cancels the source",
        .rule("4.5")
    )
    func handlersOfMany() async {
        let edith = edith
        let notes = Notes<String>()
        @Sendable func note(_ what: String) { notes.add("\(what): \(Identity.current?.name ?? "unset")") }
        await withCheckedContinuation { continuation in
            let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "source")).propagatingIdentity
            withIdentity(ada) {
                source.setRegistrationHandler {
                    note("registration")
                    source.add(data: 1)
                }
            }
            source.setEventHandler {
                note("event")
                withIdentity(edith) { source.cancel() }
            }
            withIdentity(grace) {
                source.setCancelHandler {
                    note("cancel")
                    continuation.resume()
                }
            }
            withIdentity(edith) { source.activate() }
        }
        #expect(notes.all == ["registration: ada@contoso.com", "event: unset", "cancel: grace@contoso.com"])
    }

    @Test(
        "data that is merged while the source is suspended arrives at once, whichever identity merged it",
        .rule("4.7")
    )
    func mergedData() async throws {
        let callers = try (1...4).map { try Identity("user-\($0)@contoso.com") }
        func merged<Base>(
            _ source: IdentitySource<Base>,
            _ merge: (IdentitySource<Base>, UInt) -> Void
        ) async -> [String] {
            let notes = Notes<String>()
            await withCheckedContinuation { continuation in
                withIdentity(ada) {
                    source.setEventHandler {
                        notes.add("\(source.data) as \(Identity.current?.name ?? "unset")")
                        source.cancel()
                    }
                    source.setCancelHandler { continuation.resume() }
                }
                for (index, caller) in callers.enumerated() {
                    withIdentity(caller) { merge(source, UInt(index + 1)) }
                }
                source.activate()
            }
            return notes.all
        }
        let add = DispatchSource.makeUserDataAddSource().propagatingIdentity
        #expect(await merged(add) { $0.add(data: $1) } == ["10 as ada@contoso.com"])
        let or = DispatchSource.makeUserDataOrSource().propagatingIdentity
        #expect(await merged(or) { $0.or(data: $1) } == ["7 as ada@contoso.com"])
        let replace = DispatchSource.makeUserDataReplaceSource().propagatingIdentity
        #expect(await merged(replace) { $0.replace(data: $1) } == ["4 as ada@contoso.com"])
    }

    @Test("a handler that removes itself continues as its owner", .rule("4.5"))
    func takesItselfAway() async {
        let seen = await onNewThread { () -> [String?] in
            let notes = Notes<String?>()
            let ended = DispatchSemaphore(value: 0)
            let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "source")).propagatingIdentity
            // Nothing else retains this identity.
            withIdentity(try? Identity("passing@contoso.com")) {
                source.setEventHandler {
                    source.setEventHandler(handler: nil)
                    notes.add(Identity.current?.name)
                    source.cancel()
                    notes.add(Identity.current?.name)
                    ended.signal()
                }
            }
            source.activate()
            source.add(data: 1)
            ended.wait()
            return notes.all
        }
        #expect(seen == ["passing@contoso.com", "passing@contoso.com"])
    }

    @Test("its view shows the source's own properties", .rule("4.7"))
    func properties() {
        let source = DispatchSource.makeTimerSource(flags: .strict)
        let view = source.propagatingIdentity
        #expect((view.handle, view.mask, view.data) == (source.handle, source.mask, source.data))
        #expect(!view.isCancelled)
        view.setEventHandler {}
        view.schedule(deadline: .distantFuture, repeating: .seconds(1), leeway: .seconds(1))
        view.activate()
        source.cancel()
        #expect(view.isCancelled)
        #expect(view.base as AnyObject === source as AnyObject)
        // Sources that were never started must not be released.
        let signal = DispatchSource.makeSignalSource(signal: SIGUSR2).propagatingIdentity
        #expect(signal.handle == UInt(SIGUSR2))
        signal.setEventHandler {}
        signal.cancel()
        signal.activate()
    }
}
