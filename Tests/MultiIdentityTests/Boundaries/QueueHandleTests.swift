import Dispatch
import Testing

@testable import MultiIdentity

@Suite("A queue's handle") struct QueueHandleTests {
    #if os(Linux)
    static let queues: [DispatchQueue] = [
        DispatchQueue(label: "serial"), DispatchQueue(label: "concurrent", attributes: .concurrent), .global(),
        .global(qos: .background), .main,
        DispatchQueue(label: "inactive", attributes: .initiallyInactive, target: .main),
        DispatchQueue(label: ""),
    ]

    @Test("is found for every kind of queue on this system", .aboutFastPaths, arguments: queues.indices)
    func found(_ index: Int) {
        #expect(QueueHandle(of: Self.queues[index]) != nil)
        Self.queues[5].activate()
    }

    @Test("distinguishes queues, and is the same for the same queue", .aboutFastPaths)
    func identity() {
        let (one, other) = (DispatchQueue(label: "queue"), DispatchQueue(label: "queue"))
        #expect(QueueHandle(of: one) == QueueHandle(of: one))
        #expect(QueueHandle(of: one) != QueueHandle(of: other))
    }
    #else
    @Test("does not exist on this system")
    func notLookedFor() { #expect(QueueHandle(of: DispatchQueue(label: "queue")) == nil) }
    #endif

    @Test("is used only while its queue is alive, although nothing else retains the queue", arguments: [true, false])
    func temporary(_ isInBatches: Bool) async {
        let (ran, answers) = await onNewThread {
            let (ran, answers, group) = (Notes<Void>(), Notes<Bool>(), DispatchGroup())
            for _ in 0..<100 {
                for _ in 0..<4 { group.enter() }
                let work: @Sendable () -> Void = {
                    ran.add(())
                    group.leave()
                }
                IdentityQueue(label: "temporary", draining: isInBatches ? .inBatches : .oneByOne).async(execute: work)
                DispatchQueue(label: "temporary").propagatingIdentity.async(execute: work)
                DispatchQueue(label: "temporary").propagatingIdentity.async(flags: .barrier, execute: work)
                DispatchQueue(label: "temporary").propagatingIdentity.asyncAfter(deadline: .now(), execute: work)
                answers.add(DispatchQueue(label: "temporary").propagatingIdentity.sync { true })
            }
            group.wait()
            return (ran.all.count, answers.all.count)
        }
        #expect(ran == 400 && answers == 100)
    }

    @Test("identity queues are equal if their queues are, and hash alike")
    func equality() {
        let base = DispatchQueue(label: "queue")
        let (one, same) = (IdentityQueue(wrapping: base), base.propagatingIdentity)
        let other = IdentityQueue(label: "queue")
        #expect(one == same)
        #expect(one.hashValue == same.hashValue)
        #expect(Set([one, same, other]).count == 2)
        #expect(IdentityQueue(wrapping: base, handle: nil) == one)
        #expect(IdentityQueue(wrapping: base, handle: nil) != other)
    }
}
