import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import Testing

@Suite("A search for files by owner") struct FilesThatAreLookedForByOwner {
    @Test("finds that owner's files only", arguments: Keeping.allCases)
    func areThoseOfThatOwnerAlone(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, folders: ["d"])
        try fixture.make("a1", as: Users.ada)
        try fixture.make("d/a2", as: Users.named("ADA@contoso.com"))
        try fixture.make("d/b", as: Users.bob)
        try fixture.make("none", as: nil)
        try fixture.make("nobody", as: .nobody)
        fixture.makeUnseen("d/unseen")
        #expect(fixture.files.files(of: .ada).paths == ["a1", "d/a2"])
        #expect(fixture.files.files(of: .bob).paths == ["d/b"])
        #expect(fixture.files.files(of: .unset).paths == ["none"])
        #expect(fixture.files.files(of: .nobody).paths == ["nobody"])
        #expect(fixture.files.files(of: nil).paths == ["d/unseen"])
        #expect(fixture.files.files(of: .identity(Users.eve)).paths == [])
    }
}
