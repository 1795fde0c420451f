import MultiIdentity
import Testing

@testable import MultiIdentityFiles
@testable import MultiIdentityPolicy

private let (ada, grace) = (Person.ada, Person.grace)

@Suite("A file that is shown", .rule("9.7")) struct PresentedFileTests {
    @Test("names its creator, also nobody and none", arguments: [Users.ada, .nobody, nil])
    func inverse(_ identity: Identity?) {
        let shown = FileOwner(identity).identity
        #expect(shown == identity)
        #expect(FileOwner(shown) == FileOwner(identity))
    }

    @Test("is shown as its owner, and as nobody if its owner is nobody or none", arguments: Keeping.allCases)
    func owner(_ keeping: Keeping) async throws {
        let root = try OwnedRoot(keeping)
        let fixture = try SwitcherFixture(ui: grace)
        fixture.levels.process = grace
        try root.make("ada", as: ada)
        try root.make("nobody", as: .nobody)
        try root.make("none", as: nil)
        root.makeUnseen("unseen")
        for (name, shown) in [("ada", ada), ("nobody", .nobody), ("ada", ada), ("none", .nobody), ("ada", ada)]
            + [("unseen", .nobody)]
        {
            let file = try root.files.open(name, for: .reading)
            #expect(try await fixture.switcher.switchUI(toOwnerOf: file) == .success)
            #expect(fixture.levels.ui == shown)
        }
    }

    @Test("is not shown if its owner may not be shown") func refused() async throws {
        let root = try OwnedRoot(.index)
        let fixture = try SwitcherFixture(ui: grace, checks: [LaunchCheck("PIN") { _ in .failed("wrong PIN") }])
        try root.make("a", as: ada)
        let file = try root.files.open("a", for: .reading)
        let result = try await fixture.switcher.switchUI(toOwnerOf: file)
        #expect(result == .failed(.check(name: "PIN", reason: "wrong PIN")))
        #expect(fixture.levels.ui == grace)
    }

    @Test("is not shown if its owner cannot be read") func damaged() async throws {
        let root = try OwnedRoot(.attributes)
        let fixture = try SwitcherFixture(ui: grace)
        try root.make("a", as: ada)
        try OpenFile.open(root / "a", .readingAndWriting).setAttribute(FileOwner.attribute, to: [1, 2, 3])
        let file = try root.files.open("a", for: .reading)
        await expect(throws: IdentityFileError.Code.damagedOwner) {
            try await fixture.switcher.switchUI(toOwnerOf: file)
        }
        #expect(fixture.levels.ui == grace)
    }

    @Test("is shown as its owner at that time, with that owner's checks") func given() async throws {
        let root = try OwnedRoot(.attributes)
        let fixture = try SwitcherFixture()
        let checked = Notes<Identity>()
        let grace = grace
        try root.make("a", as: ada)
        fixture.switcher.register(
            LaunchCheck("PIN") { identity in
                checked.add(identity)
                try root.files.setOwner(.identity(grace), of: "a")
                return .passed
            }
        )
        let file = try root.files.open("a", for: .reading)
        #expect(try await fixture.switcher.switchUI(toOwnerOf: file) == .success)
        #expect(fixture.levels.ui == grace)
        #expect(checked.all == [ada, grace])
    }
}
