import ArgumentParser
import Foundation
import Hummingbird
import IdentityEnvelope
import Logging
import MultiIdentity
import SignedIdentity

/// A server that hands files of its users to another one, and takes in what that one hands over: to be killed by a test
/// meanwhile, and started again.
///
/// Each file that came in goes back, as many times as it is asked to.
@main
struct HandOverNode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "hand-over-node")

    @Option(help: "How this server names itself.") var name: String
    @Option(help: "The folder of its files, owners and keys.") var folder: String
    @Option(help: "Where it listens, on 127.0.0.1.") var port: Int
    @Option(help: "The other server's name.") var peer: String
    @Option(help: "Where the other one listens.") var peerPort: Int
    @Option(help: "The other one's public key, as base64.") var peerKey: String
    @Option(help: "This one's private key, as base64.") var key: String
    @Option(help: "The keys that both sign with, as id:base64.") var keys: String
    @Option(help: "How many users have files.") var users: Int
    @Option(help: "How many files each has.") var files: Int
    @Option(help: "How many times a file is handed over.") var hops: Int
    @Flag(help: "Wrong on purpose: stores what comes in under whatever is bound.") var careless = false

    func run() async throws {
        let courier = Courier(
            store: try NodeStore(folder: folder, users: users, isCareless: careless),
            name: name,
            address: try EnvelopeAddress(name: peer, publicKey: Self.bytes(peerKey)),
            peerURL: "http://127.0.0.1:\(peerPort)/items",
            key: try EnvelopeKey(bytes: Self.bytes(key)),
            keys: try KeyRing(parsing: keys)
        )
        let router = Router()
        router.post("items") { request, _ in
            let body = try await request.body.collect(upTo: 1 << 20)
            return Response(status: courier.receive(Array(body.readableBytesView)))
        }
        router.get("state") { _, _ in try courier.store.state(hops: hops) }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            logger: Logger(label: "node") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.runService() }
            group.addTask {
                try courier.store.produce(name, files: files)
                while !Task.isCancelled {
                    try courier.store.forward(hops: hops)
                    try await courier.sendAll()
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private static func bytes(_ text: String) -> [UInt8] { Data(base64Encoded: text).map { Array($0) } ?? [] }
}
