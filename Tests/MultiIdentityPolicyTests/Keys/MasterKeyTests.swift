import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityProtection

@Suite("A master key", .rule("12.7"), .timeLimit(.minutes(20))) struct AMasterKey {
    static let bytes = [UInt8]((0..<32).map { 0xF0 &+ $0 &* 7 })
    static let base64 = Data(bytes).base64EncodedString()
    static let hexadecimal = bytes.map { String($0 / 16, radix: 16) + String($0 % 16, radix: 16) }.joined()

    static let spellings = [
        base64, base64 + "\n", "  \(base64)\r\n", String(base64.dropLast()), hexadecimal, hexadecimal.uppercased(),
        base64.replacing("+", with: "-").replacing("/", with: "_"),
    ]

    @Test("is read from the environment", arguments: spellings) func isReadFromTheEnvironment(_ text: String) throws {
        let name = "MULTI_IDENTITY_TEST_\(UInt64.random(in: 0 ... .max))"
        setenv(name, text, 1)
        defer { unsetenv(name) }
        #expect(try MasterKey.fromEnvironment(name).isSame(as: MasterKey(Self.bytes)))
    }

    @Test("is read from a file", arguments: spellings) func isReadFromAFile(_ text: String) throws {
        let folder = TemporaryFolder()
        let path = folder.write(text, to: "master")
        chmod(path, 0o600)
        #expect(try MasterKey.fromFile(path).isSame(as: MasterKey(Self.bytes)))
    }

    static let others: [String] = [
        "", " \n", "secret", "\(base64.dropLast(2))", "\(base64)A", "\(base64)=", "=\(base64)",
        "\(hexadecimal.dropLast())", "\(hexadecimal.dropLast())g", "\(hexadecimal)00",
        Data(bytes + [1]).base64EncodedString(), Data(bytes.dropLast()).base64EncodedString(),
        "\(base64.dropLast(2))B=", "é\(base64.dropFirst(2))", "\(base64.prefix(20))\n\(base64.dropFirst(20))",
    ]

    @Test("is refused if it is invalid", arguments: others)
    func isRefusedWhereItIsNone(_ text: String) throws {
        let folder = TemporaryFolder()
        let path = folder.write(text, to: "master")
        chmod(path, 0o600)
        let error = expect(throws: ProtectionError.Code.invalidKey) { try MasterKey.fromFile(path) }
        #expect(text.count < 10 || error?.message.contains(text.prefix(10)) == false, "it tells nothing of the text")
        #expect(error?.message.contains(path) == true)
    }

    @Test("is refused if it is missing") func isRefusedWhereThereIsNone() throws {
        #expect(KeyFolder.code { _ = try MasterKey.fromEnvironment("MULTI_IDENTITY_NOT_SET") } == .invalidKey)
        let folder = TemporaryFolder()
        #expect(KeyFolder.code { _ = try MasterKey.fromFile(folder / "none") } == .invalidKey)
        #expect(KeyFolder.code { _ = try MasterKey([1, 2, 3]) } == .invalidKey)
        #expect(KeyFolder.code { _ = try MasterKey([UInt8](repeating: 0, count: 33)) } == .invalidKey)
    }

    @Test("is refused from a file that others can use", arguments: [0o644, 0o660, 0o604])
    func isRefusedFromAFileThatOthersCanUse(_ mode: UInt32) throws {
        let folder = TemporaryFolder()
        let path = folder.write(Self.base64, to: "master")
        chmod(path, mode)
        #expect(KeyFolder.code { _ = try MasterKey.fromFile(path) } == .unsafeFile)
    }

    #if compiler(>=6.3)  // an exit test that captures
    @Test("is read from a mounted secret: through links, and from root's own file", arguments: [0o400, 0o440, 0o444])
    func isReadFromAMountedSecret(_ mode: UInt32) async throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder / "..data", withIntermediateDirectories: false)
        let path = folder.write(Self.base64, to: "..data/master")
        symlink("..data/master", folder / "master")
        chmod(path, 0o600)
        #expect(try MasterKey.fromFile(folder / "master").isSame(as: MasterKey(Self.bytes)))
        guard geteuid() == 0 else { return }
        // As another user, who may read root's file if its mode allows it.
        chmod(path, mode)
        chmod(folder.path, 0o755)
        await #expect(processExitsWith: .success) { [path = folder.path as String, mode = mode as UInt32] in
            // From inside, since other users may not reach the temporary folder.
            #expect(chdir(path) == 0 && setegid(0) == 0 && seteuid(65_534) == 0)
            let code = KeyFolder.code { _ = try MasterKey.fromFile("master") }
            #expect(code == (mode == 0o400 ? .systemCall : nil))
        }
        // A file of this user, or of a third one, is treated differently.
        chown(path, 65_534, 0)
        #expect(KeyFolder.code { _ = try MasterKey.fromFile(folder / "master") } == .unsafeFile)
    }
    #endif

    #if compiler(>=6.3)  // an exit test that captures
    @Test("is refused from root's file that others may write", .enabled(if: geteuid() == 0))
    func isRefusedFromRootsFileThatOthersMayWrite() async throws {
        let folder = TemporaryFolder()
        let path = folder.write(Self.base64, to: "master")
        chmod(folder.path, 0o755)
        chmod(path, 0o664)
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            #expect(chdir(path) == 0 && setegid(0) == 0 && seteuid(65_534) == 0)
            #expect(KeyFolder.code { _ = try MasterKey.fromFile("master") } == .unsafeFile)
        }
    }
    #endif

    @Test("is read from a descriptor, to its end", arguments: spellings)
    func isReadFromADescriptor(_ text: String) throws {
        let pipe = TestPipe()
        defer { close(pipe.readEnd) }
        // In two parts, as a pipe may deliver them.
        for part in [text.prefix(10), text.dropFirst(10)] {
            _ = Array(part.utf8).withUnsafeBytes { write(pipe.writeEnd, $0.baseAddress, $0.count) }
        }
        close(pipe.writeEnd)
        #expect(try MasterKey.fromDescriptor(pipe.readEnd).isSame(as: MasterKey(Self.bytes)))
        #expect(fcntl(pipe.readEnd, F_GETFD) >= 0, "it stays open")
        #expect(KeyFolder.code { _ = try MasterKey.fromDescriptor(pipe.readEnd) } == .invalidKey, "it is read")
        #expect(KeyFolder.code { _ = try MasterKey.fromDescriptor(-1) } == .systemCall)
    }

    /// A system file that reports 4,096 bytes but contains a few; only root can read it.
    static let misstated: String? = [
        "/sys/module/hid/parameters/ignore_special_drivers", "/sys/module/ip_set/parameters/max_sets",
    ]
    .first { (path: String) in access(path, R_OK) == 0 && geteuid() == 0 }

    @Test("is not waited for if a file's size differs from what it reports", .enabled(if: misstated != nil))
    func isNotWaitedForWhereAFileHasAnotherSizeThanItSays() throws {
        let path = try #require(Self.misstated)
        #expect(KeyFolder.code { _ = try MasterKey.fromFile(path) } != nil)
        #expect(KeyFolder.code { _ = try KeyFolder.open(path) } != nil)
    }

    @Test("is refused from a file that is too large") func isRefusedFromAFileThatIsTooLarge() throws {
        let folder = TemporaryFolder()
        let path = folder.write(Self.base64 + String(repeating: " ", count: 5_000), to: "master")
        chmod(path, 0o600)
        #expect(KeyFolder.code { _ = try MasterKey.fromFile(path) } == .unsafeFile)
    }
}

@Suite("A rotated master key") struct AMasterKeyThatIsRotated {
    let folder = KeyFolder()
    let keys: KeyFile
    let ada: IdentityKey

    init() throws {
        keys = try folder.open(1)
        ada = try keys.currentKey(for: Users.ada)
        _ = try keys.currentKey(for: Users.bob)
        try keys.destroyKeys(of: Users.bob)
    }

    @Test("leaves the keys unchanged", .rule("12.7")) func leavesTheKeysAsTheyAre() throws {
        try keys.rotateMasterKey(to: KeyFolder.master(2))
        for keys in [keys, try folder.open(2)] {
            let key = try keys.currentKey(for: Users.ada)
            #expect(key.id == ada.id && KeyFolder.bytes(of: key) == KeyFolder.bytes(of: ada))
        }
        #expect(try KeyFileFixture.contents(folder.bytes, 2).destroyed.count == 1)
    }

    @Test("no longer opens the file") func opensTheFileNoMore() throws {
        try keys.rotateMasterKey(to: KeyFolder.master(2))
        #expect(KeyFolder.code { _ = try folder.open(1) } == .wrongMasterKey)
        _ = try keys.rotateKey(of: Users.ada)
        #expect(KeyFolder.code { _ = try folder.open(1) } == .wrongMasterKey)
    }

    @Test("can be rotated in a process that was given both") func canBeRotatedInAProcessThatWasGivenBoth() throws {
        let later = try folder.open(2, former: 1)
        #expect(try later.currentKey(for: Users.ada).id == ada.id)
        let other = try folder.open(2, former: 1)
        try later.rotateMasterKey(to: KeyFolder.master(2))
        #expect(try other.currentKey(for: Users.ada).id == ada.id)
        let bytes = folder.bytes
        try later.rotateMasterKey(to: KeyFolder.master(2))
        #expect(folder.bytes == bytes, "it is done")
    }

    @Test("leaves no file if there is none") func leavesNoFileWhereThereIsNone() throws {
        let empty = KeyFolder()
        let keys = try empty.open(1)
        try keys.rotateMasterKey(to: KeyFolder.master(2))
        #expect(empty.bytes.isEmpty)
        _ = try keys.currentKey(for: Users.ada)
        #expect(KeyFolder.code { _ = try empty.open(2) } == nil)
    }
}
