import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

@Suite("A progress with handlers that carry identity", .rule("4.7")) struct ProgressTests {
    @Test("runs a handler at once if it is set after a cancellation or pause, as its owner")
    func setLate() async {
        let progress = Progress(totalUnitCount: 1)
        withIdentity(grace) {
            progress.cancel()
            progress.pause()
        }
        let cancelled = await withCheckedContinuation { continuation in
            withIdentity(ada) {
                progress.propagatingIdentity.cancellationHandler = { continuation.resume(returning: Identity.current) }
            }
        }
        let paused = await withCheckedContinuation { continuation in
            progress.propagatingIdentity.pausingHandler = { continuation.resume(returning: Identity.current) }
        }
        #expect(cancelled == ada)
        #expect(paused == nil)
    }

    @Test("keeps its handlers apart, and shows and removes them on request") func handlers() async {
        let progress = Progress(totalUnitCount: 1)
        let view = progress.propagatingIdentity
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let note: @Sendable (String) -> Void = { continuation.yield("\($0) \(Identity.current?.name ?? "unset")") }
        withIdentity(ada) { view.pausingHandler = { note("paused") } }
        withIdentity(grace) { view.resumingHandler = { note("resumed") } }
        view.cancellationHandler = { note("cancelled") }
        #expect(view.pausingHandler != nil && view.resumingHandler != nil && view.cancellationHandler != nil)
        var notes = stream.makeAsyncIterator()
        progress.pause()
        #expect(await notes.next() == "paused ada@contoso.com")
        progress.resume()
        #expect(await notes.next() == "resumed grace@contoso.com")
        withIdentity(ada) { progress.cancel() }
        #expect(await notes.next() == "cancelled unset")
        #expect(progress.isCancelled && !progress.isPaused)
        view.cancellationHandler = nil
        view.pausingHandler = nil
        view.resumingHandler = nil
        #expect(progress.pausingHandler == nil && progress.resumingHandler == nil)
        #expect(progress.cancellationHandler == nil)
    }
}
