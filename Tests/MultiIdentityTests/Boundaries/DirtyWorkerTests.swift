import Dispatch
import Testing

@testable import MultiIdentity

@Suite("On a worker with another identity bound") struct DirtyWorkerTests {
    static let captured: [Identity?] = [Users.ada, .nobody, nil]

    @Test("work in a box runs as its caller, and the worker's identity is restored", .rule("4.1"), arguments: captured)
    func box(_ caller: Identity?) async {
        let notes = Notes<Identity?>()
        let memory = withIdentity(caller) {
            Int(bitPattern: WorkBox({ notes.add(.current) }, BoundaryCapture(at: .async)).givenUp())
        }
        let after = await onNewThread {
            withIdentity(grace) {
                WorkBox.runGivenUp(UnsafeMutableRawPointer(bitPattern: memory))
                return Identity.current
            }
        }
        #expect(notes.all == [caller])
        #expect(after == grace)
    }

    @Test(
        "work that another thread waits for runs as that thread, and the worker's identity is restored",
        .rule("4.1"),
        arguments: captured
    )
    func waitedFor(_ caller: Identity?) async {
        let notes = Notes<Identity?>()
        // In the scope until it has run, like a waiting caller.
        let after = await withIdentity(caller) { () async -> Identity? in
            let waiting = CallersThread(at: .sync)
            return await onNewThread {
                withIdentity(grace) {
                    waiting.run { notes.add(.current) }
                    return Identity.current
                }
            }
        }
        #expect(notes.all == [caller])
        #expect(after == grace)
    }

    @Test("a plain item captured nothing, and runs as its worker", .rule("4.5"))
    func plainItem() async {
        let notes = Notes<Identity?>()
        let ada = try? Identity("ada@contoso.com")
        let item = Carried(withIdentity(ada) { DispatchWorkItem { notes.add(.current) } })
        await onNewThread { withIdentity(grace) { item.value.perform() } }
        await withCheckedContinuation { continuation in
            item.value.notify(queue: .global()) { continuation.resume() }
        }
        #expect(notes.all == [grace])
    }
}
