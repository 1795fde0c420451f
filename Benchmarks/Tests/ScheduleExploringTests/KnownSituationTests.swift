import MultiIdentity
import Testing

@testable import ScheduleExploring

/// Situations that users of such libraries have met elsewhere, as schedules.
@Suite("A situation that is known for its faults") struct KnownSituationTests {
    static let situations = [
        (
            "three and more scopes are left in reverse",
            "t1 bind #1; t1 bind #2; t1 bind nobody; t1 bind #3; t1 return; t1 throw; t1 return; t1 return"
        ),
        (
            "three and more scopes of a task are left in reverse, around suspensions",
            """
            t1 bind #1; t1 task w1; w1 bind #2; w1 bind nobody; w1 bind #3; w1 suspend; t1 bind #2; t1 resume w1
            w1 return; w1 suspend; t2 resume w1; w1 throw; w1 return
            """
        ),
        (
            "asynchronous work that never suspends reinstates before it goes on",
            "t1 bind #1; t1 capture w1; t1 task w2; w2 bind #2; w2 call w1; w2 return; w2 return"
        ),
        (
            "work outlives the scope that it was handed over in",
            "t1 bind #1; t1 task w1; t1 detached w2; t1 async q1 w3; t1 return; w1 bind #2; q1 run; t1 bind #3; w1 return; q1 return"
        ),
        (
            "scopes of different workers end in any order",
            "t1 bind #1; t2 bind #2; t3 bind #3; t1 return; t3 bind nobody; t2 return; t3 return; t3 return"
        ),
        (
            "work that runs on the caller's own thread is as it was captured, even as unset",
            "t1 capture w1; t1 item w2; t1 bind #1; t1 call w1; t1 return; t1 perform w2; t1 return; t1 sync q1 w3; q1 return"
        ),
        (
            "unset nests",
            "t1 bind #1; t1 bind unset; t1 bind unset; t1 bind #2; t1 return; t1 return; t1 return"
        ),
        (
            "unset nests in a task, and is carried",
            "t1 bind #1; t1 task w1; w1 bind unset; w1 bind unset; w1 detached w2; w1 return; w1 return; w2 bind #2"
        ),
        (
            "a worker takes on one identity after another, and has none between",
            "t1 bind #1; t1 async q1 w1; t1 bind #2; t1 async q1 w2; t1 bind unset; t1 async q1 w3; q1 run; q1 return; q1 run; q1 return; q1 run"
        ),
        (
            "the same work has each of its captures",
            "t1 bind #1; t1 capture w1; t2 bind #2; t2 capture w2; t1 call w2; t2 call w1; t1 call w1; t1 call w2"
        ),
        (
            "a task that was cancelled has the outer identity back",
            "t1 bind #1; t1 task w1; w1 bind #2; w1 bind #3; t2 cancel w1; w1 cancelled; w1 cancelled"
        ),
        (
            "a continuation's code is its own task's, whoever resumes it",
            "t1 bind #1; t1 task w1; t1 return; t2 bind #2; t2 task w2; w1 suspend; w2 resume w1; w2 suspend; w1 resume w2"
        ),
        (
            "a notification is its registrar's, whoever makes the group empty",
            "t1 bind #1; t1 enter; t1 notify q1 w1; t2 bind #2; t2 grouped q2 w2; t1 return; t1 leave; q2 run; q2 return; q1 run"
        ),
        (
            "an item's notification is its registrar's, and a cancelled item still notifies",
            "t1 bind #1; t1 item w1; t2 bind #2; t2 observe w1 q2 w2; t3 cancel w1; t3 dispatch w1 q1; q1 run; q2 run"
        ),
        (
            "levels of one's own travel, and are read live",
            "t1 levels; t1 process #1; t1 async q1 w1; t1 task w2; t1 ui #2; q1 run; w2 process nobody; t1 bind #3; q1 ui unset"
        ),
    ]

    @Test("goes as the rules say", arguments: situations)
    func holds(_ name: String, _ text: String) async throws {
        let schedule = try Schedule(parsing: text)
        let exploration = try await ScheduleExplorer(seed: 0).replay(schedule)
        #expect(exploration.schedule == schedule, "\(name)")
    }
}
