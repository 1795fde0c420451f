import Dispatch
import MultiIdentity
import Testing

@Suite("A work item that carries identity otherwise behaves like a plain one") struct WorkItemTests {
    @Test("cancelled before it starts, it never runs, and its waiters continue", .rule("4.7", "5.2"))
    func cancelled() async {
        let seen = await onNewThread { () -> [Bool] in
            let ran = Notes<Void>()
            let queue = IdentityQueue(label: "suspended")
            queue.suspend()
            let item = withIdentity(ada) { DispatchWorkItem.propagatingIdentity { ran.add(()) } }
            let group = DispatchGroup()
            queue.async(group: group, execute: item)
            let before = item.isCancelled
            item.cancel()
            let after = item.isCancelled
            queue.resume()
            group.wait()
            item.wait()
            return [before, after, ran.all.isEmpty]
        }
        #expect(seen == [false, true, true])
    }

    @Test("waiting for it ends when it has run", .rule("4.7"))
    func waiting() async {
        let seen = await onNewThread { () -> [Int] in
            let notes = Notes<Int>()
            let queue = IdentityQueue(label: "suspended")
            queue.suspend()
            let item = DispatchWorkItem.propagatingIdentity { notes.add(1) }
            queue.async(execute: item)
            if item.wait(timeout: .now()) == .timedOut { notes.add(0) }
            queue.resume()
            item.wait()
            notes.add(2)
            return notes.all
        }
        #expect(seen == [0, 1, 2])
    }

    @Test(
        "it runs as its creator each time it is performed, and its performer's identity is restored",
        .rule("4.5"),
        arguments: [1, 2, 5]
    )
    func often(_ times: Int) {
        let notes = Notes<Identity?>()
        let item = withIdentity(ada) { DispatchWorkItem.propagatingIdentity { notes.add(.current) } }
        let own = (0..<times).map { _ in
            withIdentity(grace) {
                item.perform()
                return Identity.current
            }
        }
        #expect(notes.all == Array(repeating: ada, count: times))
        #expect(own == Array(repeating: grace, count: times))
    }

    @Test("it runs as its creator on several threads at once, although only their queues retain it", .rule("4.5"))
    func atOnce() async {
        let seen = await onNewThread { () -> [String?] in
            let (notes, group) = (Notes<String?>(), DispatchGroup())
            let (hasBegun, isLetGoOf) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            func handOver() {
                let item = withIdentity(try? Identity("passing@contoso.com")) {
                    DispatchWorkItem.propagatingIdentity {
                        hasBegun.signal()
                        isLetGoOf.wait()
                        notes.add(Identity.current?.name)
                    }
                }
                for number in 0..<4 { DispatchQueue(label: "\(number)").async(group: group, execute: item) }
            }
            handOver()
            for _ in 0..<4 { hasBegun.wait() }
            for _ in 0..<4 { isLetGoOf.signal() }
            group.wait()
            return notes.all
        }
        #expect(seen == Array(repeating: "passing@contoso.com", count: 4))
    }
}
