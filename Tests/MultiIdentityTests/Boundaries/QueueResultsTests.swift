import Dispatch
import Foundation
import MultiIdentity
import Testing

@Suite("A queue that carries identity returns the same as plain Dispatch", .rule("4.7")) struct QueueResultsTests {
    @Test("label, QoS and queue are those of its creation") func properties() {
        let queue = IdentityQueue(label: "mail", qos: .utility)
        #expect(queue.label == "mail")
        #expect(queue.qos == .utility)
        #expect(queue.base.label == "mail")
        #expect(IdentityQueue(wrapping: queue.base) == queue)
        #expect(IdentityQueue.global(qos: .background).qos == DispatchQueue.global(qos: .background).qos)
        #expect(IdentityQueue.main.base.label == DispatchQueue.main.label)
    }

    @Test("sync returns its work's result, throws its errors, and requires no Sendable")
    func results() {
        struct Refused: Error, Equatable { let number: Int }
        final class Draft { var text = "draft" }
        let queue = IdentityQueue(label: "serial")
        let draft = Draft()
        #expect(queue.sync { draft } === draft)
        #expect(
            queue.sync(flags: .barrier) {
                draft.text += "!"; return draft.text
            } == "draft!"
        )
        do throws(Refused) {
            try queue.sync { () throws(Refused) in throw Refused(number: 3) }
        } catch { #expect(error.number == 3) }
        do throws(Refused) {
            try queue.sync(flags: .barrier) { () throws(Refused) in throw Refused(number: 4) }
        } catch { #expect(error.number == 4) }
        #expect(throws: Refused(number: 5)) { try queue.sync { () throws in throw Refused(number: 5) } }
    }

    @Test("its delayed work does not run before the deadline", arguments: [true, false])
    func deadlines(_ usesWallClock: Bool) async {
        let queue = IdentityQueue(label: "delayed")
        let start = ContinuousClock.now
        let end = await withCheckedContinuation { continuation in
            let work: @Sendable () -> Void = { continuation.resume(returning: ContinuousClock.now) }
            if usesWallClock {
                queue.asyncAfter(wallDeadline: .now() + .milliseconds(20), execute: work)
            } else {
                queue.asyncAfter(deadline: .now() + .milliseconds(20), execute: work)
            }
        }
        #expect(end - start >= .milliseconds(19), "less the grain of the two clocks")
    }

    @Test(
        "its work has the same quality of service as plain work",
        arguments: [DispatchQoS.background, .userInitiated]
    )
    func qualityOfService(_ qos: DispatchQoS) async {
        let queue = DispatchQueue(label: "qos", qos: qos)
        func seen(_ run: (@escaping @Sendable () -> Void) -> Void) async -> QualityOfService {
            await withCheckedContinuation { continuation in
                run { continuation.resume(returning: Thread.current.qualityOfService) }
            }
        }
        #expect(await seen { queue.propagatingIdentity.async(execute: $0) } == seen { queue.async(execute: $0) })
        let withQoS = await seen { queue.async(qos: .utility, flags: .enforceQoS, execute: $0) }
        #expect(
            await seen { queue.propagatingIdentity.async(qos: .utility, flags: .enforceQoS, execute: $0) } == withQoS
        )
    }
}
