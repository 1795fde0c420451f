import MultiIdentity
import Testing

@testable import ScheduleExploring

@Suite("The text of a schedule") struct ScheduleTextTests {
    @Test("parses back to the schedule that wrote it", arguments: 0..<20 as Range<UInt64>)
    func roundTrip(_ seed: UInt64) throws {
        let schedule = try ScheduleExplorer(seed: seed, steps: 200, boundaries: BoundaryShapes.sound).schedule()
        #expect(schedule.count == 200)
        let parsed = try Schedule(parsing: "\(schedule)")
        #expect(parsed == schedule)
    }

    @Test("may stand on lines, with comments and space")
    func lines() throws {
        let text = """
            // what the shrinker found

              t1 bind #1 ;t1   async q1 w1;
            q1 run
            """
        let schedule = try Schedule(parsing: text)
        #expect("\(schedule)" == "t1 bind #1; t1 async q1 w1; q1 run")
        let nothing = try Schedule(parsing: "")
        #expect(nothing.count == 0)
    }

    @Test(
        "that cannot be read is refused with the step and what is wrong with it",
        arguments: [
            ("bind #1", "Step 1, \"bind #1\", begins with \"bind\"; expected: a worker"),
            ("t1", "Step 1, \"t1\", ends after its worker; expected: what t1 does."),
            ("t1 bind #1; t0 return", "Step 2, \"t0 return\", begins with \"t0\""),
            ("t65 return", "begins with \"t65\"; expected: a worker: t1 to t64"),
            ("t1 bind ada", "has \"ada\"; expected: an identity: unset, nobody, or # and its number."),
            ("t1 bind #0", "has \"#0\""),
            ("t1 \u{1B}[2J", "Step 1, \"t1 \\u{1B}[2J\", has the verb \"\\u{1B}[2J\"; expected"),
            ("t1 bind", "ends after \"bind\"; expected: an identity."),
            ("t1 bind #1 #2", "goes on with \"#2\"; expected: the end of the step."),
            ("t1 async q3 w1", "has \"q3\"; expected: a queue: q1 to q2."),
            ("t1 async q1 t1", "has \"t1\"; expected: work: w and a number from 1 to 1000000."),
            ("t1 async q1 w1000001", "has \"w1000001\""),
            ("t1 async q1", "ends after \"async\"; expected: work"),
            ("t1 fly", "has the verb \"fly\""),
            ("t1 run", "has t1 run work; expected: a queue."),
            ("t1 over", "ends after \"over\"; expected: a boundary."),
            ("t99999999999999999999 return", "begins with \"t99999999999999999999\""),
        ]
    )
    func refused(_ text: String, _ fault: String) {
        let error = #expect(throws: ScheduleError.self) { try Schedule(parsing: text) }
        #expect(error?.code == .malformedStep)
        #expect(error?.message.contains(fault) == true, "\(error?.message ?? "")")
    }

    @Test(
        "that makes no sense is refused before anything runs",
        arguments: [
            (
                "t1 bind #4", ScheduleError.Code.unknownIdentity,
                "Step 1, \"t1 bind #4\", names identity #4; the exploration has 3."
            ),
            (
                "t1 bind #1; t1 over there w1", .unknownBoundary,
                "names the boundary \"there\"; the exploration has: none."
            ),
            ("t1 bind #1; t1 return; t1 return", .impossibleStep, "Step 3, \"t1 return\", cannot be taken there."),
            ("t1 async q1 w1; t1 async q1 w1", .impossibleStep, "Step 2"),
        ]
    )
    func senseless(_ text: String, _ code: ScheduleError.Code, _ fault: String) async throws {
        let schedule = try Schedule(parsing: text)
        let error = await #expect(throws: ScheduleError.self) {
            try await ScheduleExplorer(seed: 1).replay(schedule)
        }
        #expect(error?.code == code)
        #expect(error?.message.contains(fault) == true, "\(error?.message ?? "")")
    }

    @Test("goes with an exploration that makes sense")
    func settings() async throws {
        let ada = try Identity("ada@contoso.com")
        let pool = BoundaryShapes.sound[0]
        let senseless = [
            (ScheduleExplorer(seed: 1, steps: -1), "steps is -1"),
            (ScheduleExplorer(seed: 1, workers: 0), "workers is 0; give a number from 1 to 64."),
            (ScheduleExplorer(seed: 1, workers: 65), "workers is 65"),
            (ScheduleExplorer(seed: 1, identities: []), "identities is empty"),
            (
                ScheduleExplorer(seed: 1, identities: [ada, try Identity("ADA@contoso.com")]),
                "identities has one twice"
            ),
            (ScheduleExplorer(seed: 1, identities: [ada, .nobody]), "identities has nobody"),
            (ScheduleExplorer(seed: 1, boundaries: [pool, pool]), "boundaries has two that schedules call"),
        ]
        for (explorer, fault) in senseless {
            let error = await #expect(throws: ScheduleError.self) { try await explorer.run() }
            #expect(error?.code == .badSetting)
            #expect(error?.message.contains(fault) == true, "\(error?.message ?? "")")
        }
    }
}
