import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles
@testable import MultiIdentityProtection

@Suite("A protected file under faults of its disk or process", .rule("12.6"))
struct AFileWhoseDiskOrProcessFailsAsItIsProtected {
    enum Change: String, CaseIterable, Codable {
        case protect, protectAnew, unprotect, protectElsewhere, unprotectElsewhere

        /// Returns protection with keys that are the same in another process.
        static func protection(rotated: Bool) throws -> DataProtection {
            let keys = KeysInMemory()
            for byte in rotated ? [1, 2] : [1] {
                let bytes = [UInt8](repeating: UInt8(byte), count: 32)
                let id = try #require(IdentityKeyID(bytes: bytes.prefix(16)))
                keys.add(try IdentityKey(id: id, secret: bytes), of: Users.ada)
            }
            let accounts = ProtectionFixture.Managed(names: [Users.ada])
            // The text has several segments whatever its protection, so that it is written in several calls.
            return DataProtection(keys: keys, accounts: accounts, segmentSize: .kibibytes64)
        }

        static let text = ProtectionFixture.text(300_000)

        func prepare(_ path: String) throws {
            FileFixture.write(
                self == .protect || self == .protectElsewhere
                    ? Self.text : try Self.protection(rotated: false).protect(Self.text, for: Users.ada),
                to: path
            )
        }

        static func open(_ folder: String) throws -> IdentityFileSystem {
            try IdentityFileSystem(root: folder, records: .attributes)
        }

        func make(_ files: IdentityFileSystem) throws {
            let protection = try Self.protection(rotated: self == .protectAnew)
            switch self {
            case .protect, .protectAnew: try protection.protectFile("file", in: files, for: Users.ada)
            case .unprotect: try protection.unprotectFileIfProtected("file", in: files)
            case .protectElsewhere: try protection.protectFile("file", in: files, for: Users.ada, to: "file.new")
            case .unprotectElsewhere: try protection.unprotectFileIfProtected("file", in: files, to: "file.new")
            }
        }

        /// Returns whether a file is the complete result of this change.
        func isDone(_ path: String) throws -> Bool {
            let protection = try Self.protection(rotated: true)
            let isElsewhere = self == .protectElsewhere || self == .unprotectElsewhere
            let made = FileFixture.read(isElsewhere ? path + ".new" : path)
            if made.isEmpty { return false }
            let info = try protection.protectionInfo(made)
            let isPlain = self == .unprotect || self == .unprotectElsewhere
            guard (info == nil) == isPlain else { return false }
            if self == .protectAnew, info?.form != .encrypted(with: try protection.keys.currentKey(for: Users.ada).id) {
                return false
            }
            return try protection.unprotectIfProtected(made) == Self.text
        }

        func calls(_ naming: Naming) throws -> [String] {
            let folder = TemporaryFolder()
            try prepare(folder / "file")
            let (files, counting) = (try Self.open(folder.path), naming.faults(.none))
            try counting.during { try make(files) }
            #expect(try isDone(folder / "file"))
            return counting.calls
        }
    }

    @Test("is unchanged if a call fails", arguments: Change.allCases, [ENOSPC, EIO])
    func isAsItWasWhereACallFails(_ change: Change, _ code: Int32) throws {
        for naming in Naming.allCases {
            let calls = try change.calls(naming)
            #expect(calls.count { $0 == "write" } >= 2 && calls.last == "fsync")
            for number in calls.indices.map({ $0 + 1 }) {
                let folder = TemporaryFolder()
                let path = folder / "file"
                try change.prepare(path)
                let (files, before) = (try Change.open(folder.path), FileFixture.read(path))
                expect(throws: code == ENOSPC ? ProtectionError.Code.noSpace : .systemCall, "call \(number)") {
                    try naming.faults(.fail(atCall: number, with: code)).during { try change.make(files) }
                }
                // The directory's `fsync` comes after the rename.
                let isLast = number == calls.count
                #expect(try change.isDone(path) == isLast, "call \(number)")
                if !isLast { #expect(FileFixture.read(path) == before && folder.names == ["file"]) }
            }
        }
    }

    @Test("is old or new after a power cut", arguments: Change.allCases, Naming.allCases)
    func isOldOrNewWhereThePowerIsCut(_ change: Change, _ naming: Naming) throws {
        let folder = TemporaryFolder()
        try change.prepare(folder / "file")
        let (files, before) = (try Change.open(folder.path), FileFixture.read(folder / "file"))
        let recorder = try DiskRecorder(folder.path)
        try recorder.faults(lacking: naming.lacks).during { try change.make(files) }
        recorder.acknowledge()
        for cut in recorder.cuts() {
            let (left, _) = try cut.restored()
            let isDone = try change.isDone(left / "file")
            let isUndone = FileFixture.read(left / "file") == before && !left.names.contains("file.new")
            #expect(isDone || !cut.isAcknowledged && isUndone, "\(cut)")
            #expect(left.names.allSatisfy { ["file", "file.new"].contains($0) || AtomicReplacement.isTemporary($0) })
        }
    }
}
