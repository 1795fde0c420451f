import CSystemCalls
import MultiIdentityFiles

extension MasterKey {
    /// Reads a master key from an environment variable: 32 bytes as base64 or hexadecimal.
    ///
    /// Root, and everyone who may read the process's environment, can see it; child processes inherit it.
    ///
    /// - Parameter name: The variable's name, such as `MULTI_IDENTITY_MASTER_KEY`.
    /// - Returns: The master key.
    /// - Throws: ``ProtectionError`` with `.invalidKey`; its message contains nothing of the value.
    public static func fromEnvironment(_ name: String) throws(ProtectionError) -> MasterKey {
        guard let value = getenv(name) else {
            throw .noMasterKey("The environment variable \(name)", "it is not set")
        }
        let text = UnsafeRawBufferPointer(start: value, count: strlen(value))
        return try MasterKeyText.key(from: text, source: "The environment variable \(name)")
    }

    /// Reads a master key from a file: 32 bytes as base64 or hexadecimal; a newline at the end is allowed.
    ///
    /// As OpenSSH does for private keys, it refuses a file of the process's user that others can access. A file of root,
    /// such as a mounted secret, may be readable by others, but only root may be able to write it.
    ///
    /// - Parameter path: A regular file of the process's user or of root; symbolic links are followed.
    /// - Returns: The master key.
    /// - Throws: ``ProtectionError`` if the file contains no key, or if others can access it.
    public static func fromFile(_ path: String) throws(ProtectionError) -> MasterKey {
        let found: PinnedFile
        do { found = try opened(path) } catch {
            if error.code == ENOENT { throw .noMasterKey("The file \(path)", "it does not exist") }
            throw ProtectionError(error)
        }
        let status = found.status
        guard status.isFile else { throw .unsafe(path, "is not a regular file") }
        let user = geteuid()
        guard status.user == user || status.user == 0 else {
            throw .unsafe(path, "belongs to user \(status.user), and this process runs as \(user)")
        }
        guard status.permissions & (status.user == user ? 0o077 : 0o022) == 0 else {
            throw .unsafe(path, "can be used by others (mode \(String(status.permissions, radix: 8))): chmod 600 it")
        }
        return try key(in: found.file, source: "The file \(path)")
    }

    private static func opened(_ path: String) throws(SystemCallError) -> PinnedFile {
        let file = try OpenFile.openSecret(path)
        let status = try file.status()
        return PinnedFile(file, status)
    }

    /// Reads a master key from a file descriptor, such as a pipe from the parent process: 32 bytes as base64 or
    /// hexadecimal.
    ///
    /// - Parameter descriptor: The descriptor. It is read to its end, waiting as needed, and stays open; its owner is
    ///   not checked.
    /// - Returns: The master key.
    /// - Throws: ``ProtectionError``, with `.invalidKey` or, for more than 4,096 bytes, `.unsafeFile`.
    public static func fromDescriptor(_ descriptor: Int32) throws(ProtectionError) -> MasterKey {
        let file = try ProtectionError.from { () throws(SystemCallError) in try OpenFile.duplicate(of: descriptor) }
        return try key(in: file, source: "The descriptor \(descriptor)")
    }

    /// Reads to the end, whatever the file's reported size: files in `/sys` report a wrong one, and pipes none.
    private static func key(in file: borrowing OpenFile, source: String) throws(ProtectionError) -> MasterKey {
        let limit = 4_096
        var count = 0
        let bytes: SecretBytes
        do {
            bytes = try SecretBytes(count: limit + 1) { (memory) throws(SystemCallError) in
                while count < memory.count {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
                    let read = try file.read(into: rest)
                    if read == 0 { break }
                    count += read
                }
            }
        } catch { throw ProtectionError(error) }
        guard count <= limit else { throw .unsafe(source, "has more than \(limit) bytes") }
        return try bytes.withBytes { (text) throws(ProtectionError) in
            try MasterKeyText.key(from: UnsafeRawBufferPointer(rebasing: text[..<count]), source: source)
        }
    }
}
