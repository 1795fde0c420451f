import Foundation
import MultiIdentity
@_spi(Checks) import MultiIdentityTesting

@testable import MultiIdentityFiles

/// A disk that a power cut can leave: everything that was synchronized, and any part of the rest.
struct PowerCut: CustomStringConvertible, Sendable {
    let image: DiskImage
    /// The number of acknowledgements so far.
    let acknowledgedCount: Int
    let description: String
    private let files: [UInt64: PinnedFile]

    var isAcknowledged: Bool { acknowledgedCount > 0 }

    /// The number of subsets of unsynchronized changes to try, and the seed that picks them.
    static let count = number("MULTI_IDENTITY_POWER_CUTS") ?? 200
    static let seed = number("MULTI_IDENTITY_POWER_CUT_SEED") ?? 1

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    /// Returns a folder with the remaining files, and faults that know these files by their recorded inodes.
    func restored() throws -> (folder: TemporaryFolder, faults: StorageFaults) {
        let folder = TemporaryFolder()
        return (folder, try restore(at: folder.path))
    }

    /// Replaces the content of a folder with the remaining files.
    func restore(at path: String) throws -> StorageFaults {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
        var (made, keys) = ([UInt64: String](), [FileKey: FileKey]())
        func restore(_ inode: UInt64, at path: String) throws {
            if let names = image.folders[inode] {
                if inode != image.root { mkdir(path, 0o700) }
                for (name, inode) in names { try restore(inode, at: "\(path)/\(name)") }
                chmod(path, image.folderPermissions[inode] ?? 0o700)
            } else if let first = made[inode] {
                try FileManager.default.linkItem(atPath: first, toPath: path)
            } else if let file = image.files[inode], let before = files[inode]?.status {
                let copy = try OpenFile.open(path, .creating)
                try copy.write([UInt8](file.content))
                if let owner = file.owner { try copy.setAttribute(FileOwner.attribute, to: [UInt8](owner)) }
                try copy.setPermissions(file.permissions)
                let now = try copy.status()
                keys[FileKey(now, root: now.device)] = FileKey(before, root: before.device)
                made[inode] = path
            }
        }
        try restore(image.root, at: path)
        return StorageFaults(lacking: .powerCuts, restored: keys)
    }

    /// Returns the disks that a power cut can leave: after each call, with any subset of the changes not yet synchronized.
    ///
    /// For each moment: nothing, everything, and random subsets; equal disks are listed once.
    static func all(of record: DiskRecorder.Record, count: Int = count, seed: Int = seed) -> [PowerCut] {
        let moments = Moment.all(of: record.events)
        var generator = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)))
        var (cuts, seen) = ([PowerCut](), Set<Left>())
        let start = record.start
        func add(_ moment: Moment, _ isKept: (Int) -> Bool) {
            var (image, lost) = (start, [String]())
            for (index, pending) in moment.changes.enumerated() {
                if pending.isLasting || isKept(index) {
                    pending.change.apply(to: &image)
                } else {
                    lost.append(pending.call)
                }
            }
            image = image.reachable
            guard seen.insert(Left(image: image, acknowledgedCount: moment.acknowledgedCount)).inserted else { return }
            let what = lost.isEmpty ? "nothing" : "what came of \(Array(Set(lost)).sorted().joined(separator: ", "))"
            let text = "A power cut after \(moment.lastCall) lost \(what) (seed \(seed))"
            cuts.append(
                PowerCut(
                    image: image,
                    acknowledgedCount: moment.acknowledgedCount,
                    description: text,
                    files: record.files
                )
            )
        }
        for moment in moments {
            add(moment) { _ in false }
            add(moment) { _ in true }
        }
        for _ in 0..<count {
            guard let moment = moments.randomElement(using: &generator) else { break }
            // Mostly lost, mostly kept, or mixed: one loss among many is as likely as one survivor.
            let share = [1, 4, 7].randomElement(using: &generator) ?? 4
            let kept = moment.changes.map { _ in Int.random(in: 0..<8, using: &generator) < share }
            add(moment) { kept[$0] }
        }
        return cuts
    }

    private struct Left: Hashable {
        let image: DiskImage
        let acknowledgedCount: Int
    }

    /// The changes up to a moment, and which of them are durable.
    private struct Moment {
        var changes: [(change: DiskChange, call: String, isLasting: Bool, missing: Set<UInt64>)] = []
        var acknowledgedCount = 0
        var lastCall = "nothing"

        static func all(of events: [DiskRecorder.Event]) -> [Moment] {
            var moment = Moment()
            return [moment]
                + events.map { event in
                    moment.take(event)
                    return moment
                }
        }

        private mutating func take(_ event: DiskRecorder.Event) {
            switch event {
            case .change(let change, let call):
                changes.append((change, call, false, change.inodes))
                lastCall = call
            case .synchronized(let inode):
                for index in changes.indices where changes[index].missing.remove(inode) != nil {
                    changes[index].isLasting = changes[index].missing.isEmpty
                }
            case .acknowledged: acknowledgedCount += 1
            }
        }
    }
}

extension DiskRecorder.Record {
    /// The disk before everything, with the files created since, but without content and names.
    fileprivate var start: DiskImage {
        var image = base
        for (inode, file) in files where image.files[inode] == nil {
            image.files[inode] = DiskImage.File(permissions: file.status.permissions)
        }
        for (inode, permissions) in folderPermissions where image.folders[inode] == nil {
            image.folders[inode] = [:]
            image.folderPermissions[inode] = permissions
        }
        return image
    }
}

extension DiskRecorder {
    /// Returns the disks that a power cut can leave of the recorded changes.
    func cuts() -> [PowerCut] { PowerCut.all(of: record) }
}
