import Dispatch
import MultiIdentity
import Testing

@testable import ScheduleExploring

@Suite("A broken rule") struct BrokenSubjectTests {
    /// A fault, how soon it has to be found, and what it has to come down to.
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        var families = StepFamilies.everything
        var seeds: UInt64 = 5
        /// The shortest schedules; there can be several that nothing can be taken from.
        let shortest: Set<String>
        let subject: @Sendable () -> any ExplorationSubject

        var testDescription: String { name }
    }

    static let faults = [
        Fault(name: "async captures late", shortest: ["t1 bind #1; t1 async q1 w1; q1 run"]) { CapturesLate() },
        Fault(
            name: "a wrapped closure does not carry unset",
            families: [.scopes, .snapshots, .queues],
            shortest: ["t1 capture w1; t1 bind #1; t1 call w1"]
        ) { ForgetsUnset() },
        Fault(
            name: "an item runs as its dispatcher",
            families: [.scopes, .items, .queues],
            shortest: [
                "t1 item w1; t1 bind #1; t1 dispatch w1 q1; q1 run",
                "t1 bind #1; t1 item w1; t2 dispatch w1 q1; q1 run",
            ]
        ) { CarriesTheDispatcher() },
        Fault(name: "the UI level counts for files", shortest: ["t1 levels; t1 ui #1"]) { LetsUICountForFiles() },
        Fault(
            name: "a notification runs as whoever made the group empty",
            shortest: ["t1 bind #1; t1 notify q1 w1; q1 run"]
        ) { NotifiesAsTheLast() },
        Fault(name: "the detached twin carries nothing", shortest: ["t1 bind #1; t1 detached w1"]) { DetachesBare() },
        Fault(name: "an asynchronous scope binds nothing", shortest: ["t1 task w1; w1 bind #1"]) { BindsNoTask() },
        Fault(
            name: "a cancelled item runs",
            families: [.scopes, .items, .queues],
            shortest: [
                "t1 item w1; t1 cancel w1; t1 dispatch w1 q1; q1 run",
                "t1 item w1; t1 dispatch w1 q1; t1 cancel w1; q1 run",
            ]
        ) { RunsTheCancelled() },
        Fault(
            name: "by hand: a wrapped closure leaves its identity behind",
            families: [.scopes, .snapshots],
            shortest: [
                "t1 capture w1; t1 bind #1; t1 call w1; t1 return",
                "t1 bind #1; t1 capture w1; t2 call w1; t2 return",
            ]
        ) { HandmadeSubject(.neverReinstates) },
        Fault(
            name: "by hand: a wrapped closure clears what was bound",
            families: [.scopes, .snapshots],
            shortest: [
                "t1 bind #1; t1 capture w1; t1 call w1; t1 return", "t1 capture w1; t1 bind #1; t1 call w1; t1 return",
            ]
        ) { HandmadeSubject(.clears) },
        Fault(
            name: "by hand: a throw undoes nothing",
            families: HandmadeSubject.families,
            shortest: ["t1 bind #1; t1 throw"]
        ) { HandmadeSubject(.isUndoneByReturnOnly) },
    ]

    @Test("is found within five seeds, and comes down to the fewest steps that show it", arguments: faults)
    func isFound(_ fault: Fault) async throws {
        let found = await firstFailure(of: fault)
        let failure = try #require(found)
        #expect(fault.shortest.contains("\(failure.schedule)"), "\(failure)")
        #expect(failure.isConfirmed)
        #expect(failure.reruns > 0 && failure.reruns <= 1_000)
        #expect(failure.stepsBefore >= failure.schedule.count)
    }

    @Test("comes down to the same steps, found in the same way, each time")
    func repeats() async throws {
        let one = await firstFailure(of: Self.faults[0])
        let other = await firstFailure(of: Self.faults[0])
        #expect(try #require(one).description == #require(other).description)
    }

    @Test("is no fault of the model: what is made by hand and keeps the rules holds")
    func handmadeHolds() async throws {
        for seed in 0..<UInt64(20) { try await explorer(seed, HandmadeSubject(.none), HandmadeSubject.families).run() }
    }

    @Test("is printed with the seed, the steps, what was expected and found, and the line that replays it")
    func isPrinted() async throws {
        let found = await firstFailure(of: Self.faults[0])
        let failure = try #require(found)
        let seed = try #require(failure.seed)
        #expect(
            failure.description == """
                Seed \(seed) found a schedule of 3 steps, shrunk from \(failure.stepsBefore) in \(failure.reruns) runs, \
                that breaks the rules:
                  1. t1 binds ada@explorer.example
                  2. t1 hands w1 to q1 by async
                  3. q1 runs its next work
                After the last step, at q1: Identity.current.
                  expected: ada@explorer.example
                  found:    unset
                Replay: echo 't1 bind #1; t1 async q1 w1; q1 run' | identity-stress explore --replay -
                """
        )
    }

    @Test("fails when its schedule is replayed, and holds once it is mended")
    func isReplayed() async throws {
        let schedule = try Schedule(parsing: "t1 bind #2; t1 async q1 w1; t1 bind nobody; q1 run; q1 return")
        let failure = await #expect(throws: ExplorationFailure.self) {
            try await explorer(0, CapturesLate(), .everything).replay(schedule)
        }
        #expect(failure.map { "\($0.schedule)" } == "t1 bind #2; t1 async q1 w1; t1 bind nobody; q1 run")
        #expect(failure?.expected == "grace@explorer.example")
        #expect(failure?.reruns == 0)
        #expect(failure?.seed == nil)
        try await explorer(0, LibrarySubject(), .everything).replay(schedule)
    }

    @Test("that keeps work for ever is a leak, and comes down to one piece of work")
    func leaks() async throws {
        var explorer = explorer(1, KeepsWork(), [.scopes, .queues])
        explorer.setup.patience = .milliseconds(200)
        explorer.mostReruns = 150
        let failure = await #expect(throws: ExplorationFailure.self) { try await explorer.run() }
        #expect(failure.map { "\($0.schedule)" } == "t1 async q1 w1; q1 run; q1 return")
        #expect(failure?.what == "work that something still keeps")
        #expect(failure?.found == "w1")
    }

    @Test("that blocks for ever is reported with the schedule so far, and hangs nobody")
    func blocks() async throws {
        let subject = Deadlocks(released: DispatchSemaphore(value: 0))
        defer { subject.released.signal() }
        var explorer = explorer(1, subject, [.scopes, .queues])
        explorer.setup.patience = .seconds(1)  // of a busy machine, too
        let schedule = try Schedule(parsing: "t1 bind #1; t1 sync q1 w1; t2 bind #2")
        let failure = await #expect(throws: ExplorationFailure.self) { try await explorer.replay(schedule) }
        #expect(failure.map { "\($0.schedule)" } == "t1 bind #1; t1 sync q1 w1")
        #expect(failure?.expected == "q1 goes on")
        #expect(failure?.found.contains("nothing, for 1.0 seconds") == true)
    }

    private func firstFailure(of fault: Fault) async -> ExplorationFailure? {
        for seed in 0..<fault.seeds {
            do {
                try await explorer(seed, fault.subject(), fault.families).run()
            } catch {
                return error as? ExplorationFailure
            }
        }
        return nil
    }

    private func explorer(
        _ seed: UInt64,
        _ subject: any ExplorationSubject,
        _ families: StepFamilies
    ) -> ScheduleExplorer {
        ScheduleExplorer(
            seed: seed,
            steps: 60,
            families: families,
            setup: ExplorationSetup(threads: 3, identities: ScheduleExplorer.defaultIdentities, subject: subject)
        )
    }
}
