import ArgumentParser
import Configuration
import Crypto
import Foundation
import Hummingbird
import Logging
import PolicyService
import ServiceLifecycle
import UnixSignals

/// The program.
@main struct PolicyServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy-server",
        abstract: "Store sets of policies, sign them, and give them to servers by long poll.",
        discussion: """
            Settings come from the environment: POLICY_SIGNING_KEY is 32 bytes as base64 (openssl rand -base64 32), POLICY_EDITOR_TOKEN a \
            secret of editors, POLICY_READERS who may read, as name:token,name:token. The public key for readers is printed at the start.
            """
    )

    @Option(help: "The database's file.") var database = "policies.sqlite"
    @Option(help: "Where it listens, on 127.0.0.1.") var port = 8090
    @Option(help: "How readers call the signing key.") var keyID = "1"

    func run() async throws {
        let reader = ConfigReader(provider: EnvironmentVariablesProvider()).scoped(to: "policy")
        let secret = reader.string(forKey: "signing.key", isSecret: true).flatMap { Data(base64Encoded: $0) }
        guard let secret, let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: secret) else {
            throw ValidationError("Set POLICY_SIGNING_KEY to 32 bytes as base64; `openssl rand -base64 32` makes one.")
        }
        guard let editor = reader.string(forKey: "editor.token", isSecret: true), editor.utf8.count >= 16 else {
            throw ValidationError("Set POLICY_EDITOR_TOKEN to a secret of 16 bytes or more.")
        }
        let readers = (reader.string(forKey: "readers", isSecret: true) ?? "").split(separator: ",").map { entry in
            entry.split(separator: ":", maxSplits: 1).map(String.init)
        }
        guard readers.allSatisfy({ $0.count == 2 && $0[1].utf8.count >= 16 }) else {
            throw ValidationError("POLICY_READERS is name:token,name:token, with tokens of 16 bytes or more.")
        }
        let service = try PolicyService(
            path: database,
            signer: PolicySigner(key: key, keyID: keyID),
            tokens: .init(readers: Dictionary(readers.map { ($0[1], $0[0]) }) { $1 }, editor: editor)
        )
        print("key \(keyID): \(key.publicKey.rawRepresentation.base64EncodedString())")
        let logger = Logger(label: "policies")
        let group = ServiceGroupConfiguration(
            services: [service.application(port: port, logger: logger)],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        try await ServiceGroup(configuration: group).run()
    }
}
