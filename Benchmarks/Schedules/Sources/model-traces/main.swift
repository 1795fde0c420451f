import Glibc
import MultiIdentity
import MultiIdentityScheduling
import Synchronization

// Usage: model-traces MODEL COUNT SEED    runs so many drawn programs, and prints a line of events for each, which Benchmarks/Models
//                                         takes: of propagation, revocation or switching, under a schedule each; of batches, on
//                                         threads as they are, and of wipe, by processes that are killed
let arguments = Array(CommandLine.arguments.dropFirst())
// Of a wipe's processes each is this program too.
if arguments.count == 4, arguments[0] == "wiping-process" {
    guard let seed = UInt64(arguments[2]), let number = Int(arguments[3]) else { fatalError("It takes numbers.") }
    try await WipingProcess(arguments[1], seed: seed, number: number).run()
    exit(0)
}
guard arguments.count == 3, let count = Int(arguments[1]), let seed = UInt64(arguments[2]) else {
    fatalError("It takes a model, a count and a seed.")
}

let (ada, bo) = (try Identity("ada@example.com"), try Identity("bo@example.com"))
let next = Mutex(seed)
switch arguments[0] {
case "propagation": try await explore { await Propagation([ada, bo], seed: $0).run() }
case "revocation": try await explore { try await Revocation(seed: $0).run() }
case "switching": try await explore { try await Switching(seed: $0).run() }
case "batches":
    // A queue that drains in batches asks for its turns under its lock, which no schedule can control.
    for number in 0..<count { print(await Batches(ada, seed: seed + UInt64(number)).run()) }
case "wipe": for number in 0..<count { print(try Wipes().run(seed: seed + UInt64(number))) }
default: fatalError("There are no traces of \(arguments[0]).")
}

func explore(_ program: @escaping @Sendable (UInt64) async throws -> String) async throws {
    let report = try await exploreSchedules(ScheduleSettings(.random(seed: seed), schedules: count, workers: 3)) {
        let seed = next.withLock { next in
            next += 1
            return next
        }
        print(try await program(seed))
    }
    if let failure = report.failure { fatalError("\(failure)") }
}
