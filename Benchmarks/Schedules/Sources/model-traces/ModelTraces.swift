import ArgumentParser
import MultiIdentity
import MultiIdentityScheduling
import Synchronization

@main
struct ModelTraces: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model-traces",
        abstract: "Prints traces of drawn programs, which Benchmarks/Models takes.",
        subcommands: [Draw.self, WipingPart.self],
        defaultSubcommand: Draw.self
    )

    struct Draw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Runs so many drawn programs, and prints a line of events for each."
        )

        enum Model: String, CaseIterable, ExpressibleByArgument {
            case propagation, revocation, switching, wipe, batches
        }

        @Argument(
            help: """
                The model: of propagation, revocation and switching under a schedule each; of batches on threads as they are; of wipe \
                by processes that are killed.
                """
        )
        var model: Model

        @Argument(help: "The number of programs.")
        var count: Int

        @Argument(help: "The seed of the first.")
        var seed: UInt64

        func validate() throws {
            guard count > 0 else { throw ValidationError("There has to be one program at least.") }
        }

        func run() async throws {
            let (ada, bo) = (try Identity("ada@example.com"), try Identity("bo@example.com"))
            switch model {
            case .propagation: try await explore { await Propagation([ada, bo], seed: $0).run() }
            case .revocation: try await explore { try await Revocation(seed: $0).run() }
            case .switching: try await explore { try await Switching(seed: $0).run() }
            case .batches:
                // A queue that drains in batches asks for its turns under its lock, which no schedule can control.
                for number in 0..<count { print(await Batches(ada, seed: seed &+ UInt64(number)).run()) }
            case .wipe: for number in 0..<count { print(try Wipes().run(seed: seed &+ UInt64(number))) }
            }
        }

        private func explore(_ program: @escaping @Sendable (UInt64) async throws -> String) async throws {
            let next = Atomic(seed)
            let settings = ScheduleSettings(.random(seed: seed), schedules: count, workers: 3)
            let report = try await exploreSchedules(settings) {
                print(try await program(next.wrappingAdd(1, ordering: .relaxed).newValue))
            }
            if let failure = report.failure { fatalError("\(failure)") }
        }
    }

    /// One of the processes of a wipe, each of which is this program too.
    struct WipingPart: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "wiping-process", shouldDisplay: false)

        @Argument var folder: String
        @Argument var seed: UInt64
        @Argument var number: Int

        func run() async throws { try await WipingProcess(folder, seed: seed, number: number).run() }
    }
}
