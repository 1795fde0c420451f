import Dispatch
import MultiIdentity
import Testing

/// Tests by being compiled: what compiles with a plain queue compiles with ours.
@Suite("Calls that are written for a plain queue") struct SourceCompatibilityTests {
    private final class NotSendable {
        var value = 1
    }

    private struct Refusal: Error {}

    @Test("keep their meaning where an argument names a queue by its short name")
    func shortNames() async {
        let queue = IdentityQueue(label: "queue", attributes: .initiallyInactive)
        queue.setTarget(queue: .global())
        queue.activate()
        DispatchQueue.global().sync { dispatchPrecondition(condition: .onQueue(.global())) }
        dispatchPrecondition(condition: .notOnQueue(queue))
        let group = DispatchGroup()
        await withCheckedContinuation { continuation in
            group.propagatingIdentity.notify(queue: .global()) { continuation.resume() }
        }
        await withCheckedContinuation { continuation in
            let item = DispatchWorkItem.propagatingIdentity { continuation.resume() }
            group.propagatingIdentity.notify(queue: .global(), work: item)
        }
        await withCheckedContinuation { continuation in
            let item = DispatchWorkItem.propagatingIdentity { continuation.resume() }
            group.propagatingIdentity.notify(queue: queue, work: item)
        }
    }

    @Test("of sync return, throw and capture what they did")
    func sync() throws {
        let queue = IdentityQueue(label: "queue")
        let captured = NotSendable()
        let returned = queue.sync {
            captured.value += 1
            return captured
        }
        #expect(returned === captured)
        let number: Int = queue.sync { captured.value }
        #expect(number == 2)
        #expect(throws: Refusal.self) { try queue.sync { throw Refusal() } }
        let optional = try? queue.sync { () throws -> Int in
            if captured.value > 100 { throw Refusal() }
            return captured.value
        }
        #expect(optional == 2)
        func passOn<Value>(_ work: () throws -> Value) rethrows -> Value { try queue.sync(execute: work) }
        #expect(passOn { 3 } == 3)
    }

    @Test("of the main queue reach its properties")
    func main() {
        let key = DispatchSpecificKey<Int>()
        IdentityQueue.main.setSpecific(key: key, value: 1)
        #expect(IdentityQueue.main.getSpecific(key: key) == 1)
        #expect(IdentityQueue.main.label == DispatchQueue.main.label)
        IdentityQueue.main.setSpecific(key: key, value: nil)
        #expect(DispatchQueue.main.propagatingIdentity.label == IdentityQueue.main.label)
    }
}
