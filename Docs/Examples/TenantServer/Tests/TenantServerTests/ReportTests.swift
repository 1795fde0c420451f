import Configuration
import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import MultiIdentity
import MultiIdentityDoctor
import MultiIdentityManagement
import Testing

@testable import TenantServer

@Suite("The server's report") struct ReportTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID())").path()
    private let key = Data((0..<32).map { UInt8($0 + 50) }).base64EncodedString()
    private let jobKey = Data((0..<32).map { UInt8($0 + 90) }).base64EncodedString()

    private func environment() -> [String: String] {
        [
            "TENANT_JWT_SECRET": "a secret of more than thirty-two bytes", "TENANT_MASTER_KEY": key,
            "TENANT_JOBS_DATABASE": "\(folder)/hunter22.sqlite", "TENANT_JOBS_KEYS": "seal-1:\(jobKey)",
            "TENANT_DATA_FOLDER": folder, "TENANT_SCRUB": "hunter22,issuer.example",
            "TENANT_JWT_ISSUER": "https://issuer.example/hunter22", "TENANT_REPORT_SOCKET": "\(folder)/s",
            "TENANT_HTTP_PORT": "0",
        ]
    }

    @Test("says what is in force to operators alone, with no secret and nothing that is to be scrubbed")
    func saysWhatIsInForce() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let environment = environment()
        let settings = try await ServerSettings(
            reader: ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: environment))
        )
        let server = try TenantServer.application(
            settings,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let (operatorToken, token) = (
            try await settings.authority.token(for: "olga@contoso.com", scope: "operator", lifetime: .seconds(60)),
            try await settings.authority.token(for: "ada@contoso.com", scope: nil, lifetime: .seconds(60))
        )
        try await server.test(.live) { client in
            func get(_ token: String, _ accept: String) async throws -> TestResponse {
                try await client.executeRequest(
                    uri: "/diagnostics",
                    method: .get,
                    headers: [.authorization: "Bearer \(token)", .accept: accept],
                    body: nil
                )
            }
            #expect(try await get(token, "*/*").status == .forbidden)
            let page = try await get(operatorToken, "text/plain")
            let archive = try await get(operatorToken, "application/json")
            #expect(page.status == .ok && archive.status == .ok)
            let report = try ManagementReport(json: Array(archive.body.readableBytesView))
            #expect(report.sections.map(\.title) == ["runtime", "settings", "wipes", "boundaries"])
            let rows = report.sections.last?.rows ?? []
            #expect(rows.count == 1 && rows[0].value.contains(" of \(IdentityDoctor.boundaries.count), "), "\(rows)")
            // As another process asks, by the socket.
            let asked = try ManagementReport(fromSocket: "\(folder)/s")
            #expect(asked.sections.map(\.title) == report.sections.map(\.title))
            for text in [String(buffer: page.body), String(buffer: archive.body), "\(asked)"] {
                #expect(text.contains("version") && text.contains("seal-1"))
                for secret in [key, jobKey, "a secret of more", "hunter22", "issuer.example"] {
                    #expect(!text.contains(secret), "\(secret)")
                }
            }
        }
        #expect(
            !FileManager.default.fileExists(atPath: "\(folder)/s")
                || (try? ManagementReport(fromSocket: "\(folder)/s")) == nil
        )
    }

    @Test("names each boundary that does not carry here") func namesEachBoundary() async throws {
        var options = IdentityDoctor.Options()
        options.boundaries = ["queue.async", "queue.sync"]
        options.sabotaged = ["queue.async"]
        let rows = ServerReport.rows(of: await IdentityDoctor.examine(options))
        #expect(rows.map(\.name) == ["carry", "queue.async"])
        #expect(rows.first?.value.hasPrefix("1 of 2, ") == true && rows.last?.value.hasPrefix("lost") == true)
    }
}
