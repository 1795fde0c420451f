import Foundation
import MultiIdentityFiles

/// A root with one file, and an index next to it that is rewritten for each input.
enum OwnerFolder {
    private static let folder: String = {
        // In memory if possible: it is written for every input.
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/multi-identity-fuzz-XXXXXX".utf8CString)
        require(mkdtemp(&template) != nil, "cannot make a folder in \(parent)")
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for name in ["root", "index"] { require(mkdir("\(path)/\(name)", 0o700) == 0, "cannot make \(path)/\(name)") }
        close(creat("\(path)/root/file", 0o600))
        atexit { OwnerFolder.removeAll() }
        return path
    }()

    private static func removeAll() {
        for name in ["root/file", "index/owners.log"] { unlink("\(folder)/\(name)") }
        for name in ["/root", "/index", ""] { rmdir("\(folder)\(name)") }
    }

    /// The device, the inode and the birth time of the file, as in its record.
    static let key: [UInt8] = {
        // The package makes a record of it, and this reads the key from it.
        unlink("\(folder)/index/owners.log")
        do {
            let files = try index()
            try files.setOwner(.unset, of: "file")
        } catch { fatalError("\(error)") }
        let log = read("\(folder)/index/owners.log")
        return Array(log.dropFirst(16 + 16 + 1).prefix(25))
    }()

    static func index() throws(IdentityFileError) -> IdentityFileSystem {
        try IdentityFileSystem(root: "\(folder)/root", records: .index(in: "\(folder)/index"))
    }

    static let attributes: IdentityFileSystem = {
        do { return try IdentityFileSystem(root: "\(folder)/root", records: .attributes) } catch {
            fatalError("\(error)")
        }
    }()

    static func write(log bytes: [UInt8]) {
        let path = "\(folder)/index/owners.log"
        unlink(path)
        guard let file = fopen(path, "w") else { fatalError("cannot write \(path)") }
        require(fchmod(fileno(file), 0o600) == 0, "cannot change \(path)")
        require(fwrite(bytes, 1, bytes.count, file) == bytes.count, "cannot write \(path)")
        fclose(file)
    }

    private typealias SetAttribute =
        @convention(c) (
            UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer?, Int, Int32
        ) -> Int32

    /// By its name, since the library's module does not export its header.
    private static let setAttribute: SetAttribute = {
        guard let symbol = dlsym(nil, "setxattr") else { fatalError("there is no setxattr") }
        return unsafeBitCast(symbol, to: SetAttribute.self)
    }()

    static func write(attribute bytes: [UInt8]) {
        let result = setAttribute("\(folder)/root/file", "user.multi-identity.owner", bytes, bytes.count, 0)
        require(result == 0, "cannot set the attribute: \(errno)")
    }

    private static func read(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }
}
