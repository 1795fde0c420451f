import ArgumentParser
import MultiIdentity
import Synchronization
import Testing

@testable import IdentityStress

@Suite("The command explore") struct ExploreCommand {
    @Test("is found beside the plain command, which needs no name")
    func isFound() throws {
        #expect(try Program.parseAsRoot(["explore", "--seeds", "3"]) is Explore)
        #expect(try Program.parseAsRoot(["--hops", "3"]) is IdentityStress)
        #expect(try Program.parseAsRoot([]) is IdentityStress)
    }

    @Test(
        "refuses arguments that make no sense, and names them",
        arguments: [
            ["--seeds", "0"], ["--steps", "0"], ["--steps", "100001"], ["--workers", "65"], ["--seed", "-1"],
            ["--sabotage", "telepathy"], ["--seed", "1", "--replay", "-"],
        ]
    )
    func refuses(_ arguments: [String]) throws {
        let error = #expect(throws: (any Error).self) { try Explore.parse(arguments) }
        #expect(Explore.message(for: try #require(error)).contains(arguments[0]))
    }

    @Test("says how many steps were as the rules say, and ends well")
    func explores() async throws {
        let (outcome, said) = try await outcome(of: ["--seeds", "3", "--steps", "40"])
        #expect(outcome.status == 0)
        #expect(said.first == "Seeds from 7 on: 3 schedules of 40 steps.")
        #expect(said.last?.hasSuffix("all as the rules say.") == true)
    }

    @Test(
        "finds a sabotaged boundary, prints the shortest schedule, and ends with 1",
        arguments: ScheduledBoundaries.names
    )
    func findsSabotage(_ name: String) async throws {
        let (outcome, said) = try await outcome(of: ["--seeds", "20", "--sabotage", name])
        #expect(outcome.status == 1)
        #expect(said.last?.contains("echo 't1 bind #1; t1 over \(name) w1' |") == true, "\(said)")
    }

    @Test("replays a schedule and prints what was found after each step")
    func replays() async throws {
        let (outcome, said) = try await outcome(of: ["--replay", "-"], replaying: "t1 bind #1\nt1 over operation w1")
        #expect(outcome.status == 0)
        #expect(said.first?.hasPrefix("1. t1 bind #1: t1 = #1\n2. t1 over operation w1: t1 = #1, w1 = #1\n") == true)
    }

    @Test(
        "ends with 65 where a schedule cannot be read or taken",
        arguments: ["t1 fly", "t1 return", "t1 over telepathy w1"]
    )
    func refusesSchedules(_ text: String) async throws {
        let (outcome, _) = try await outcome(of: ["--replay", "-"], replaying: text)
        #expect(outcome.status == 65)
        #expect(outcome.error?.contains("Step 1, \"\(text)\"") == true)
    }

    private func outcome(of arguments: [String], replaying text: String? = nil) async throws -> (
        Explore.Outcome, [String]
    ) {
        let said = Said()
        let explore = try Explore.parse(arguments)
        let outcome = await explore.outcome(replaying: text, from: 7) { said.add($0) }
        return (outcome, said.lines)
    }

    /// The lines that were printed.
    private final class Said: Sendable {
        private let all = Mutex<[String]>([])

        func add(_ line: String) { all.withLock { $0.append(line) } }

        var lines: [String] { all.withLock { $0 } }
    }
}
