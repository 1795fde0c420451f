import Foundation
import Logging
import MultiIdentity
import SignedIdentity
import Testing

@testable import TenantServer

@Suite("Jobs in a database") struct JobTests {
    @Test(
        "run as whoever enqueued them, by the workers of whatever process",
        arguments: [IdentityKeeping.carried, .withoutIdentity]
    )
    func runAsTheirOwner(_ keeping: IdentityKeeping) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tenant-jobs-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "jobs.sqlite").path(percentEncoded: false)
        let keys = try KeyRing(parsing: "test:" + Data(repeating: 7, count: 32).base64EncodedString())
        let users = (0..<20).map { "user\($0)@contoso.com" }

        // Enqueued where no worker runs, as by a process that is killed right after.
        let enqueuing = try JobsInDatabase(path: path, keys: keys, keeping: keeping, logger: Logger(label: "first"))
        for (number, user) in users.enumerated() {
            let marker = try #require(Marker("\(number)-\(user)"))
            let caller: Caller = keeping == .carried ? .carried : .passed(user)
            let errand = Errand(
                caller: caller,
                marker: marker,
                logger: Logger(label: "first") { _ in SwiftLogNoOpLogHandler() }
            )
            let seen = try await withIdentity(keeping == .carried ? Identity(user) : nil) {
                try await enqueuing.enqueue(errand)
            }
            #expect(seen.as == user)
        }

        let log = StreamedLog()
        let working = try JobsInDatabase(
            path: path,
            keys: keys,
            keeping: keeping,
            logger: Logger(label: "next") { _ in log }
        )
        let ran = await withTaskGroup { group in
            group.addTask { try? await working.run() }
            var ran: [StreamedLog.Line] = []
            for await line in log.lines where line.message == "job" {
                ran.append(line)
                if ran.count == users.count { break }
            }
            group.cancelAll()
            return ran
        }
        #expect(Set(ran.map(\.identity)) == Set(users))
        for line in ran { #expect(line.marker?.hasSuffix("-" + (line.identity ?? "")) == true) }
    }
}
