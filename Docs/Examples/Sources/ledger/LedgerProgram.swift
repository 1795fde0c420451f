import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import LedgerCalls
import SignedIdentity

/// Serves the ledger at 127.0.0.1 until it is interrupted.
///
/// Give the keys in LEDGER_KEYS, and the port in LEDGER_PORT.
@main enum LedgerProgram {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let keys = environment["LEDGER_KEYS"] else { fatalError("Set LEDGER_KEYS=ID:BASE64, a key of 32 bytes.") }
        let transport = HTTP2ServerTransport.Posix(
            address: .ipv4(host: "127.0.0.1", port: environment["LEDGER_PORT"].flatMap(Int.init) ?? 8081),
            transportSecurity: .plaintext
        )
        try await Ledger().server(on: transport, keys: KeyRing(parsing: keys)).serve()
    }
}
