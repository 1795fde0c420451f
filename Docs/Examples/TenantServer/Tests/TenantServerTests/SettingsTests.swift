import Configuration
import Testing

@testable import TenantServer

@Suite("The server's settings") struct SettingsTests {
    private let secret = "a secret of more than thirty-two bytes"

    private func settings(_ environment: [String: String]) async throws -> ServerSettings {
        try await ServerSettings(
            reader: ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: environment))
        )
    }

    @Test("come from the environment") func comeFromTheEnvironment() async throws {
        let settings = try await settings([
            "TENANT_JWT_SECRET": secret, "TENANT_HTTP_PORT": "8081", "TENANT_HTTP_HOST": "::1",
            "TENANT_DATA_FOLDER": "/data",
            "TENANT_JWT_ISSUER": "https://issuer", "TENANT_JWT_AUDIENCE": "us",
        ])
        #expect(settings.port == 8081)
        #expect(settings.host == "::1")
        #expect(settings.dataFolder == "/data")
        #expect(settings.authority.issuer == "https://issuer")
        #expect(settings.authority.audience == "us")
    }

    @Test(
        "say what is wrong with them",
        arguments: [
            ([:], "Set TENANT_JWT_SECRET"),
            (["TENANT_JWT_SECRET": "short"], "The secret has 5 bytes"),
            (
                ["TENANT_JWT_SECRET": "a secret of more than thirty-two bytes", "TENANT_HTTP_PORT": "65536"],
                "TENANT_HTTP_PORT is \"65536\""
            ),
            (
                ["TENANT_JWT_SECRET": "a secret of more than thirty-two bytes", "TENANT_HTTP_PORT": "http"],
                "TENANT_HTTP_PORT is \"http\""
            ),
        ]
    )
    func sayWhatIsWrong(environment: [String: String], message: String) async throws {
        let error = await #expect(throws: SettingsError.self) { try await settings(environment) }
        #expect(error?.description.hasPrefix(message) == true)
    }
}
