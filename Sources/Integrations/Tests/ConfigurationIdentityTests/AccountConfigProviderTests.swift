import Configuration
import ConfigurationIdentity
import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import Synchronization
import Testing

@Suite("The configuration of an account in swift-configuration") struct AccountConfigProviderTests {
    /// A service with configurations that a test sets.
    private final class Service: EnrollmentService, CredentialProvider, Sendable {
        let texts = Mutex<[Identity: String]>([:])
        func enroll(_ credential: AccountCredential) async throws -> String? { nil }
        func checkPolicy(_ credential: AccountCredential) async throws -> PolicyCheckAnswer { .unchanged }
        func unenroll(_ credential: AccountCredential) async throws {}
        func configuration(_ credential: AccountCredential) async throws -> String? {
            texts.withLock { $0[credential.identity] }
        }
        func credential(
            for identity: Identity?,
            prompting: Bool,
            settings: AccountSettings
        ) async throws -> AccountCredential? { identity.map { AccountCredential($0, token: "token") } }
    }

    private let service = Service()
    private let registry: AccountRegistry
    private let reader: ConfigReader
    private let ada: Identity
    private let grace: Identity

    init() throws {
        (ada, grace) = (try Identity("ada.configured@contoso.com"), try Identity("grace.configured@contoso.com"))
        let feed = PolicyFeed(PolicySet(standard: .everything))
        registry = AccountRegistry(
            accounts: Accounts(mode: .multi, policies: feed, levels: IdentityLevels()),
            store: SQLiteAccountStore(),
            service: service,
            credentials: service
        )
        // Like files, it ignores the context.
        let defaults = EnvironmentVariablesProvider(environmentVariables: ["THEME": "of the file", "TIMEOUT": "5"])
        reader = ConfigReader(providers: [AccountConfigProvider(registry), defaults])
    }

    private func enroll(_ identity: Identity, _ values: String, _ others: String = "{}") async throws {
        let text =
            #"{"version": 1, "parts": [{"audience": "targeted", "values": \#(values)}, {"audience": "targeted", "values": \#(others)}]}"#
        service.texts.withLock { $0[identity] = text }
        let events = registry.events
        try registry.register(identity)
        for await event in events where event.status == .restartRequested && event.identity == identity { break }
    }

    @Test("is that of the current identity or of the key's, and overrides the shared one")
    func isThatOfTheIdentity() async throws {
        try await enroll(ada, #"{"theme": "dark", "uploads": 5, "ratio": 0.5, "share": true}"#)
        try await enroll(grace, #"{"theme": "light"}"#)
        for (identity, theme) in [(ada, "dark"), (grace, "light"), (.nobody, "of the file"), (nil, "of the file")]
            as [(Identity?, String)]
        {
            withIdentity(identity) {
                #expect(reader.string(forKey: "theme") == theme)
                #expect(reader.string(forKey: ConfigKey("theme", of: ada)) == "dark")
                #expect(reader.string(forKey: ConfigKey("theme", of: .nobody)) == "of the file")
                #expect(reader.int(forKey: "timeout") == 5)
            }
        }
        #expect(reader.int(forKey: ConfigKey("uploads", of: ada)) == 5)
        #expect(reader.double(forKey: ConfigKey("ratio", of: ada)) == 0.5)
        #expect(reader.bool(forKey: ConfigKey("share", of: ada)) == true)
        #expect(reader.int(forKey: ConfigKey("uploads", of: grace)) == nil)
    }

    @Test("selects one of several values by the context, and returns all of them as an array")
    func choosesAmongSeveral() async throws {
        try await enroll(ada, #"{"uploads": 5, "share": true}"#, #"{"uploads": 3, "share": false}"#)
        func key(_ name: String, _ choice: String) -> ConfigKey {
            ConfigKey(name, context: ["identity": .string(ada.name), "choice": .string(choice)])
        }
        #expect(reader.int(forKey: key("uploads", "any")) == 5 && reader.int(forKey: key("uploads", "min")) == 3)
        #expect(reader.bool(forKey: key("share", "or")) == true && reader.bool(forKey: key("share", "and")) == false)
        #expect(reader.intArray(forKey: ConfigKey("uploads", of: ada)) == [5, 3])
    }

    @Test("is watched: the reader gets its own account's changes, and no other's") func isWatched() async throws {
        try await enroll(ada, #"{"theme": "dark"}"#)
        let seen = try await withIdentity(ada) {
            try await reader.watchString(forKey: "theme") { updates in
                var seen: [String?] = []
                for try await theme in updates {
                    seen.append(theme)
                    if seen.count == 1 {
                        try await enroll(grace, #"{"theme": "light"}"#)
                        try await registry.deregister(ada, wiping: false)
                    }
                    if seen.last == "of the file" { break }
                }
                return seen
            }
        }
        #expect(seen.first == "dark" && !seen.contains("light"))
    }

    @Test("takes settings from its providers, and refuses wrong ones") func takesSettings() async throws {
        let provider = InMemoryProvider(values: [
            "multiIdentity.policyRequired": true, "multiIdentity.jitter": 0.25,
            "multiIdentity.maxConcurrentRequests": 3,
            "multiIdentity.mode": "single",
            "multiIdentity.keysToScrub": ConfigValue(.stringArray(["password"]), isSecret: false),
        ])
        let configuration = try await ManagementConfiguration(ConfigReader(provider: provider))
        #expect(configuration.mode == .single && configuration.jitter == 0.25)
        #expect(configuration.policyRequired && configuration.maxConcurrentRequests == 3)
        #expect(configuration.keysToScrub == ["password"] && configuration.authority == nil)
        for value in [ConfigValue(.double(1.5), isSecret: false), ConfigValue(.string("x"), isSecret: false)] {
            let wrong = InMemoryProvider(values: ["multiIdentity.jitter": value])
            await #expect(throws: (any Error).self) { try await ManagementConfiguration(ConfigReader(provider: wrong)) }
        }
        let environment = EnvironmentVariablesProvider(environmentVariables: [
            "MULTI_IDENTITY_CLIENT_ID": "of the environment"
        ])
        #expect(
            try await ManagementConfiguration(ConfigReader(provider: environment)).clientID == "of the environment"
        )
    }
}
