import Dispatch
import MultiIdentity
import Testing

/// It tests by compiling: code that compiles with a plain queue compiles with ours.
@Suite("Calls written for a plain queue") struct SourceCompatibilityTests {
    @Test("keep their meaning if an argument names a queue by its short name")
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

    @Test("on the main queue reach its properties")
    func main() {
        let key = DispatchSpecificKey<Int>()
        IdentityQueue.main.setSpecific(key: key, value: 1)
        #expect(IdentityQueue.main.getSpecific(key: key) == 1)
        #expect(IdentityQueue.main.label == DispatchQueue.main.label)
        IdentityQueue.main.setSpecific(key: key, value: nil)
        #expect(DispatchQueue.main.propagatingIdentity.label == IdentityQueue.main.label)
    }
}
