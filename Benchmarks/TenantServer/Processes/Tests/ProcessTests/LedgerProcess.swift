import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import LedgerConnection
import LedgerProtocol
import Synchronization
import Testing

/// The program, started as an operator would, and a client of it over HTTP/2.
struct LedgerProcess {
    let child: ChildProcess
    let port: Int
    private let log: LogLines
    private let reading: Task<Void, Never>

    init(_ ledger: TestedLedger, program: String = "ledger", port: Int = 0, changes: [String: String] = [:])
        async throws
    {
        child = try ChildProcess(
            program,
            [],
            environment: ledger.environment(port: port).merging(changes) { $1 },
            reading: .standardError
        )
        let (listening, found) = AsyncStream<Int>.makeStream()
        let log = LogLines()
        self.log = log
        reading = Task { [lines = child.lines] in
            for await line in lines {
                log.lines.withLock { $0.append(line) }
                guard line.contains("Listening"), let port = line.split(separator: ":").last else { continue }
                if let port = Int(port.prefix { $0.isNumber }) { found.yield(port) }
            }
            found.finish()
        }
        var ports = listening.makeAsyncIterator()
        guard let port = await ports.next() else {
            Issue.record("the program ended before it listened: \(log.lines.withLock { $0 })")
            throw CancellationError()
        }
        self.port = port
    }

    /// The lines that it logged, once it has ended.
    var logged: [String] {
        get async {
            await reading.value
            return log.lines.withLock { $0 }
        }
    }

    /// Waits until it has logged as many lines with this text.
    func logs(_ text: String, times number: Int) async throws {
        while log.lines.withLock({ lines in lines.count { $0.contains(text) } }) < number {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private final class LogLines: Sendable {
        let lines = Mutex<[String]>([])
    }

    func withClient<Value: Sendable>(
        _ body: @Sendable (Ledger_V1_Ledger.Client<HTTP2ClientTransport.Posix>) async throws -> Value
    ) async throws -> Value {
        let connection = try LedgerConnection(host: "127.0.0.1", port: port, signing: TestedLedger.signing())
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await connection.run() }
            defer { group.cancelAll() }
            return try await body(connection.calls)
        }
    }
}
