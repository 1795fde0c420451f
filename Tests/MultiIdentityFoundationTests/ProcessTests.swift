import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

@Suite("A process with a termination handler, plain or carrying identity", .rule("4.7")) struct ProcessTests {
    /// The plain and the carrying way to set the handler, which must behave alike.
    enum Kind: CaseIterable, Sendable {
        case plain, carrying

        func set(_ handler: (@Sendable (Process) -> Void)?, on process: Process) {
            switch self {
            case .plain: process.terminationHandler = handler
            case .carrying: process.propagatingIdentity.terminationHandler = handler
            }
        }

        func run(
            _ path: String,
            _ arguments: [String] = [],
            _ handler: (@Sendable (Process) -> Void)? = nil
        ) throws -> Process {
            let url = URL(fileURLWithPath: path)
            switch self {
            case .plain: return try Process.run(url, arguments: arguments, terminationHandler: handler)
            case .carrying:
                return try Process.propagatingIdentity.run(url, arguments: arguments, terminationHandler: handler)
            }
        }
    }

    @Test("tells the handler how it ended: by an exit status", arguments: Kind.allCases, [0, 7])
    func exitStatus(_ kind: Kind, _ status: Int32) async throws {
        let ended = await withCheckedContinuation { continuation in
            do {
                _ = try kind.run("/bin/sh", ["-c", "exit \(status)"]) { process in
                    continuation.resume(
                        returning: (process.terminationStatus, process.terminationReason == .exit, process.isRunning)
                    )
                }
            } catch {
                Issue.record(error)
                continuation.resume(returning: (-1, false, false))
            }
        }
        #expect(ended == (status, true, false))
    }

    @Test("tells the handler how it ended: by a signal, and which process it was", arguments: Kind.allCases)
    func signal(_ kind: Kind) async throws {
        let seen = Notes<Identity?>()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sleep")
        process.arguments = ["600"]
        let ended = try await withCheckedThrowingContinuation { continuation in
            withIdentity(ada) {
                kind.set(
                    { process in
                        seen.add(.current)
                        continuation.resume(
                            returning: (
                                process.terminationStatus, process.terminationReason == .uncaughtSignal,
                                ObjectIdentifier(process)
                            )
                        )
                    },
                    on: process
                )
            }
            do {
                try process.run()
                withIdentity(grace) { _ = kill(process.processIdentifier, SIGKILL) }  // workers block the others
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(ended == (SIGKILL, true, ObjectIdentifier(process)))
        #expect(seen.all == [kind == .carrying ? ada : nil])
    }

    @Test("throws if there is no such program, and runs no handler", arguments: Kind.allCases)
    func missing(_ kind: Kind) throws {
        let runs = Notes<Void>()
        #expect(throws: CocoaError.self) { try kind.run("/nowhere/at/all") { _ in runs.add(()) } }
        #expect(runs.all.isEmpty)
    }

    @Test("runs the last handler that was set, and none after nil", arguments: Kind.allCases)
    func lastHandler(_ kind: Kind) async throws {
        let runs = Notes<String>()
        let process = Process()
        #expect(process.propagatingIdentity.terminationHandler == nil)
        kind.set({ _ in runs.add("removed") }, on: process)
        #expect(process.propagatingIdentity.terminationHandler != nil)
        kind.set(nil, on: process)
        #expect(process.terminationHandler == nil)
        kind.set({ _ in runs.add("replaced") }, on: process)
        process.executableURL = .true
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            kind.set(
                { _ in
                    runs.add("last")
                    continuation.resume()
                },
                on: process
            )
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        #expect(runs.all == ["last"])
    }

    @Test("shares its handler with another, read and set again: it runs as its first owner")
    func readBack() async throws {
        let seen = Notes<Identity?>()
        let (first, second) = (Process(), Process())
        for process in [first, second] { process.executableURL = .true }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            withIdentity(ada) {
                first.propagatingIdentity.terminationHandler = { _ in
                    seen.add(.current)
                    continuation.resume()
                }
            }
            withIdentity(grace) {
                second.propagatingIdentity.terminationHandler = first.propagatingIdentity.terminationHandler
            }
            do { try second.run() } catch { continuation.resume(throwing: error) }
        }
        #expect(seen.all == [ada])
    }
}
