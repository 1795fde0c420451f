import MultiIdentity
import MultiIdentityScheduling
import Synchronization

// Usage: model-traces propagation|batches COUNT SEED    runs so many drawn programs, the former under a schedule each, and prints
//                                                       a line of events for each run, which Benchmarks/Models takes
let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 3, let mechanism = arguments.first,
    let count = arguments.dropFirst().first.flatMap({ Int($0) }),
    let seed = arguments.last.flatMap({ UInt64($0) })
else { fatalError("It takes a mechanism, a count and a seed.") }

let (ada, bo) = (try Identity("ada@example.com"), try Identity("bo@example.com"))
let next = Mutex(seed)
if mechanism == "batches" {
    // On threads as they are: a queue that drains in batches asks for its turns under its lock, which no schedule can control.
    for number in 0..<count { print(await Batches(ada, seed: seed + UInt64(number)).run()) }
} else {
    let report = try await exploreSchedules(ScheduleSettings(.random(seed: seed), schedules: count, workers: 3)) {
        let seed = next.withLock { next in
            next += 1
            return next
        }
        print(await Propagation([ada, bo], seed: seed).run())
    }
    if let failure = report.failure { fatalError("\(failure)") }
}
