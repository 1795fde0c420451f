import Foundation
import Testing

@Suite("Ctrl-C") struct InterruptTests {
    private let folder: Folder
    private let keys: Keys

    init() throws {
        folder = try Folder()
        keys = Keys(in: folder)
    }

    @Test("ends the program by its signal, and leaves nothing half written", arguments: [SIGINT, SIGTERM])
    func waitingForInput(_ signal: Int32) throws {
        let waiting = Pipe()
        let outcome = try Program.run(
            ["protect", "-", "--as", "ada@contoso.com", "-o", folder.path("out"), "--json"],
            environment: keys.environment,
            connected: waiting
        ) { [keysPath = folder.path("keys")] process in
            // The key is made once all is ready, and data are waited for.
            waiting.fileHandleForWriting.write(Data(count: 3 << 20))
            while !FileManager.default.fileExists(atPath: keysPath) { usleep(1_000) }
            kill(process.processIdentifier, signal)
        }
        #expect(outcome.status == -signal)
        #expect(try outcome.document["exitStatus"] as? Int32 == 128 + signal)
        #expect(try outcome.problems == ["interrupted"])
        #expect(try folder.names == ["keys", "keys.lock"])
    }

    @Test("leaves the old file where the new one is not whole")
    func inTheMiddle() throws {
        let path = folder.path("large")
        try folder.write("large", "")
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        // Without blocks on the disk, and more than can be encrypted before the first line of progress was seen.
        try file.truncate(atOffset: 1 << 36)
        try file.close()
        let outcome = try Program.run(
            ["protect", path, "--as", "ada@contoso.com", "--progress"],
            environment: keys.environment,
            sees: "large: ",
            then: { kill($0.processIdentifier, SIGINT) }
        )
        #expect(outcome.status == -SIGINT)
        #expect(outcome.errors.contains("MiB of 64.0 GiB"))
        #expect(try folder.names == ["keys", "keys.lock", "large"])
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64
        #expect(size == 1 << 36)
        #expect(try Program.run(["info", path]).status == 1, "it is as it was")
    }
}
