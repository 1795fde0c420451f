import InMemoryLogging
import Logging
import LoggingIdentity
import MultiIdentity
import Testing

@Suite("The identity in log lines") struct MetadataProviderTests {
    private func identity(loggedAs identity: Identity?) -> Logger.MetadataValue? {
        var handler = InMemoryLogHandler()
        handler.metadataProvider = .identity
        let logger = Logger(label: "test") { [handler] _ in handler }
        withIdentity(identity) { logger.info("hello") }
        return handler.entries.first?.metadata["identity"]
    }

    @Test("is that of the work that logs, wherever it runs") func isWhoeversWork() async throws {
        let ada = try Identity("ada@contoso.com")
        #expect(identity(loggedAs: ada) == "ada@contoso.com")
        #expect(identity(loggedAs: .nobody) == "(nobody)")
        #expect(identity(loggedAs: nil) == nil)
    }

    @Test("is in each line of one logger, together with its own provider's metadata", arguments: [true, false])
    func isInEachLineOfOneLogger(_ hasProvider: Bool) throws {
        var handler = InMemoryLogHandler()
        if hasProvider { handler.metadataProvider = Logger.MetadataProvider { ["region": "eu"] } }
        var logger = Logger(label: "test") { [handler] _ in handler }
        logger.nameIdentity()
        withIdentity(try Identity("ada")) { logger.nameIdentity() }
        withIdentity(.nobody) { logger.info("hello") }
        let region: Logger.Metadata = hasProvider ? ["region": "eu"] : [:]
        #expect(handler.entries.map(\.metadata) == [region.merging(["identity": "(nobody)"]) { $1 }])
    }

    @Test("is logged with its actor") func standsBesideWhoActs() throws {
        var handler = InMemoryLogHandler()
        handler.metadataProvider = .identity
        let logger = Logger(label: "test") { [handler] _ in handler }
        let ada = try Identity("ada@contoso.com").acted(by: Identity("a robot")).acted(by: Identity("the web"))
        withIdentity(ada) { logger.info("hello") }
        #expect(handler.entries.map(\.metadata) == [["identity": "ada@contoso.com", "actor": "the\\u{20}web"]])
    }

    @Test(
        "cannot pass for other fields or lines",
        arguments: zip(
            [
                "ada level=critical", "ada\u{2028}grace", "ada\u{202E}moc", "ada]", "\"ada\"", "ada\u{1F469}", "ünal",
                "مها", "\\u{20}", "ada=grace", "ada\u{3164}",
            ],
            [
                "ada\\u{20}level\\u{3D}critical", nil, "ada\\u{202E}moc", "ada\\u{5D}", "\\u{22}ada\\u{22}",
                "ada\\u{1F469}", "ünal", "مها", "\\u{5C}u\\u{7B}20\\u{7D}", "ada\\u{3D}grace", "ada\\u{3164}",
            ] as [String?]
        )
    )
    func cannotPassForOthers(name: String, logged: String?) throws {
        guard let logged else {
            #expect(throws: IdentityError.self) { try Identity(name) }
            return
        }
        #expect(identity(loggedAs: try Identity(name)) == .string(logged))
    }
}
