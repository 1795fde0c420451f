#if os(Linux)
import MultiIdentity
import Testing

@testable import MultiIdentityFiles

/// `/proc` represents any file system that is mounted below a root and keeps no attributes.
@Suite("Files of a mounted file system without attributes") struct MountedFileTests {
    @Test("count as never seen") func wereNeverSeen() throws {
        let directory = try OpenFile.open("/proc", .directory)
        let file = try directory.open("version", .reading)
        let store = OwnerStore(.attributes, root: try directory.status())
        #expect(try store.owner(of: file, RootedPath("version")) == nil)
        #expect(try store.attribute(of: "version", in: directory, FolderPath()) == nil)
    }

    @Test("cannot be given to nobody either") func areGivenToNobodyEither() throws {
        let file = try OpenFile.open("/proc/self/comm", .readingAndWriting)
        let store = OwnerStore(.attributes, root: try file.status())
        #expect(fileErrorCode { try store.put(.nobody, on: file, RootedPath("comm")) } == .attributesUnsupported)
    }
}
#endif
