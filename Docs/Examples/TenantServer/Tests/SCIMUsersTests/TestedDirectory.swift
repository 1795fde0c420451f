import Foundation
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import MultiIdentity
import Synchronization

@testable import SCIMUsers

/// A service with a database of its own, and what its program was notified of.
final class TestedDirectory: Sendable {
    /// The changes that a program was notified of, in order.
    final class Told: Sendable {
        private let changes = Mutex<[DirectoryChange]>([])

        func note(_ change: DirectoryChange) { changes.withLock { $0.append(change) } }

        /// Takes those since this was asked last.
        func take() -> [DirectoryChange] {
            changes.withLock { changes in
                defer { changes = [] }
                return changes
            }
        }
    }

    static let token = "a token of the directory that sends"

    let file: String
    let directory: UserDirectory
    let service: SCIMService
    let told = Told()
    let log = InMemoryLogHandler()
    private let removesFile: Bool

    /// - Parameters:
    ///   - file: The database's file, as after a restart; else one of its own.
    ///   - act: Acts on a change before it is noted.
    /// - Throws: What the database throws.
    init(file: String? = nil, acting act: @escaping @Sendable (DirectoryChange) async throws -> Void = { _ in }) throws
    {
        self.file = file ?? FileManager.default.temporaryDirectory.appending(path: "users-\(UUID())").path()
        removesFile = file == nil
        directory = try UserDirectory(path: self.file) { Date(timeIntervalSince1970: 1_800_000_000) }
        service = SCIMService(directory: directory, path: "/scim/v2", token: Self.token) { [told] change in
            try await act(change)
            told.note(change)
        }
    }

    deinit { if removesFile { try? FileManager.default.removeItem(atPath: file) } }

    /// All that was logged, as one text.
    var lines: String { log.entries.map { "\($0.message) \($0.metadata)" }.joined(separator: "\n") }

    func test(_ body: @escaping @Sendable (SCIMClient) async throws -> Void) async throws {
        let router = Router()
        service.add(to: router)
        let logger = Logger(label: "test") { [log] _ in log }
        try await Application(router: router, logger: logger).test(.router) { client in
            try await body(SCIMClient(client: client))
        }
    }
}
