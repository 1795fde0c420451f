import InMemoryLogging
import Logging
import MultiIdentityManagement
import ScrubbedLogging
import Testing

@Suite("A scrubbed log") struct ScrubbingLogHandlerTests {
    private struct Failure: Error, CustomStringConvertible { var description: String { "no hunter22 here" } }

    private let memory = InMemoryLogHandler()
    private let scrubber = Scrubber(values: ["hunter22"], keys: ["password"])

    private func logger(_ provider: Logger.MetadataProvider? = nil, before handler: (any LogHandler)? = nil) -> Logger {
        Logger(label: "test") { [memory, scrubber] _ in
            var inner: any LogHandler = handler ?? memory
            inner.metadataProvider = provider
            return ScrubbingLogHandler(inner, scrubber)
        }
    }

    /// All contents of the log, in every form in which they can be shown.
    private var shown: String {
        memory.entries.map {
            "\($0) \($0.message) \($0.metadata) \($0.error.map { "\($0) \(String(reflecting: $0))" } ?? "")"
        }
        .joined()
    }

    @Test("has scrubbed messages, metadata at every depth, and errors") func hasAllScrubbed() {
        var logger = logger()
        logger[metadataKey: "session"] = "of hunter22"
        logger[metadataKey: "Password"] = "x1"
        logger.info(
            "is hunter22",
            error: Failure(),
            metadata: [
                "list": ["hunter22", ["password": "x2", "kept": "kept"]], "number": .stringConvertible(7),
                "hunter22": "as a key",
            ]
        )
        let entry = memory.entries.first
        #expect(entry?.message.description == "is [scrubbed]")
        #expect(entry?.metadata["session"] == "of [scrubbed]" && entry?.metadata["Password"] == "[scrubbed]")
        #expect(entry?.metadata["list"] == ["[scrubbed]", ["password": "[scrubbed]", "kept": "kept"]])
        #expect(entry?.metadata["number"] == "7" && entry?.metadata["[scrubbed]"] == "as a key")
        for secret in ["hunter22", "x1", "x2"] { #expect(!shown.contains(secret), "\(secret)") }
    }

    @Test("asks providers itself, so that the handler behind it adds nothing") func asksProvidersItself() {
        let logger = logger(Logger.MetadataProvider { ["token": "hunter22", "line": "provided"] })
        logger.info("one", metadata: ["line": "given"])
        logger.info("two")
        let metadata = memory.entries.map(\.metadata)
        #expect(metadata == [["token": "[scrubbed]", "line": "given"], ["token": "[scrubbed]", "line": "provided"]])
    }

    @Test("takes over what the handler behind it has already") func takesOverMetadata() {
        var inner = memory
        inner.metadata = ["session": "hunter22"]
        logger(before: inner).info("one")
        #expect(memory.entries.map(\.metadata) == [["session": "[scrubbed]"]])
    }

    @Test("reaches none of several handlers unscrubbed") func reachesNoHandlerUnscrubbed() {
        let second = InMemoryLogHandler()
        logger(
            Logger.MetadataProvider { ["token": "hunter22"] },
            before: MultiplexLogHandler([memory, second])
        ).info("is hunter22")
        for handler in [memory, second] {
            #expect(handler.entries.map(\.message) == ["is [scrubbed]"])
            #expect(handler.entries.map(\.metadata) == [["token": "[scrubbed]"]])
        }
    }

    @Test("has no value that is marked as secret, and keeps the marks") func hasNoSecretValue() {
        logger().info("paid", metadata: ["card": "\("4111", attributes: [LogSecrecy.secret])"])
        let card = memory.entries.first?.metadata["card"]
        #expect(card?.description == "[scrubbed]" && card?.attributes[LogSecrecy.self] == .secret)
    }

    @Test("has the level of the handler behind it") func hasTheLevel() {
        var logger = logger()
        logger.logLevel = .error
        logger.info("not logged")
        logger.error("logged")
        #expect(memory.entries.map(\.message) == ["logged"])
    }
}
