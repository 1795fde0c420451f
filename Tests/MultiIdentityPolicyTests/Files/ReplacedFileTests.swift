import Foundation
import MultiIdentity
import MultiIdentityFiles
import Testing

@Suite("A file with replaced content") struct AFileWhoseContentIsReplaced {
    @Test(
        "belongs to the identity that replaced it unless its owner is kept",
        .rule("11.3"),
        arguments: Keeping.allCases
    )
    func isOfWhoeverReplacesItUnlessItsOwnerIsKept(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada])
        try withIdentity(Users.bob) { try fixture.files.replace("a", with: [1], keepsOwner: true) }
        #expect(try fixture.files.owner(of: "a") == .ada)
        try withIdentity(Users.bob) { try fixture.files.replace("a", with: [2]) }
        #expect(try fixture.files.owner(of: "a") == .bob)
        try withIdentity(nil) { try fixture.files.replace("a", with: [3]) }
        #expect(try fixture.files.owner(of: "a") == .unset)
        try withIdentity(Users.bob) { try fixture.files.replace("new", with: [1], keepsOwner: true) }
        #expect(try fixture.files.owner(of: "new") == .bob)
    }

    @Test("remains unseen if it was and its owner is kept", .rule("11.3"), arguments: Keeping.allCases)
    func staysUnseenWhereItWasAndItsOwnerIsKept(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        fixture.makeUnseen("a")
        try withIdentity(Users.bob) { try fixture.files.replace("a", with: [1], keepsOwner: true) }
        #expect(try fixture.files.owner(of: "a") == nil)
    }

    @Test("has the old file's permissions unless others are requested", arguments: Keeping.allCases)
    func hasTheOldOnesPermissionsUnlessOthersAreAskedFor(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada])
        func permissions() throws -> UInt32 { try OpenFile.open(fixture / "a", .reading).status().permissions }
        #expect(try permissions() == 0o600)
        #expect(chmod(fixture / "a", 0o664) == 0)
        try fixture.make("a", as: Users.ada)
        #expect(try permissions() == 0o664)
        try fixture.files.replace("a", with: [], permissions: 0o640)
        #expect(try permissions() == 0o640)
    }

    @Test("is unchanged if its writer throws", .rule("11.3"), arguments: Keeping.allCases)
    func isAsItWasWhereItsWriterThrows(_ keeping: Keeping) throws {
        struct Refusal: Error {}
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada], text: "old")
        #expect(throws: Refusal.self) {
            try withIdentity(Users.bob) {
                try fixture.files.replace("a") { file in
                    try file.write([1, 2, 3])
                    throw Refusal()
                }
            }
        }
        #expect(fixture.text("a") == "old")
        #expect(try fixture.files.owner(of: "a") == .ada)
        #expect(fixture.names == ["a"])
        if keeping == .index { #expect(fixture.files.files(of: .bob).paths.isEmpty) }
    }

    @Test("keeps its other names and their owner", arguments: Keeping.allCases)
    func keepsItsOtherNamesAndTheirOwner(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada], text: "old")
        try fixture.files.link("a", to: "b")
        try fixture.make("a", "new", as: Users.bob)
        #expect(fixture.text("b") == "old")
        #expect(try fixture.files.owner(of: "b") == .ada)
        #expect(try fixture.files.owner(of: "a") == .bob)
    }

    @Test("keeps owner, user and permissions if it is rewritten", arguments: Keeping.allCases)
    func keepsOwnerUserAndPermissionsWhereItIsRewritten(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada], text: "old")
        #expect(chmod(fixture / "a", 0o640) == 0)
        if geteuid() == 0 { #expect(chown(fixture / "a", 4711, 4712) == 0) }
        let before = try OpenFile.open(fixture / "a", .reading).status()
        try withIdentity(Users.bob) {
            try fixture.files.rewrite("a") { old, new in
                #expect(try old.status().size == 3)
                try new.write(Array("newer".utf8))
            }
        }
        let after = try OpenFile.open(fixture / "a", .reading).status()
        #expect(fixture.text("a") == "newer")
        #expect(try fixture.files.owner(of: "a") == .ada)
        #expect(after.permissions == before.permissions && after.user == before.user && after.group == before.group)
    }

    @Test("is not rewritten if its owner or its content changes meanwhile", arguments: Keeping.allCases, [true, false])
    func isNotRewrittenWhereItIsChangedMeanwhile(_ keeping: Keeping, _ isReplaced: Bool) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada], text: "old")
        let code = fileErrorCode {
            try fixture.files.rewrite("a") { _, new in
                try new.write([1])
                if isReplaced {
                    try fixture.make("a", "newer", as: Users.ada)
                } else {
                    try fixture.files.setOwner(.bob, of: "a")
                }
            }
        }
        #expect(code == .changedMeanwhile)
        #expect(fixture.text("a") == (isReplaced ? "newer" : "old"))
        #expect(try fixture.files.owner(of: "a") == (isReplaced ? .ada : .bob))
    }

    @Test("can be given to another identity", .rule("11.2"), arguments: Keeping.allCases)
    func canBeGivenToSomebody(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, with: ["a": Users.ada], text: "old")
        fixture.makeUnseen("b")
        for owner in [FileOwner.bob, .nobody, .unset, .ada] {
            try fixture.files.setOwner(owner, of: "a")
            try fixture.files.setOwner(owner, of: "b")
            #expect(try fixture.files.owner(of: "a") == owner)
            #expect(try fixture.files.owner(of: "b") == owner)
        }
        #expect(fixture.text("a") == "old")
        #expect(fileErrorCode { try fixture.files.setOwner(.ada, of: "none") } == .notFound)
    }
}
