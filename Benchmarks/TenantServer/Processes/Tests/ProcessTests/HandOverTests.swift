import Foundation
import FoundationNetworking
import IdentityEnvelope
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

@testable import hand_over_node

@Suite("Files that two servers hand to each other", .serialized) struct HandOverTests {
    static let users = 12
    static let files = setting("HAND_OVER_FILES", 3)

    private static func setting(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? standard
    }

    @Test("are each their owner's, and each there once, though both servers are killed meanwhile")
    func areEachTheirOwners() async throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let pair = try NodePair(hops: 3)
        var nodes = [try pair.start(0), try pair.start(1)]
        for _ in 0..<Self.setting("HAND_OVER_KILLS", 20) {
            try await Task.sleep(for: .milliseconds(40 + random.below(160)))
            let one = random.below(2)
            #expect(nodes[one].isRunning, "it ended by itself")
            try await nodes[one].kill()
            nodes[one] = try pair.start(one)
        }
        try await pair.quiet(nodes)
        for node in nodes { try await node.kill() }
        let found = try pair.found()
        #expect(found.faults == [])
        #expect(found.items == pair.expected())
    }

    @Test("are seen to be without an owner where a server is careless") func areSeenToBeWithoutAnOwner() async throws {
        // Once: with such a file the package hands nothing over again.
        let pair = try NodePair(hops: 1)
        let nodes = [try pair.start(0), try pair.start(1, "--careless")]
        try await pair.quiet(nodes)
        for node in nodes { try await node.kill() }
        #expect(try !pair.found().faults.isEmpty)
    }
}

/// Two servers beside the tests, their folders, and the keys of both.
private final class NodePair {
    private let folder: URL
    private let keys = [EnvelopeKey(), EnvelopeKey()]
    private let names = ["east", "west"]
    private let ports: [Int]
    /// The number of times that each file is handed over.
    private let hops: Int

    init(hops: Int) throws {
        self.hops = hops
        folder = FileManager.default.temporaryDirectory.appending(path: "hand-over-\(UUID().uuidString)")
        for name in names {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        ports = try [Self.freePort(), Self.freePort()]
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ number: Int) -> String { folder.appending(path: names[number]).path() }

    func start(_ number: Int, _ flags: String...) throws -> ChildProcess {
        let other = 1 - number
        func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
        return try ChildProcess(
            "hand-over-node",
            [
                "--name", names[number], "--folder", path(number), "--port", "\(ports[number])",
                "--peer", names[other], "--peer-port", "\(ports[other])", "--peer-key", text(keys[other].publicKey),
                "--key=\(text(keys[number].bytes))", "--keys", "one:\(TestedQueue.key)",
                "--users", "\(HandOverTests.users)", "--files", "\(HandOverTests.files)", "--hops",
                "\(hops)",
            ] + flags
        )
    }

    /// Waits until neither has anything to hand over any more.
    func quiet(_ nodes: [ChildProcess]) async throws {
        let made = HandOverTests.users * HandOverTests.files
        while true {
            for node in nodes { try #require(node.isRunning, "it ended by itself") }
            let states = [await state(0), await state(1)]
            let isQuiet = states.allSatisfy { $0["stored"] == made && $0["outbox"] == 0 && $0["waiting"] == 0 }
            // All that was made is on its way: nothing can come in any more where both outboxes were empty at once.
            if isQuiet, await states == [state(0), state(1)] { return }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func state(_ number: Int) async -> [String: Int] {
        guard let url = URL(string: "http://127.0.0.1:\(ports[number])/state"),
            let (data, _) = try? await URLSession.shared.data(from: url)
        else { return [:] }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        let pairs = lines.map { $0.split(separator: " ") }.filter { $0.count == 2 }
        return Dictionary(pairs.map { (String($0[0]), Int($0[1]) ?? -1) }) { $1 }
    }

    /// Where each item has to be at the end: the server and the place, with all who handed it over.
    func expected() -> Set<String> {
        var items: Set<String> = []
        for (number, name) in names.enumerated() {
            for user in 0..<HandOverTests.users {
                for file in 0..<HandOverTests.files {
                    let base = "\(name)-\(user)-\(file)"
                    items.insert("\(name)/stored/\(base).0")
                    for hop in 0..<hops {
                        let sender = names[(number + hop) % 2]
                        // The first user's space takes in nothing that is another's.
                        if (user + 1 + hop) % HandOverTests.users == 0 {
                            items.insert("\(sender)/refused/\(base).\(hop)")
                            break
                        }
                        items.insert("\(sender)/sent/\(base).\(hop)")
                        items.insert("\(names[(number + hop + 1) % 2])/inbox/\(base).\(hop)")
                    }
                }
            }
        }
        return items
    }

    /// All files of both, and what is wrong with them: no owner, another one than the content says, or not readable as its.
    func found() throws -> (items: Set<String>, faults: [String]) {
        var (items, faults): (Set<String>, [String]) = ([], [])
        for (number, name) in names.enumerated() {
            let users = try NodeStore.users(HandOverTests.users)
            let files = try NodeStore.files(path(number))
            let protection = try NodeStore.protection(path(number), NodeStore.accounts(users))
            for place in NodeStore.Place.allCases {
                let folder = "\(files.root)/\(place)"
                for item in try FileManager.default.contentsOfDirectory(atPath: folder) where !item.hasPrefix(".") {
                    let label = "\(name)/\(place)/\(item)"
                    items.insert(label)
                    guard case .identity(let owner)? = try files.owner(of: "\(place)/\(item)") else {
                        faults.append("\(label) has no owner")
                        continue
                    }
                    let bytes = try files.open("\(place)/\(item)", for: .reading).readToEnd()
                    let content = try? protection.unprotect(bytes, expecting: owner)
                    let lines = String(decoding: content ?? [], as: UTF8.self).split(separator: "\n")
                    if lines.first.map(String.init) != owner.name { faults.append("\(label) is not of \(owner)") }
                }
            }
        }
        return (items, faults)
    }

    /// A port that nobody listened on a moment ago.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isBound else { throw CocoaError(.featureUnsupported) }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
