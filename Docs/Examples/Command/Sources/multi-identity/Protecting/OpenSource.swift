import MultiIdentity
import MultiIdentityFiles

/// Data that are being read.
struct OpenSource {
    /// The place of the file; `nil` for the standard input.
    let location: Locations.Location?
    let facts: FileFacts?
    /// The number of bytes, if that is known.
    let size: UInt64?
    /// The owner of the file, if that is known.
    let owner: FileOwner?
    private let file: Opened?

    /// Holds the file, so that there may be none.
    private final class Opened {
        let file: IdentityFile

        init(_ file: consuming IdentityFile) { self.file = file }
    }

    init(_ source: DataSource, _ locations: Locations) throws {
        guard case .file(let name) = source else {
            (location, facts, size, owner) = (nil, nil, nil, nil)
            file = nil
            return
        }
        let location = try locations.location(of: name)
        let file = try location.files.open(location.path, for: .reading)
        self.location = location
        facts = try FileFacts(of: file.descriptor)
        size = try file.size()
        owner = try file.owner()
        self.file = Opened(file)
    }

    /// Reads enough to hold any header, and more where that is there; the standard input comes in small pieces too.
    func readStart() throws -> [UInt8] {
        var start: [UInt8] = []
        while start.count < 1_200, case let piece = try read(), !piece.isEmpty { start += piece }
        return start
    }

    func read() throws -> [UInt8] {
        guard let file else { return try StandardInput.read(upTo: Pump.pieceSize) }
        return try file.file.read(upTo: Pump.pieceSize)
    }

    /// Refuses a file that was written to while it was read.
    func checkUnchanged() throws {
        guard let file, let facts, try FileFacts(of: file.file.descriptor) != facts else { return }
        throw CommandFailure(.tryLater, "changedMeanwhile", "Somebody wrote to it while it was read. Try again.")
    }

    /// Refuses a file of which another name would keep what is to be replaced.
    func checkOnlyName() throws {
        guard let facts, facts.linkCount > 1 else { return }
        throw CommandFailure(
            .data,
            "severalNames",
            "It has \(facts.linkCount) names, and the others would keep it as it is. Remove them, or give --force."
        )
    }
}
