import Dispatch
import Foundation
import Synchronization
import Testing

@testable import MultiIdentity

// Each in its own process, since it cannot be turned off.
@Suite("All task-locals, without naming one", .rule("4.9"), .enabled(if: BoundListTrial.hasPassed))
struct CarryAllTests {
    enum Bound {
        @TaskLocal static var number = 0
        @TaskLocal static var text: String?
        @TaskLocal fileprivate static var tags: [String] = []
        @TaskLocal static var kept = "default"
        @TaskLocal static var pair = (1, "one")

        static var all: String { "\(number) \(text ?? "-") \(tags) \(kept) \(pair)" }

        static func with<Value>(_ number: Int, _ body: () -> Value) -> Value {
            $number.withValue(number) {
                $text.withValue("text \(number)") {
                    $tags.withValue(["tag", "\(number)"]) { $pair.withValue((number, "pair"), operation: body) }
                }
            }
        }
    }

    @Test("cross every boundary, from a thread, a worker and a task, with an identity and without")
    func crossing() async {
        await #expect(processExitsWith: .success) {
            try IdentityCompanions.carryAll()
            let ada = try Identity("ada@contoso.com")
            // It waits, and tasks may have one thread.
            await onNewThread {
                for (index, boundary) in Boundary.all.enumerated() {
                    for identity in [ada, nil] {
                        for origin in Origin.allCases {
                            let (queue, seen) = (DispatchQueue(label: "carry-all"), Mailbox())
                            let expected = Bound.with(index + 1) { Bound.all }
                            origin.run {
                                withIdentity(identity) {
                                    let handOver = Bound.with(index + 1) {
                                        boundary.prepare(queue) { seen.put(Bound.all) }
                                    }
                                    Bound.with(index + 1, handOver)
                                }
                            }
                            #expect(seen.wait() == expected, "\(boundary.name), from a \(origin)")
                        }
                    }
                }
            }
        }
    }

    @Test("reach work from the body of a task group, its children, and through several tasks")
    func children() async {
        await #expect(processExitsWith: .success) {
            try IdentityCompanions.carryAll()
            let queue = IdentityQueue(label: "carry-all")
            @Sendable func seenInWork() -> String { queue.sync { Bound.all } }
            @Sendable func seenInLaterWork() -> String {
                let seen = Mailbox()
                queue.async { seen.put(Bound.all) }
                return seen.wait() ?? "nothing"
            }
            await Bound.$number.withValue(1) {
                await withTaskGroup { group in
                    Bound.$text.withValue("in the body") {
                        #expect(seenInLaterWork() == "1 in the body [] default (1, \"one\")")
                        group.addTask {
                            #expect(seenInLaterWork() == "1 in the body [] default (1, \"one\")")
                            async let inside = Bound.$tags.withValue(["child"]) { seenInLaterWork() }
                            #expect(await inside == "1 in the body [\"child\"] default (1, \"one\")")
                            #expect(seenInWork() == Bound.all)
                        }
                    }
                    #expect(seenInLaterWork() == "1 - [] default (1, \"one\")")
                }
            }
            #expect(seenInLaterWork() == Bound.all)
            // Only the child hands over: what its parent has bound is not known yet.
            await Bound.$kept.withValue("of the parent") {
                async let inChild = seenInLaterWork()
                #expect(await inChild == "0 - [] of the parent (1, \"one\")")
            }
        }
    }

    @Test("are those of the hand-over, whatever the worker had before, and leave nothing behind")
    func clean() async {
        await #expect(processExitsWith: .success) {
            try IdentityCompanions.carryAll()
            let (queue, ada) = (IdentityQueue(label: "carry-all"), try Identity("ada@contoso.com"))
            for round in 1...3 {
                let seen = Mailbox()
                withIdentity(round == 2 ? nil : ada) { Bound.with(round) { queue.async { seen.put(Bound.all) } } }
                #expect(seen.wait() == Bound.with(round) { Bound.all })
                let (kept, plain) = (Mailbox(), Mailbox())
                Bound.$kept.withValue("kept") { queue.async { kept.put(Bound.all) } }
                #expect(kept.wait() == "0 - [] kept (1, \"one\")")
                queue.base.async { plain.put("\(Bound.all) \(withUnsafeCurrentTask { $0 == nil })") }
                #expect(plain.wait() == "0 - [] default (1, \"one\") true")
            }
        }
    }

    @Test("of other work do not reach work that had none and is run by hand, on a thread, a worker and in a task")
    func byHand() async {
        await #expect(processExitsWith: .success) {
            try IdentityCompanions.carryAll { $0.name.hasSuffix("$text") ? .reset : .carry }
            let (queue, notes) = (IdentityQueue(label: "carry-all"), Locked<[String]>([]))
            let note: @Sendable () -> Void = { notes.withLock { $0.append(Bound.all) } }
            let snapshot = Bound.$kept.withValue("kept") { IdentitySnapshot.capture() }
            for round in 1...2 {
                Bound.with(round, snapshot.wrap(note))
                Bound.with(round) { queue.async { snapshot.restore(note) } }
                await Bound.$text.withValue("text") {
                    await Bound.$number.withValue(round) { await snapshot.restore { () async in note() } }
                }
                queue.sync {}
            }
            #expect(notes.withLock { $0 } == Array(repeating: "0 - [] kept (1, \"one\")", count: 6))
        }
    }

    @Test("reach a waiting caller's work on another thread, and cost nothing on its own")
    func waiting() async {
        await #expect(processExitsWith: .success) {
            try IdentityCompanions.carryAll()
            let queue = IdentityQueue(label: "carry-all")
            for round in 1...2 {
                Bound.with(round) {
                    let seen = { "\(Bound.all), captures: \(CompanionValues.count.load(ordering: .relaxed))" }
                    #expect(queue.sync(execute: seen) == seen())
                    let (caller, elsewhere) = (CallersThread(at: .sync), Mailbox())
                    Thread.detachNewThread {
                        Bound.$kept.withValue("the other thread's") { caller.run { elsewhere.put(Bound.all) } }
                    }
                    #expect(elsewhere.wait() == Bound.all)
                }
            }
        }
    }

    /// 10,240 bytes, and values that need a larger alignment than a word.
    struct Large: Sendable, Equatable {
        struct Row: Sendable, Equatable { var first = SIMD64<UInt64>(), second = SIMD64<UInt64>() }
        var (one, two, three, four, five) = (Row(), Row(), Row(), Row(), Row())
        var (six, seven, eight, nine, ten) = (Row(), Row(), Row(), Row(), Row())
        init(ten: UInt64 = 0) { self.ten.second[63] = ten }

        @TaskLocal static var current = Large()
    }

    @Test("cross while all other features are on, also if they are large or aligned")
    func withEverything() async {
        await #expect(processExitsWith: .success) {
            try IdentityCompanions.carryAll()
            let (queue, ada) = (IdentityQueue(label: "carry-all"), try Identity("ada@contoso.com"))
            let large = Large(ten: 7)
            let all: [BindingFeatures] = [
                [], [.revocation, .counters, .provenance, .runningWork], [.strictness, .budgets, .sentinel],
            ]
            for features in all {
                BindingFeatures.insert(features)
                for identity in [ada, nil] {
                    let seen = Mailbox()
                    withIdentity(identity) {
                        Large.$current.withValue(large) {
                            Bound.with(7) { queue.async { seen.put("\(Bound.all) \(Large.current == large)") } }
                            #expect(queue.sync { Large.current } == large)
                        }
                    }
                    #expect(seen.wait() == Bound.with(7) { "\(Bound.all) true" })
                    queue.sync { #expect(Large.current == Large()) }
                }
            }
        }
    }
}

/// The first value that some thread puts in, for another that waits.
final class Mailbox: Sendable {
    private let value = Locked<String?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func put(_ text: String) {
        let isFirst = value.withLock { value in
            defer { value = value ?? text }
            return value == nil
        }
        if isFirst { isThere.signal() }
    }

    func wait() -> String? {
        isThere.wait()
        return value.withLock { $0 }
    }
}
