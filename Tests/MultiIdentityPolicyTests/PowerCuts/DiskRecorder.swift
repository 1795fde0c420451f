import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles

/// Watches the changes to a folder: which call changed what, what was synchronized when, and what was acknowledged.
///
/// ```swift
/// let recorder = try DiskRecorder(folder.path)
/// try recorder.faults().during { try keys.rotateKey(of: ada) }
/// recorder.acknowledge()
/// for cut in recorder.cuts() { … }
/// ```
///
/// Before each call of the package it compares the folder with its state before the previous call, so that it misses no effect of a
/// call.
final class DiskRecorder: Sendable {
    enum Event {
        case change(DiskChange, by: String)
        case synchronized(UInt64)
        case acknowledged
    }

    struct Record {
        /// The disk before everything; all of it is durable.
        let base: DiskImage
        var latest: DiskImage
        var events: [Event] = []
        /// The files seen so far; they stay open, so that no inode is used again.
        var files: [UInt64: PinnedFile] = [:]
        /// The permissions of each folder seen so far.
        var folderPermissions: [UInt64: UInt32] = [:]
        var lastCall = "the first call"
    }

    let path: String
    private let state: Locked<Record>

    init(_ path: String) throws {
        self.path = path
        let root = try OpenFile.open(path, .directory).status().inode
        var record = Record(base: DiskImage(root: root), latest: DiskImage(root: root))
        let image = try Self.image(path, &record)
        state = Locked(
            Record(base: image, latest: image, files: record.files, folderPermissions: record.folderPermissions)
        )
    }

    var record: Record { state.withLock { $0 } }

    /// Returns a plan whose calls are watched; nothing waits for the disk, which the recorder simulates.
    func faults(_ plan: StorageFaults.Plan = .none, lacking lacks: StorageFaults.Lacks = []) -> StorageFaults {
        StorageFaults(plan, lacking: lacks.union(.powerCuts)) { call in self.note(call) }
    }

    /// Records that the changes so far were acknowledged.
    func acknowledge() {
        state.withLock { record in
            Self.look(path, &record)
            record.events.append(.acknowledged)
        }
    }

    private func note(_ call: StorageFaults.Call) {
        if call.name == "flock" { return }
        state.withLock { record in
            let inode = call.descriptor < 0 ? nil : Self.meet(call.descriptor, &record)
            Self.look(path, &record)
            record.lastCall = "\(call.name) of \(call.path.split(separator: "/").last ?? "")"
            if call.name == "fsync", let inode { record.events.append(.synchronized(inode)) }
        }
    }

    /// Records the effect of the last call.
    private static func look(_ path: String, _ record: inout Record) {
        do {
            let image = try image(path, &record)
            for change in record.latest.changes(to: image) {
                record.events.append(.change(change, by: record.lastCall))
            }
            record.latest = image
        } catch { Issue.record("what \(record.lastCall) did cannot be seen: \(error)") }
    }

    /// Returns a descriptor's inode; its file is known from then on, even if it has no name yet.
    private static func meet(_ descriptor: Int32, _ record: inout Record) -> UInt64? {
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { return nil }
        let inode = UInt64(found.st_ino)
        // Opened again, so that the lock is unaffected.
        if found.st_mode & S_IFMT == S_IFREG, record.files[inode] == nil,
            let file = try? kept(open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC), "")
        {
            record.files[inode] = file
        }
        return inode
    }

    private static func kept(_ descriptor: Int32, _ path: String) throws -> PinnedFile {
        let file = OpenFile(taking: descriptor, path: path)
        let status = try file.status()
        return PinnedFile(file, status)
    }

    private static func image(_ path: String, _ record: inout Record) throws -> DiskImage {
        var image = DiskImage(root: record.base.root)
        func walk(_ folder: borrowing OpenFile, _ inode: UInt64) throws {
            image.folders[inode] = [:]
            image.folderPermissions[inode] = try folder.status().permissions
            record.folderPermissions[inode] = image.folderPermissions[inode]
            var names: [String] = []
            try folder.forEachName({ name, _ in if let name { names.append(name) } }, failing: { $0 as any Error })
            for name in names {
                let status = try folder.status(of: name)
                image.folders[inode]?[name] = status.inode
                if status.isDirectory {
                    try walk(try folder.open(name, .directory), status.inode)
                } else if record.files[status.inode] == nil {
                    let file = try folder.open(name, .reading)
                    record.files[status.inode] = PinnedFile(file, status)
                }
            }
        }
        try walk(try OpenFile.open(path, .directory), image.root)
        for (inode, file) in record.files { image.files[inode] = try content(of: file) }
        return image
    }

    private static func content(of kept: PinnedFile) throws -> DiskImage.File {
        let status = try kept.file.status()
        var content = Data(count: Int(status.size))
        let count = try content.withUnsafeMutableBytes { try kept.file.read(into: $0, at: 0) }
        content.removeLast(content.count - count)
        let owner = try kept.file.attribute(FileOwner.attribute, limit: FileOwner.maximumByteCount)
        return DiskImage.File(content: content, owner: owner.map { Data($0) }, permissions: status.permissions)
    }
}
