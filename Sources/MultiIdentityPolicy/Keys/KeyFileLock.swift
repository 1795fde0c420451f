#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The lock of a key file among processes: held on a file beside it, since the key file itself is replaced.
struct KeyFileLock: ~Copyable {
    private let file: OpenFile

    /// Waits for the lock, which lasts until this value goes.
    ///
    /// - Parameters:
    ///   - name: The key file's.
    ///   - directory: Where it is.
    ///   - limit: How many milliseconds to wait.
    /// - Throws: ``IdentityKeyError`` where another process has the lock for longer, or there can be no such file.
    init(besides name: String, in directory: borrowing OpenFile, limit: Int) throws(IdentityKeyError) {
        do throws(SystemCallError) {
            let file = try Self.open("\(name).lock", in: directory)
            var waited = 0
            while try !file.lock() {
                guard waited < limit else { throw SystemCallError("flock", file.path, code: EWOULDBLOCK) }
                // Another process rewrites the key file, which takes it milliseconds.
                usleep(1_000)
                waited += 1
            }
            self.file = file
        } catch {
            guard error.isInUse else { throw IdentityKeyError(error) }
            throw IdentityKeyError(
                .unavailable,
                "\(error.path) has been locked by another process for \(limit) ms; look at what it does."
            )
        }
    }

    private static func open(_ name: String, in directory: borrowing OpenFile) throws(SystemCallError) -> OpenFile {
        while true {
            do throws(SystemCallError) { return try directory.open(name, .readingAndWriting) } catch {
                guard error.code == ENOENT else { throw error }
            }
            do throws(SystemCallError) { return try directory.open(name, .creating) } catch {
                guard error.isAlreadyThere else { throw error }
            }
        }
    }
}
