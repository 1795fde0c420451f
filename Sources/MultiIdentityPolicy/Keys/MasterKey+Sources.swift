#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension MasterKey {
    /// A master key from an environment variable: 32 bytes as base64 or hexadecimal.
    ///
    /// Whoever may read the process's environment, as root, sees it there; programs that this one starts inherit it.
    ///
    /// - Parameter name: The variable's name, as in `MULTI_IDENTITY_MASTER_KEY`.
    /// - Returns: The master key.
    /// - Throws: ``IdentityKeyError`` with ``IdentityKeyError/Code/invalidMasterKey``; its message holds none of the value.
    public static func fromEnvironment(_ name: String) throws(IdentityKeyError) -> MasterKey {
        guard let value = getenv(name) else {
            throw .noMasterKey("The environment variable \(name)", "it is not set")
        }
        let text = UnsafeRawBufferPointer(start: value, count: strlen(value))
        return try MasterKeyText.key(from: text, source: "The environment variable \(name)")
    }

    /// A master key from a file: 32 bytes as base64 or hexadecimal, a line's end allowed.
    ///
    /// - Parameter path: A regular file that belongs to the process's user and that nobody else may use; no symbolic link.
    /// - Returns: The master key.
    /// - Throws: ``IdentityKeyError``, with ``IdentityKeyError/Code/invalidMasterKey`` or
    ///   ``IdentityKeyError/Code/unsafeFile``.
    public static func fromFile(_ path: String) throws(IdentityKeyError) -> MasterKey {
        let directory = try KeyFileAccess.directory(of: path)
        let found = try KeyFileAccess.read(AtomicReplacement.split(path).name, in: directory, limit: 4_096)
        guard let found else { throw .noMasterKey("The file \(path)", "there is none") }
        return try found.bytes.withBytes { (text) throws(IdentityKeyError) in
            try MasterKeyText.key(from: text, source: "The file \(path)")
        }
    }
}
