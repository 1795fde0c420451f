import Foundation
import MultiIdentity
@_spi(Checks) import MultiIdentityTesting
import Testing

@testable import MultiIdentityFiles

/// The file operations of one process, drawn from a seed: equal seeds give equal operations.
struct IndexWorker {
    let folder: String
    let number: Int
    let seed: UInt64

    /// Works until everything is done, or the process is killed.
    ///
    /// Each change is recorded once it was acknowledged.
    func work(_ count: Int) throws {
        let files = try OwnedRoot.open(folder, .index)
        let journal = try #require(FileHandle(forWritingAtPath: "\(folder)/acknowledged\(number)"))
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        for step in 0..<count {
            let owner = [Users.bob, Users.eve][Int(random.next() % 2)]
            let name = "\(number)-\(random.next() % 6)"
            switch random.next() % 4 {
            case 0: try? files.remove(name)
            case 1: try? files.move(name, to: "\(name)-moved", replacing: true)
            case 2: try? files.link(name, to: "\(name)-linked")
            default: break
            }
            try withIdentity(owner) { try files.replace(name, with: Array(owner.name.utf8)) }
            journal.write(Data("\(name) \(owner.name)\n".utf8))
            if step % 10 == 9 { _ = try files.repair() }
        }
    }

    /// Returns the last acknowledged owner of each name.
    static func acknowledged(_ folder: String, _ number: Int) -> [String: String] {
        let text = (try? String(contentsOfFile: "\(folder)/acknowledged\(number)", encoding: .utf8)) ?? ""
        var last: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2 { last[String(words[0])] = String(words[1]) }
        }
        return last
    }
}
