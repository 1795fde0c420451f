import ArgumentParser
import Testing

@testable import IdentityStress

@Suite("The arguments") struct CommandArguments {
    @Test(
        "that make no sense are refused with a message that names them",
        arguments: [
            ["--identities", "0"], ["--identities", "-3"], ["--hops", "0"], ["--hops", "-1"], ["--requests", "0"],
            ["--depth", "0"],
            ["--depth", "101"], ["--seconds", "0"], ["--seconds", "-1"], ["--seconds", "nan"], ["--concurrency", "0"],
            ["--boundary", "telepathy"], ["--boundary", "task"], ["--sabotage", "telepathy"], ["--sabotage", "task"],
            ["--sabotage-worker", "actor-hop"], ["--sabotage", "sync", "--boundary", "async"],
            ["--identities", "5", "--access-log", "a.log"], ["--seed", "-1"],
        ]
    )
    func areRefused(_ arguments: [String]) throws {
        let error = #expect(throws: (any Error).self) { try IdentityStress.parse(arguments) }
        let message = IdentityStress.message(for: try #require(error))
        #expect(message.contains(arguments[0]))
    }

    @Test("have defaults: a million hops, a thousand identities") func haveDefaults() throws {
        let options = try IdentityStress.parse([]).options(seed: 1)
        #expect(options.hops == 1_000_000)
        #expect(options.identities == 1_000)
        #expect(options.mix == .everything)
        #expect(options.sabotage == nil)
    }

    @Test(
        "that name requests, a time or a log leave the hops open",
        arguments: [["--requests", "2"], ["--seconds", "2"], ["--access-log", "a.log"]]
    )
    func leaveHopsOpen(_ arguments: [String]) throws {
        #expect(try IdentityStress.parse(arguments).options(seed: 1).hops == nil)
    }

    @Test("name the boundary to break") func nameTheBoundaryToBreak() throws {
        let options = try IdentityStress.parse(["--sabotage", "async-after"]).options(seed: 1)
        #expect(options.sabotage == Sabotage(work: BoundaryCatalogue.place(of: "async-after")))
    }

    @Test("can name any boundary that is listed") func canNameAny() throws {
        #expect(BoundaryCatalogue.carried.count >= 15)
        #expect(Set(BoundaryCatalogue.all.map(\.name)).count == BoundaryCatalogue.all.count)
        for boundary in BoundaryCatalogue.carried {
            #expect(throws: Never.self) { try IdentityStress.parse(["--sabotage", boundary.name]) }
        }
    }
}
