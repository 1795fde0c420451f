import Dispatch
import Foundation
import Synchronization
import Testing

@testable import MultiIdentity

@Suite("A fair queue keeps the contracts of a queue", .rule("4.7", "4.15")) struct FairContractTests {
    /// The thread sanitizer's entry points wrap a work item's block in one without its flags.
    private static let losesFlagsOfItems = Sanitizer.isThread
    private let callers: [Identity?] = [nil, ada, ada, grace, .nobody, nil, grace, ada]

    private static func queue(width: Int, target: DispatchQueue? = nil) -> IdentityQueue {
        let queue = DispatchQueue(label: "fair", attributes: width > 1 ? .concurrent : [], target: target)
        let terms = FairTerms(.pieces, nil)
        return IdentityQueue(fairly: terms, of: queue, target: target, isConcurrent: width > 1, width: width)
    }

    @Test("each piece runs as its caller, and is released outside its scope before the next one begins")
    func identities() async {
        let callers = callers
        let events = await onNewThread { () -> [String] in
            let (events, queue) = (Notes<String>(), Self.queue(width: 1))
            queue.suspend()
            for (number, caller) in callers.enumerated() {
                withIdentity(caller) {
                    let farewell = Farewell { events.add("gone \(number) as \($0?.name ?? "unset")") }
                    queue.async {
                        let look = Look()
                        withExtendedLifetime(farewell) {
                            events.add("ran \(number) rightly \(look.agree && look.identity == caller)")
                        }
                    }
                }
            }
            queue.resume()
            for caller in callers { withIdentity(caller) { queue.sync {} } }
            return events.all
        }
        let order = [0, 1, 3, 4, 5, 2, 6, 7]
        #expect(events == order.flatMap { ["ran \($0) rightly true", "gone \($0) as unset"] })
    }

    @Test("`sync` runs on its caller's thread, in its turn, with what it returns and throws", arguments: [1, 3])
    func syncing(_ width: Int) async {
        struct Refused: Error {}
        let result = await onNewThread { () -> [Bool] in
            let (queue, key, ran) = (Self.queue(width: width), DispatchSpecificKey<Int>(), Notes<Int>())
            queue.setSpecific(key: key, value: 7)
            return withIdentity(ada) {
                for number in 0..<100 { queue.async { ran.add(number) } }
                let here = pthread_self()
                let (there, seen, key, count) = queue.sync(flags: .barrier) {
                    dispatchPrecondition(condition: .onQueueAsBarrier(queue))
                    return (pthread_self(), Identity.current, IdentityQueue.getSpecific(key: key), ran.all.count)
                }
                let item = DispatchWorkItem.propagatingIdentity { ran.add(-1) }
                queue.sync(execute: item)
                let error = Result { () throws(Refused) in try queue.sync { () throws(Refused) in throw Refused() } }
                let isRefused = if case .failure = error { true } else { false }
                return [here == there, seen == ada, key == 7, count == 100, ran.all.last == -1, isRefused]
            }
        }
        #expect(result.allSatisfy { $0 }, "\(result)")
    }

    @Test("a concurrent queue runs as many pieces as it has places, and a barrier alone, in its identity's order")
    func places() async {
        let (most, wrong, order) = await onNewThread { () -> (Int, Bool, [String]) in
            let (queue, group) = (Self.queue(width: 3), DispatchGroup())
            let (order, full) = (Notes<String>(), DispatchSemaphore(value: 0))
            let running = Atomic(0)
            let most = Atomic(0)
            let wrong = Atomic(false)
            @Sendable func piece(_ name: String?) {
                let count = running.add(1, ordering: .relaxed).newValue
                most.max(count, ordering: .relaxed)
                if let name { order.add(name) }
                for _ in 0..<50 { sched_yield() }
                running.subtract(1, ordering: .relaxed)
            }
            @Sendable func alone(_ name: String) {
                order.add(name)
                for _ in 0..<50 {
                    if running.load(ordering: .relaxed) != 0 { wrong.store(true, ordering: .relaxed) }
                    sched_yield()
                }
            }
            // Three pieces meet, so that there are three places.
            for _ in 0..<3 {
                queue.async(group: group) {
                    if running.add(1, ordering: .relaxed).newValue == 3 { for _ in 0..<3 { full.signal() } }
                    full.wait()
                    running.subtract(1, ordering: .relaxed)
                }
            }
            group.wait()
            for user in [ada, grace, nil] {
                withIdentity(user) {
                    for _ in 0..<50 { queue.async(group: group) { piece(nil) } }
                    let name = user?.name ?? "unset"
                    queue.async(group: group) { piece("\(name) 1") }
                    queue.async(group: group, flags: .barrier) { alone("\(name) 2") }
                    queue.async(group: group) { piece("\(name) 3") }
                    if Self.losesFlagsOfItems {
                        queue.async(group: group, flags: .barrier) { alone("\(name) 4") }
                    } else {
                        queue.async(group: group, execute: DispatchWorkItem(flags: .barrier) { alone("\(name) 4") })
                    }
                    queue.async(group: group, qos: .utility, flags: [.barrier, .enforceQoS]) { alone("\(name) 5") }
                    for _ in 0..<50 { queue.async(group: group) { piece(nil) } }
                }
            }
            group.wait()
            queue.sync(flags: .barrier) { alone("end") }
            return (most.load(ordering: .relaxed), wrong.load(ordering: .relaxed), order.all)
        }
        #expect(most <= 3)
        #expect(!wrong)
        for name in [ada.name, grace.name, "unset"] {
            #expect(order.filter { $0.hasPrefix(name) } == (1...5).map { "\(name) \($0)" })
        }
    }

    @Test("a piece on a concurrent queue may wait for a `sync` of its own, though no place is left") func nested() async
    {
        let count = await onNewThread {
            let (queue, group) = (Self.queue(width: 2), DispatchGroup())
            let count = Atomic(0)
            for _ in 0..<20 {
                queue.async(group: group) { queue.sync { _ = count.add(1, ordering: .relaxed) } }
            }
            group.wait()
            return count.load(ordering: .relaxed)
        }
        #expect(count == 20)
    }

    @Test(
        "an identity's later work does not overtake its barrier, though a place is free",
        arguments: losesFlagsOfItems ? [false] : [false, true]
    )
    func barrierInLine(_ isItem: Bool) async {
        let order = await onNewThread { () -> [String] in
            let (queue, group, order) = (Self.queue(width: 3), DispatchGroup(), Notes<String>())
            let (gate, hasBegun) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            queue.async(group: group) {
                hasBegun.signal()
                gate.wait()
                order.add("before")
            }
            hasBegun.wait()
            if isItem {
                queue.async(group: group, execute: DispatchWorkItem(flags: .barrier) { order.add("barrier") })
            } else {
                queue.async(group: group, flags: .barrier) { order.add("barrier") }
            }
            queue.async(group: group) { order.add("after") }
            // The barrier has its turn, and nothing else may begin.
            while let turns = queue.turns, !turns.state.withLock(of: turns, { $0.isHeld }), order.all.isEmpty {
                sched_yield()
            }
            gate.signal()
            group.wait()
            return order.all
        }
        #expect(order == ["before", "barrier", "after"])
    }

    @Test("suspended by a piece, it begins no other", arguments: [1, 3]) func suspension(_ width: Int) async {
        let (during, after) = await onNewThread { () -> (Int, Int) in
            let (queue, group) = (Self.queue(width: width), DispatchGroup())
            let (gate, isSuspended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let ran = Atomic(0)
            queue.async(group: group, flags: .barrier) {
                gate.wait()
                queue.suspend()
                isSuspended.signal()
            }
            for user in [ada, grace] {
                withIdentity(user) {
                    for _ in 0..<20 { queue.async(group: group) { _ = ran.add(1, ordering: .relaxed) } }
                }
            }
            gate.signal()
            isSuspended.wait()
            // It has stopped, and goes on once it is resumed; or nothing has stopped it.
            while let turns = queue.turns,
                turns.state.withLock(of: turns, { $0.requested == 0 && $0.line.waiting > 0 })
            {
                sched_yield()
            }
            let during = ran.load(ordering: .relaxed)
            queue.resume()
            group.wait()
            return (during, ran.load(ordering: .relaxed))
        }
        #expect(during == 0)
        #expect(after == 40)
    }

    @Test("a queue that was made inactive begins with its activation, and late work and notifications take their place")
    func late() async {
        let order = await onNewThread { () -> [String] in
            let (order, group) = (Notes<String>(), DispatchGroup())
            let queue = IdentityQueue(label: "fair", attributes: .initiallyInactive, draining: .fairly())
            withIdentity(ada) {
                queue.async(group: group) { order.add("first") }
                queue.asyncAfter(deadline: .now()) { order.add("due") }
                group.enter()
                queue.asyncAfter(wallDeadline: .now() + .milliseconds(1)) {
                    order.add(Identity.current == ada ? "later" : "stranger")
                    group.leave()
                }
                group.enter()
                queue.asyncAfter(deadline: .now() + .milliseconds(1), execute: .propagatingIdentity { group.leave() })
            }
            let isNotified = DispatchSemaphore(value: 0)
            withIdentity(grace) {
                group.propagatingIdentity.notify(queue: queue) {
                    order.add(Identity.current == grace ? "notified" : "stranger")
                    isNotified.signal()
                }
            }
            order.add("active")
            queue.activate()
            isNotified.wait()
            return order.all
        }
        #expect(order == ["active", "first", "due", "later", "notified"])
    }

    @Test("it lets others on its target run, after at most a turn") func target() async {
        let place = await onNewThread { () -> Int? in
            let (target, order) = (DispatchQueue(label: "target"), Notes<Int>())
            let queue = Self.queue(width: 1, target: target)
            target.suspend()
            for number in 0..<300 { queue.async { order.add(number) } }
            DispatchQueue(label: "other", target: target).async { order.add(-1) }
            target.resume()
            queue.sync {}
            return order.all.firstIndex(of: -1)
        }
        #expect((place ?? .max) <= WorkInTurns.bound)
    }

    @Test("cancelled items do not run, and their groups hear of it", arguments: [1, 3]) func cancelled(_ width: Int)
        async
    {
        let ran = await onNewThread { () -> Int in
            let (queue, group) = (Self.queue(width: width), DispatchGroup())
            let ran = Atomic(0)
            queue.suspend()
            for number in 0..<10 {
                let item = DispatchWorkItem.propagatingIdentity { _ = ran.add(1, ordering: .relaxed) }
                queue.async(group: group, execute: item)
                if number % 2 == 0 { item.cancel() }
            }
            queue.resume()
            group.wait()
            return ran.load(ordering: .relaxed)
        }
        #expect(ran == 5)
    }

    @Test("nothing is left of it, nor of an identity, when its work has run", arguments: [1, 3]) func releases(
        _ width: Int
    ) async {
        let isGone = await onNewThread { () -> [Bool] in
            weak var record: IdentityRecord?
            weak var turns: WorkInTurns?
            func use() {
                let queue = Self.queue(width: width)
                let identity = try? Identity("gone-from-a-fair-queue@contoso.com")
                record = identity?.spelling.record
                turns = queue.turns
                for _ in 0..<200 { withIdentity(identity) { queue.async {} } }
                withIdentity(identity) { queue.sync(flags: .barrier) {} }
            }
            use()
            // The last pump may retain the lines briefly after its last piece of work.
            let end = ContinuousClock.now + .seconds(120)
            while record != nil || turns != nil, .now < end { sched_yield() }
            return [record == nil, turns == nil]
        }
        #expect(isGone == [true, true])
    }
}
