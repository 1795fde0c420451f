import ArgumentParser
import MultiIdentity
import Testing

@testable import IdentityStress

@Suite("The arguments") struct CommandArguments {
    @Test(
        "that make no sense are refused with a message that names them",
        arguments: [
            ["--identities", "0"], ["--identities", "-3"], ["--hops", "0"], ["--hops", "-1"], ["--requests", "0"],
            ["--depth", "0"],
            ["--depth", "101"], ["--seconds", "0"], ["--seconds", "-1"], ["--seconds", "nan"], ["--concurrency", "0"],
            ["--boundary", "telepathy"], ["--boundary", "Task { }"], ["--sabotage", "telepathy"],
            ["--sabotage", "Task { }"],
            ["--sabotage-worker", "a call on an actor"], ["--sabotage", "queue.sync", "--boundary", "queue.async"],
            ["--seed", "-1"], ["--hop", "3"],
        ]
    )
    func areRefused(_ arguments: [String]) throws {
        let error = #expect(throws: (any Error).self) { try IdentityStress.parse(arguments) }
        let message = IdentityStress.message(for: try #require(error))
        #expect(message.contains(arguments[0]))
    }

    @Test("that name no command get the names of the commands", arguments: ["doctr", "incident", "runn"])
    func mistypedCommand(_ word: String) throws {
        let run = try #require(try Program.parseAsRoot([word]) as? IdentityStress)
        let error = #expect(throws: (any Error).self) { try run.checkUnexpected() }
        let message = Program.message(for: try #require(error))
        let known = ["run", "doctor"].map { "\"\($0)\"" }.joined(separator: " or ")
        #expect(message == "\"\(word)\" is no command. Did you mean \(known)?")
    }

    @Test("have defaults: a million hops, a thousand identities") func haveDefaults() throws {
        let options = try IdentityStress.parse([]).options(seed: 1)
        #expect(options.hops == 1_000_000)
        #expect(options.identities == 1_000)
        #expect(options.mix == .everything)
        #expect(options.sabotage == nil)
    }
}
