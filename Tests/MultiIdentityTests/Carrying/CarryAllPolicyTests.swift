import CMultiIdentity
import Dispatch
import Testing

@testable import MultiIdentity

// Each in its own process, since it cannot be turned off.
@Suite("All task-locals, with a policy or a limit", .rule("4.9"), .enabled(if: BoundListTrial.hasPassed))
struct CarryAllPolicyTests {
    private typealias Bound = CarryAllTests.Bound

    // The address sanitizer makes variables larger, so that no declaration is found.
    @Test(
        "have the name of their declaration, and the treatment that the policy gives them, once",
        .enabled(if: !Sanitizer.isAddress)
    )
    func policy() async {
        await #expect(processExitsWith: .success) {
            let asked = Locked<[String]>([])
            try IdentityCompanions.carryAll { declaration in
                asked.withLock { $0.append(declaration.name) }
                return declaration.name.hasSuffix("$text") ? .reset : .carry
            }
            let queue = IdentityQueue(label: "carry-all")
            for _ in 1...2 {
                let seen = Mailbox()
                Bound.with(7) { queue.async { seen.put(Bound.all) } }
                #expect(seen.wait() == "7 - [\"tag\", \"7\"] default (7, \"pair\")")
            }
            let own = asked.withLock { $0 }.filter { $0.contains("CarryAllTests.Bound") }
            #expect(own.map { String($0.split(separator: ".").last ?? "") } == ["$pair", "$tags", "$text", "$number"])
        }
    }

    @Test(
        "are findings if they are refused, with the place that hands over, and the work has the default",
        .enabled(if: !Sanitizer.isAddress)
    )
    func refusal() async {
        await #expect(processExitsWith: .success) {
            try IdentityCompanions.carryAll { $0.name.hasSuffix("$text") ? .refuse : .carry }
            let queue = IdentityQueue(label: "carry-all")
            for _ in 1...2 {
                let seen = Mailbox()
                Bound.with(7) { queue.async { seen.put(Bound.all) } }
                #expect(seen.wait() == "7 - [\"tag\", \"7\"] default (7, \"pair\")")
            }
            let all = IdentityLevels.shared.diagnosticSettings.findings
            #expect(all.map(\.kind) == [.refusedTaskLocal] && all.first?.count == 2)
            #expect(all.first?.message.contains("Bound.$text is bound") == true)
            #expect(all.first?.origin?.callers.first?.contains("CarryAllPolicyTests") == true)
        }
    }

    /// A variable refers to it, as to one that is declared.
    private nonisolated(unsafe) static var current: TaskLocal<Int>?

    @Test("of a program that makes task-locals without end are carried if they come first")
    func endless() async {
        await #expect(processExitsWith: .success) {
            try IdentityCompanions.carryAll()
            let queue = IdentityQueue(label: "carry-all")
            for number in 1...2 * OtherLocals.most {
                let (local, seen) = (TaskLocal(wrappedValue: 0), Mailbox())
                Self.current = local
                local.withValue(number) { queue.async { seen.put("\(local.get())") } }
                let value = seen.wait()
                if number < OtherLocals.most / 2 { #expect(value == "\(number)") }
            }
            #expect(IdentityCompanions.count == OtherLocals.most)
        }
    }

    @Test("are left out if they can be freed while a task has a value of them")
    func freed() async {
        await #expect(processExitsWith: .success) {
            try IdentityCompanions.carryAll()
            let (queue, gate) = (IdentityQueue(label: "carry-all"), AsyncStream.makeStream(of: Void.self))
            func task() -> Task<Int, Never> {
                TaskLocal(wrappedValue: 0).withValue(7) {
                    Task {
                        for await _ in gate.stream {}
                        queue.async {}
                        return IdentityCompanions.count
                    }
                }
            }
            queue.async {}  // makes known what the test itself has
            let (started, count) = (task(), IdentityCompanions.count)
            gate.continuation.finish()
            TaskLocal(wrappedValue: 0).withValue(7) { queue.async {} }
            #expect(await started.value == count && IdentityCompanions.count == count)
        }
    }

    @Test("are known although the policy hands work over, and there may be more named ones than a walk compares")
    func policyHandsOver() async {
        await #expect(processExitsWith: .success) {
            let (queue, named) = (IdentityQueue(label: "carry-all"), (0..<400).map { _ in TaskLocal(wrappedValue: 0) })
            try IdentityCompanions.carryAll { _ in
                queue.async {}
                return .carry
            }
            Bound.with(7) { queue.async { #expect(Bound.all == Bound.with(7) { Bound.all }) } }
            for local in named { IdentityCompanions.carry(local) }
            for index in [300, 399] {
                try withIdentity(Identity("ada@contoso.com")) {
                    named[index].withValue(7) { for _ in 1...2 { queue.async { #expect(named[index].get() == 7) } } }
                }
            }
            queue.sync {}
        }
    }

    @Test("are their defaults where too many captures retain values, also if the work is run by hand")
    func tooMany() async {
        await #expect(processExitsWith: .success) {
            try IdentityCompanions.carryAll()
            IdentityCompanions.maximumCaptures = 2
            let kept = (1...3).map { number in Bound.with(number) { IdentitySnapshot.capture() } }
            let seen = Bound.with(9) { kept.map { snapshot in snapshot.restore { Bound.number } } }
            #expect(seen == [1, 2, 0])
        }
    }

    @Test("have one policy: a second one is refused, and changes nothing")
    func secondPolicy() async {
        await #expect(processExitsWith: .success) {
            try IdentityCompanions.carryAll()
            try IdentityCompanions.carryAll()
            let error = #expect(throws: IdentityError.self) { try IdentityCompanions.carryAll { _ in .refuse } }
            #expect(error?.code == .policyAlreadySet)
            let (queue, seen) = (IdentityQueue(label: "carry-all"), Mailbox())
            Bound.with(7) { queue.async { seen.put(Bound.all) } }
            #expect(seen.wait() == Bound.with(7) { Bound.all })
        }
    }

    @Test("are refused, with a sentence, where the runtime's list is not known")
    func unknown() async {
        await #expect(processExitsWith: .success) {
            mi_frame_features_insert(MI_TRIALS_FAIL)
            #expect(throws: IdentityError.self) { try IdentityCompanions.carryAll() }
            #expect(IdentityCompanions.count == 0)
        }
    }
}
