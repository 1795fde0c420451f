import Foundation
import Testing

@testable import MultiIdentityFiles

@Suite("A lock on the file of a name", .rule("11.6")) final class ALockOnTheFileOfAName {
    private let folder = TemporaryFolder()
    private let directory: OpenFile
    private let file: OpenFile

    init() throws {
        folder.write("", to: "name")
        directory = try OpenFile.open(folder.path, .directory)
        file = try directory.open("name", .reading)
    }

    @Test("belongs to one process at a time") func isHadByOneAtATime() throws {
        #expect(try file.lock(as: "name", in: directory) == .taken)
        let other = try directory.open("name", .reading)
        #expect(try other.lock(as: "name", in: directory) == .inUse)
        try file.unlock()
        #expect(try other.lock(as: "name", in: directory) == .taken)
    }

    @Test("is invalid if the name is removed or another file's") func isNoneWhereTheNameIsGoneOrAnotherFiles() throws {
        #expect(unlink(folder / "name") == 0)
        #expect(try file.lock(as: "name", in: directory) == .stale)
        folder.write("", to: "name")
        #expect(try file.lock(as: "name", in: directory) == .stale)
        #expect(try directory.open("name", .reading).lock(as: "name", in: directory) == .taken)
    }
}
