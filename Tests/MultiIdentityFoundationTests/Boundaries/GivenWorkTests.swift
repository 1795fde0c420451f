import Dispatch
import Testing

@testable import MultiIdentity

@Suite("Work given to Foundation", .rule("4.5")) struct GivenWorkTests {
    static let identities: [Identity?] = [try? Identity("Ada@contoso.com"), .nobody, nil]

    /// Two thread levels: while the work is given, and while it is triggered.
    static let changes: [(Identity?, Identity?)] = [
        (try? Identity("ada@contoso.com"), try? Identity("grace@contoso.com")),
        (try? Identity("ada@contoso.com"), nil), (nil, try? Identity("grace@contoso.com")),
        (.nobody, try? Identity("grace@contoso.com")), (nil, .nobody), (.nobody, nil),
    ]

    @Test(
        "is captured at the boundary's capture point, also if unset, and leaves its trigger unchanged",
        arguments: FoundationBoundary.all,
        changes
    )
    func moment(_ boundary: FoundationBoundary, _ change: (Identity?, Identity?)) async {
        let seen = await boundary.inWork(givenBy: change.0, setOffBy: [change.1]) {
            [Identity.current, IdentitySnapshot.bound.get().identity]
        }
        let expected = boundary.captured == .given ? change.0 : change.1
        #expect(Set(seen.found) == [[expected, expected]])  // it may repeat
        #expect(seen.after == [change.1])
    }

    @Test(
        "always runs as the identity that gave it, whichever identity triggers it",
        arguments: FoundationBoundary.reusable,
        identities
    )
    func again(_ boundary: FoundationBoundary, _ giver: Identity?) async {
        let others = [grace, nil, .nobody, ada]
        let seen = await boundary.inWork(givenBy: giver, setOffBy: others) { Identity.current }
        #expect(seen.found.prefix(4) == [giver, giver, giver, giver])
        #expect(seen.after == others)
    }
}
