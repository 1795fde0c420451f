import Dispatch
import Testing

@testable import MultiIdentity

@Suite("Work given to Foundation") struct GivenWorkTests {
    static let identities: [Identity?] = [try? Identity("Ada@contoso.com"), .nobody, nil]

    private let ada = Users.ada
    private let grace = Users.grace

    @Test("runs as the identity that gave it", .rule("4.5"), arguments: FoundationBoundary.all, identities)
    func giver(_ boundary: FoundationBoundary, _ giver: Identity?) async {
        let seen = await boundary.inWork(givenBy: giver, setOffBy: giver) { Identity.current }
        #expect(seen == giver)
        #expect(seen?.name == giver?.name)
    }

    /// Two thread levels: while the work is given, and while it is set off.
    static let changes: [(Identity?, Identity?)] = [
        (try? Identity("ada@contoso.com"), try? Identity("grace@contoso.com")),
        (try? Identity("ada@contoso.com"), nil), (nil, try? Identity("grace@contoso.com")),
        (.nobody, try? Identity("grace@contoso.com")), (nil, .nobody), (.nobody, nil),
    ]

    @Test(
        "is captured at the boundary's own moment, unset too, and leaves what set it off as it was",
        .rule("4.5"),
        arguments: FoundationBoundary.all,
        changes
    )
    func moment(_ boundary: FoundationBoundary, _ change: (Identity?, Identity?)) async {
        let seen = await boundary.inWork(givenBy: change.0, setOffBy: [change.1]) {
            [Identity.current, IdentitySnapshot.bound.get().identity]
        }
        let expected = boundary.captured == .given ? change.0 : change.1
        #expect(Set(seen.found) == [[expected, expected]])  // repeated, perhaps
        #expect(seen.after == [change.1])
    }

    @Test(
        "runs as the identity that gave it each time, whichever identity sets it off",
        .rule("4.5"),
        arguments: FoundationBoundary.reusable,
        identities
    )
    func again(_ boundary: FoundationBoundary, _ giver: Identity?) async {
        let others = [grace, nil, .nobody, ada]
        let seen = await boundary.inWork(givenBy: giver, setOffBy: others) { Identity.current }
        #expect(seen.found.prefix(4) == [giver, giver, giver, giver])
        #expect(seen.after == others)
    }

    @Test("keeps its givers apart when many give at once", .rule("4.5"), arguments: FoundationBoundary.all)
    func many(_ boundary: FoundationBoundary) async throws {
        let givers = try (0..<4).map { try Identity("user-\($0)@contoso.com") }
        let look: @Sendable () -> String? = { Identity.current?.name }
        let names = await withTaskGroup(of: (Int, String?).self) { group in
            for (index, giver) in givers.enumerated() {
                group.addTask { (index, await boundary.inWork(givenBy: giver, setOffBy: giver, look)) }
            }
            return await group.reduce(into: [Int: String?]()) { $0[$1.0] = $1.1 }
        }
        for (index, giver) in givers.enumerated() { #expect(names[index] == giver.name) }
    }
}
