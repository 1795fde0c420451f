import Foundation
import Hummingbird
import HummingbirdIdentity
import LedgerCalls
import Logging
import MultiIdentityProtection
import SignedIdentity

/// `tenant-server` serves at 127.0.0.1:8080; `tenant-server token USER` prints a token for a user.
@main enum TenantServerProgram {
    static func main() async throws {
        let authority = await TokenAuthority(secret: setting("TENANT_SECRET"))
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "token", let user = arguments.last, arguments.count == 2 {
            return print(try await authority.token(for: user))
        }
        LoggingSystem.bootstrap(StreamLogHandler.standardOutput, metadataProvider: .identity)
        let folder = setting("TENANT_FOLDER")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let server = TenantServer(
            folder: folder,
            authority: authority,
            masterKey: try .fromEnvironment("TENANT_MASTER_KEY"),
            ledger: try LedgerClient(
                host: "127.0.0.1",
                port: ProcessInfo.processInfo.environment["LEDGER_PORT"].flatMap(Int.init) ?? 8081,
                keys: KeyRing(parsing: setting("LEDGER_KEYS"))
            ),
            logger: Logger(label: "tenant-server")
        )
        try await server.application().runService()
    }

    private static func setting(_ name: String) -> String {
        guard let value = ProcessInfo.processInfo.environment[name] else { fatalError("Set \(name); see the README.") }
        return value
    }
}
