import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles
@testable import MultiIdentityPolicy
@testable import MultiIdentityProtection

@Suite("An interrupted sharing of a file", .rule("20.4")) struct AFileThatIsSharedInterrupted {
    private let fixture: SharingFixture

    init() throws { fixture = try SharingFixture() }

    @Test(
        "leaves the file whole and its owner's, or not at all, if a call fails",
        arguments: SharingWay.allCases,
        Keeping.allCases
    )
    func isThereWholeOrNotAtAllWhereACallFails(_ way: SharingWay, _ keeping: Keeping) throws {
        let calls = try way.calls(fixture, keeping)
        for number in 1...calls {
            let folder = TemporaryFolder()
            try SharingWay.prepare(folder, fixture, keeping)
            let (store, box) = try SharingWay.open(folder.path, keeping)
            let error = #expect(throws: ProtectionError.self, "call \(number)") {
                try StorageFaults(.fail(atCall: number, with: ENOSPC)).during {
                    try way.make(fixture.sharing, store, box)
                }
            }
            #expect(error?.code == .noSpace, "call \(number)")
            // Only the call that makes the name durable comes after it.
            let isDone = try way.isDone(fixture, folder.path, keeping)
            #expect(!isDone || number == calls, "call \(number)")
        }
    }

    #if compiler(>=6.3)  // an exit test that captures
    @Test(
        "leaves the file whole and its owner's, or not at all, if the process ends at any call",
        .enabled(if: !Sanitizer.isOn, "each process is slow to begin"),
        arguments: SharingWay.allCases,
        Keeping.allCases
    )
    func isThereWholeOrNotAtAllWhereTheProcessEnds(_ way: SharingWay, _ keeping: Keeping) async throws {
        let fixture = fixture
        try await forEachCall(upTo: way.calls(fixture, keeping)) { number in
            let folder = TemporaryFolder()
            try SharingWay.prepare(folder, fixture, keeping)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = folder.path as String, number = number as Int, way = way as SharingWay,
                    keeping = keeping as Keeping
                ]
                in
                let (store, box) = try SharingWay.open(path, keeping)
                StorageFaults(.killProcess(atCall: number)).install()
                try way.make(SharingFixture().sharing, store, box)
            }
            if try !way.isDone(fixture, folder.path, keeping) {
                let (store, box) = try SharingWay.open(folder.path, keeping)
                try way.make(fixture.sharing, store, box)
            }
            #expect(try way.isDone(fixture, folder.path, keeping))
            return true
        }
    }
    #endif
}

/// The direction in which an existing file is shared: out of a store, or into one.
enum SharingWay: String, CaseIterable, Codable {
    case out, inward

    func make(_ sharing: DataSharing, _ store: IdentityFileSystem, _ box: IdentityFileSystem) throws {
        try withIdentity(Users.bob) { () throws(ProtectionError) in
            _ =
                switch self {
                case .out: try sharing.share("a", in: store, with: Users.bob, as: "new", in: box)
                case .inward: try sharing.receive("item", in: box, for: Users.bob, as: "new", in: store)
                }
        }
    }

    /// Returns whether the new file exists, whole and Ada's; no other file may have its name.
    func isDone(_ fixture: SharingFixture, _ folder: String, _ keeping: Keeping) throws -> Bool {
        let files = try OwnedRoot.open("\(folder)/\(self == .out ? "box" : "store")", keeping)
        let path = "\(folder)/\(self == .out ? "box" : "store")/root/new"
        guard FileManager.default.fileExists(atPath: path) else { return false }
        #expect(try files.owner(of: "new") == .ada)
        let content = FileFixture.read(path)
        let text = self == .out ? try fixture.sharing.protection.unprotect(content, expecting: Users.ada) : content
        #expect(text == SharingFixture.text)
        return true
    }

    static func prepare(_ folder: TemporaryFolder, _ fixture: SharingFixture, _ keeping: Keeping) throws {
        for root in ["store", "box"] {
            try FileManager.default.createDirectory(
                atPath: folder / "\(root)/root",
                withIntermediateDirectories: true
            )
        }
        let (store, box) = try open(folder.path, keeping)
        try withIdentity(Users.ada) { try store.replace("a", with: SharingFixture.text) }
        try fixture.sharing.share("a", in: store, with: Users.bob, as: "item", in: box)
    }

    static func open(_ folder: String, _ keeping: Keeping) throws -> (IdentityFileSystem, IdentityFileSystem) {
        (try OwnedRoot.open("\(folder)/store", keeping), try OwnedRoot.open("\(folder)/box", keeping))
    }

    func calls(_ fixture: SharingFixture, _ keeping: Keeping) throws -> Int {
        let folder = TemporaryFolder()
        try Self.prepare(folder, fixture, keeping)
        let (store, box) = try Self.open(folder.path, keeping)
        let counting = StorageFaults()
        try counting.during { try make(fixture.sharing, store, box) }
        #expect(counting.calls.contains("write"))
        #expect(try isDone(fixture, folder.path, keeping))
        return counting.calls.count
    }
}
