import ArgumentParser
import Foundation
import MultiIdentity
import MultiIdentityLease
import PostgreSQLIdentity
import Synchronization

/// A client process: runs queries of many tenants, checks each row, and says on standard output what was done.
///
/// A line each: `did N` queries were answered; `acknowledged TENANT TITLE`, a row that is committed; `wrong …`, a row of somebody
/// else; `odd …`, an error that nothing explains; `count NAME`, of what was broken off; and `end`.
struct Client: AsyncParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    @Option var url: String
    @Option var queries: Int
    @Option var seed: UInt64
    @Option var tenants: Int
    @Option var connections: Int
    @Option var sabotage: String = ""

    func run() async throws {
        var settings = PostgreSQLSettings()
        if sabotage == Sabotage.session.rawValue { settings.binding = try .function("identity.enter") }
        settings.statementLimit = .seconds(20)
        settings.cancellationLimit = .seconds(1)
        let database = try PostgreSQLDatabase(url, connections: connections, settings: settings)
        let load = Load(
            database: database,
            url: url,
            tenants: try Tenants(tenants).all,
            report: Report(limit: queries),
            acknowledgesAll: sabotage == Sabotage.acknowledgement.rawValue
        )
        // More tasks than connections, so that some wait.
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<connections * 2 {
                group.addTask { await load.run(SeededGenerator(seed: seed &+ UInt64(task) &* 7_919), task) }
            }
        }
        load.report.end()
        database.shutDown()
    }
}

/// A line that a client process writes for its parent.
final class Report: Sendable {
    private struct State {
        var answered = 0
        var reported = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    var isDone: Bool { state.withLock { $0.answered >= limit } }

    func answered(_ queries: Int) {
        let reported = state.withLock { state -> Int? in
            state.answered += queries
            guard state.answered - state.reported >= 50 else { return nil }
            defer { state.reported = state.answered }
            return state.answered - state.reported
        }
        if let reported { say("did \(reported)") }
    }

    func count(_ name: String) { say("count \(name)") }

    func say(_ line: String) {
        // One write a line, which a pipe does not mix with others.
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    func end() {
        say("did \(state.withLock { $0.answered - $0.reported })")
        say("end")
    }
}
