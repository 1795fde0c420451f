import Dispatch
import Testing

@testable import MultiIdentity

@Suite("A queue that carries identity otherwise behaves like the queue it wraps", .rule("4.7")) struct WrappedQueueTests
{
    @Test("a serial one runs in order, whichever methods are used") func order() async {
        let seen = await onNewThread {
            let notes = Notes<Int>()
            let queue = IdentityQueue(label: "serial")
            let group = DispatchGroup()
            queue.suspend()
            for number in 0..<200 {
                switch number % 6 {
                case 0: queue.async { notes.add(number) }
                case 1: queue.async(group: group) { notes.add(number) }
                case 2: queue.async(flags: .barrier) { notes.add(number) }
                case 3: queue.async(execute: DispatchWorkItem.propagatingIdentity { notes.add(number) })
                case 4: queue.base.async { notes.add(number) }
                default: queue.async(group: group, flags: .barrier) { notes.add(number) }
                }
            }
            queue.resume()
            queue.sync { notes.add(200) }
            return notes.all
        }
        #expect(seen == Array(0...200))
    }

    @Test("a concurrent one runs work in parallel", .timeLimit(.minutes(20))) func sideBySide() async {
        let met = await onNewThread {
            let queue = IdentityQueue(label: "concurrent", attributes: .concurrent)
            let group = DispatchGroup()
            let begun = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
            for index in 0..<2 {
                queue.async(group: group) {
                    begun[1 - index].signal()
                    begun[index].wait()
                }
            }
            group.wait()
            return true
        }
        #expect(met)
    }

    @Test("a group counts its work until that has run, and is then empty") func groups() async {
        let counts = await onNewThread { () -> [Int] in
            let notes = Notes<Int>()
            let group = DispatchGroup()
            let queue = IdentityQueue(label: "serial")
            queue.suspend()
            for number in 0..<10 { queue.async(group: group) { notes.add(number) } }
            queue.async(group: group, execute: DispatchWorkItem.propagatingIdentity { notes.add(10) })
            let before = group.wait(timeout: .now()) == .timedOut ? notes.all.count : -1
            queue.resume()
            group.wait()
            return [before, notes.all.count, group.wait(timeout: .now()) == .success ? 0 : 1]
        }
        #expect(counts == [0, 11, 0])
    }

    @Test("preconditions on it hold inside its work and not outside", arguments: [true, false])
    func preconditions(_ isSynchronous: Bool) async {
        await onNewThread {
            let queue = IdentityQueue(label: "serial")
            let group = DispatchGroup()
            dispatchPrecondition(condition: .notOnQueue(queue))
            let check: @Sendable () -> Void = {
                dispatchPrecondition(condition: .onQueue(queue))
                dispatchPrecondition(condition: .onQueue(queue.base))
                dispatchPrecondition(condition: .notOnQueue(IdentityQueue(label: "other")))
            }
            if isSynchronous { queue.sync(execute: check) } else { queue.async(group: group, execute: check) }
            group.wait()
            dispatchPrecondition(condition: .notOnQueue(queue))
        }
    }

    @Test("on a concurrent one, a barrier is one to Dispatch itself", arguments: [true, false])
    func barrierPreconditions(_ hasHandle: Bool) async {
        let checked = await onNewThread {
            let notes = Notes<Int>()
            let base = DispatchQueue(label: "concurrent", attributes: .concurrent)
            let queue = hasHandle ? IdentityQueue(wrapping: base) : IdentityQueue(wrapping: base, handle: nil)
            @Sendable func check(_ number: Int) {
                dispatchPrecondition(condition: .onQueueAsBarrier(queue))
                notes.add(number)
            }
            queue.async(flags: .barrier) { check(0) }
            queue.sync(flags: .barrier) { check(1) }
            if !Self.losesFlagsOfBlocks {
                queue.async(group: DispatchGroup(), flags: .barrier) { check(2) }
                queue.async(qos: .utility, flags: [.barrier, .enforceQoS]) { check(3) }
                queue.async(execute: DispatchWorkItem.propagatingIdentity(flags: .barrier) { check(4) })
                queue.sync(execute: DispatchWorkItem.propagatingIdentity(flags: .barrier) { check(5) })
            }
            return notes.all
        }
        #expect(checked == Array(0...(Self.losesFlagsOfBlocks ? 1 : 5)))
    }

    /// The thread sanitizer wraps each block that Dispatch gets, including plain ones, and drops its flags.
    private static let losesFlagsOfBlocks = Sanitizer.isThread

    @Test("values for keys are visible in its work, on it and on queues that target it") func specifics() async {
        let seen = await onNewThread { () -> [Int?] in
            let key = DispatchSpecificKey<Int>()
            let lower = IdentityQueue(label: "lower")
            lower.setSpecific(key: key, value: 7)
            let upper = IdentityQueue(label: "upper", target: lower)
            let later = IdentityQueue(label: "later", attributes: .initiallyInactive)
            later.setTarget(queue: lower)
            later.activate()
            let inside = [lower, upper, later].map { $0.sync { IdentityQueue.getSpecific(key: key) } }
            lower.setSpecific(key: key, value: nil)
            return inside + [lower.getSpecific(key: key), IdentityQueue.getSpecific(key: key)]
        }
        #expect(seen == [7, 7, 7, nil, nil])
    }
}
