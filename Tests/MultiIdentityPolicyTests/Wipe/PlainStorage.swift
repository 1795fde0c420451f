import Foundation
import MultiIdentity
import MultiIdentityFiles

/// Files in a folder, each owned by the identity that its name begins with: `ada@contoso.com~1`.
final class PlainStorage: WipedStorage {
    let path: String
    /// The names of files that cannot be removed.
    let stubborn: Set<String>
    /// A closure that runs before each file is checked.
    let beforeEach: @Sendable () -> Void

    init(_ path: String, stubborn: Set<String> = [], beforeEach: @escaping @Sendable () -> Void = {}) throws {
        self.path = path
        self.stubborn = stubborn
        self.beforeEach = beforeEach
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    var storageName: String { path }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

    func names(of identity: Identity) -> [String] { names.filter { Self.isOwned($0, by: identity) } }

    func add(_ count: Int, of identity: Identity, bytes: Int = 10) {
        for number in 1...count {
            let name = "\(path)/\(identity.name)~\(number)"
            _ = FileManager.default.createFile(atPath: name, contents: Data(repeating: 7, count: bytes))
        }
    }

    private static func isOwned(_ name: String, by identity: Identity) -> Bool { name.hasPrefix(identity.name + "~") }

    func files(of identity: Identity, _ visit: WipeVisit) throws(WipeFailure) {
        try each(of: identity, visit) { (_, name, bytes) throws(SystemCallError) in visit.found(name, bytes: bytes) }
    }

    func removeFiles(of identity: Identity, _ visit: WipeVisit) throws(WipeFailure) {
        try each(of: identity, visit) { (directory, name, bytes) throws(SystemCallError) in
            if stubborn.contains(name) { throw SystemCallError("unlink", name, code: EACCES) }
            try directory.unlink(name)
            visit.removed(name, bytes: bytes)
        }
        do throws(SystemCallError) {
            try OpenFile.open(path, .directory).synchronize()
        } catch { throw WipeFailure(path, because: "\(error)") }
    }

    private func each(
        of identity: Identity,
        _ visit: WipeVisit,
        _ body: (borrowing OpenFile, String, UInt64) throws(SystemCallError) -> Void
    ) throws(WipeFailure) {
        do throws(SystemCallError) {
            let directory = try OpenFile.open(path, .directory)
            for name in names {
                beforeEach()
                visit.passed()
                guard Self.isOwned(name, by: identity) else { continue }
                do throws(SystemCallError) {
                    try body(directory, name, try directory.status(of: name).size)
                } catch { visit.failed(WipeFailure(name, because: "\(error)")) }
            }
        } catch { throw WipeFailure(path, because: "\(error)") }
    }
}
