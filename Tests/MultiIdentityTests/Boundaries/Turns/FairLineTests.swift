@_spi(Checks) import MultiIdentityTesting
import Testing

@testable import MultiIdentity

@Suite("A fair queue's line serves the identity that has used least", .rule("4.15")) struct FairLineTests {
    private let users = (0..<4).map { Users.named("user-\($0)@contoso.com") }
    private let bob = Users.bob

    @Test("in turn, however many pieces wait; unset and nobody are served too") func alternately() {
        var server = FairServer()
        for _ in 0..<100_000 { server.add(ada) }
        for _ in 0..<3 { for user in [nil, .nobody, bob] { server.add(user) } }
        let round = [ada, nil, .nobody, bob]
        #expect(server.serve(12) { _ in 10 } == round + round + round)
        server.finish()
        #expect(server.ran[ada]?.count == 100_000)
    }

    @Test("the pieces of one identity in their order") func inOrder() {
        var server = FairServer()
        for _ in 0..<50 { for user in users { server.add(user) } }
        server.serve(100) { $0 == users[1] ? 5_000_000 : 10_000 }
        for _ in 0..<50 { for user in users { server.add(user) } }
        server.finish()
        #expect(server.ran == server.added)
        #expect(server.mistake == nil)
    }

    @Test("in shares of the weights, with pieces of 10 µs to 50 ms", arguments: [1.0, 2, 7, 30, 100])
    func shares(_ weight: Double) {
        var server = FairServer { $0 == Users.ada ? weight : 1 }
        let costs: [Identity?: ClosedRange<UInt64>] = [
            ada: 10_000...10_000_000, users[0]: 50_000_000...50_000_000, users[1]: 10_000...1_000_000,
            users[2]: 1_000_000...50_000_000,
        ]
        var random = SeededGenerator(seed: 7)
        // One piece more for each that is served, so that no line is ever empty.
        for user in costs.keys { for _ in 0..<2 { server.add(user) } }
        var all: UInt64 = 0
        while all < UInt64(3e9 * (3 + weight)), let identity = server.begin() {
            server.add(identity)
            let cost = costs[identity].map { UInt64.random(in: $0, using: &random) } ?? 0
            all += cost
            server.end(cost: cost)
        }
        for user in costs.keys {
            let share = Double(server.used[user] ?? 0) / Double(all) * (3 + weight) / (user == ada ? weight : 1)
            #expect(abs(share - 1) < 0.05, "\(user?.name ?? "") has \(share) of its share.")
        }
        server.finish()
        #expect(server.mistake == nil)
    }

    @Test("so that a new identity comes next, after at most one piece of each that has used as little") func newcomer()
    {
        var server = FairServer()
        for _ in 0..<1_000 { for user in users { server.add(user) } }
        server.serve(501) { _ in 700_000 }
        server.add(bob)
        #expect(server.serve(5) { _ in 700_000 }.contains(bob))
        server.finish()
    }

    @Test("so that idleness saves up nothing") func noHoard() {
        var server = FairServer()
        for _ in 0..<1_000 { server.add(ada) }
        server.add(bob)
        server.serve(500) { _ in 1_000_000 }
        for _ in 0..<100 { server.add(bob) }
        let served = server.serve(100) { _ in 1_000_000 }
        #expect((49...51).contains(served.count { $0 == bob }))
        server.finish()
    }

    @Test("so that a debt outlasts idleness, until the others have used as much") func debt() {
        var server = FairServer()
        server.add(bob)
        for _ in 0..<1_000 { server.add(ada) }
        // Bob's one piece costs as much as 50 of Ada's; then his line is empty.
        server.serve(10) { $0 == bob ? 50_000_000 : 1_000_000 }
        server.add(bob)
        let served = server.serve(100) { _ in 1_000_000 }
        #expect((38...44).contains(served.firstIndex(of: bob) ?? 0))
        server.finish()
    }

    @Test("and forgets those who are gone and owe nothing", arguments: [10_000, 100_000_000])
    func forgets(_ cost: UInt64) {
        var server = FairServer()
        for _ in 0..<20_000 { server.add(ada) }
        var most = 0
        for number in 0..<5_000 {
            server.add(Users.named("passing-\(number)@contoso.com"))
            server.serve(4) { $0 == Users.ada ? cost : 10_000 }
            most = max(most, server.line.all.count)
        }
        #expect(most <= 16)
        server.finish()
        #expect(server.line.all.isEmpty)
    }

    @Test("but no debt, of however many") func manyDebts() {
        var server = FairServer()
        for _ in 0..<20_000 { server.add(ada) }
        let many = (0..<100).map { Users.named("many-\($0)@contoso.com") }
        for user in many { server.add(user) }
        server.serve(101) { $0 == Users.ada ? 1_000_000 : 1_000_000_000 }
        for user in many { server.add(user) }
        let served = server.serve(1_100) { $0 == Users.ada ? 1_000_000 : 1_000_000_000 }
        #expect(served.prefix(990).allSatisfy { $0 == ada })
        #expect(Set(served.dropFirst(990)).count == 101)
        server.finish()
    }

    @Test("so that the heaviest weight lets the lightest in, though its pieces cost nothing") func rounding() {
        var server = FairServer { $0 == Users.ada ? 100 : 0.01 }
        for _ in 0..<50_000 { server.add(ada) }
        for _ in 0..<3 { server.add(bob) }
        #expect(server.serve(2) { _ in 0 }.contains(bob))
        #expect(server.serve(30_000) { $0 == Users.bob ? 1_000 : 1_000_000 }.contains(bob))
        server.finish()
    }

    @Test("as a search among all would, with several pieces at a time", arguments: 0..<20)
    func asASearch(_ seed: UInt64) {
        let users: [Identity?] =
            [nil, .nobody] + (0..<30).map { Users.named("\(String(repeating: "x", count: $0 + 1))@contoso.com") }
        var random = SeededGenerator(seed: seed)
        var server = FairServer { $0.map { Double($0.name.utf8.count % 3 + 1) } ?? 0.5 }
        for _ in 0..<3_000 {
            switch random.below(10) {
            case 0..<5: server.add(users[random.below(users.count)])
            case 5..<8: _ = server.begin()
            default: server.end(random.below(100), cost: 1 << random.below(27))
            }
        }
        #expect(server.mistake == nil, "seed \(seed)")
        server.finish()
        #expect(server.ran == server.added)
        #expect(server.line.all.isEmpty)
    }
}
