import Foundation
import MultiIdentity
import MultiIdentityFiles
import Testing

@Suite("Files of a wiped identity that move during the wipe", .rule("13.1")) struct FilesOfAWipedIdentityThatAreMoved {
    @Test(
        "are removed even if one moves to where the walk has been, through either file system of the root",
        arguments: [false, true]
    )
    func areGoneThoughOneIsMovedToWhereTheWalkHasBeen(_ isAnothers: Bool) throws {
        let fixture = try OwnedRoot(.attributes)
        let mover = isAnothers ? try OwnedRoot.open(fixture.folder.path, .attributes) : fixture.files
        for folder in ["p", "q"] {
            try fixture.files.makeDirectory(folder)
            try fixture.make("\(folder)/a", as: Users.ada)
        }
        let isMoved = Locked(false)
        let moving = WipeVisit { event in
            let left = fixture.names.filter { $0.hasSuffix("/a") }
            // The other file was removed, so its directory was read to the end.
            guard case .passed = event, left.count == 1, !isMoved.withLock({ $0 }) else { return }
            isMoved.withLock { $0 = (try? mover.move(left[0], to: left[0] == "p/a" ? "q/m" : "p/m")) != nil }
        }
        try fixture.files.removeFiles(of: Users.ada, moving)
        #expect(isMoved.withLock { $0 })
        #expect(fixture.names == ["p", "q"])
    }

    @Test("are removed even if they keep moving", arguments: Keeping.allCases)
    func areGoneThoughTheyAreMovedMeanwhile(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping)
        for number in 0..<4 {
            try fixture.files.makeDirectory("\(number)")
            try fixture.make("\(number)/a", as: Users.ada)
        }
        // At each entry, all files move to where the walk may have been, and back.
        let turn = Locked(0)
        let moving = WipeVisit { event in
            guard case .passed = event else { return }
            let number = turn.next()
            if number > 40 { return }
            let (from, to) = number % 2 == 1 ? ("", "m") : ("m", "")
            for folder in 0..<4 { try? fixture.files.move("\(from)\(folder)", to: "\(to)\(folder)") }
        }
        try fixture.files.removeFiles(of: Users.ada, moving)
        #expect(!fixture.names.contains { $0.hasSuffix("a") })
    }

    @Test("are removed without a walk for each rename of a directory", arguments: Keeping.allCases)
    func areGoneWithoutAWalkForEachTimeThatSomebodyRenamesADirectory(_ keeping: Keeping) throws {
        let fixture = try OwnedRoot(keeping, folders: ["d", "d/e"])
        for number in 0..<20 { try fixture.make("d/e/\(number)", as: Users.bob) }
        try fixture.make("d/e/ada", as: Users.ada)
        try fixture.files.link("d/e/ada", to: "d/ada")
        #expect(rename(fixture / "d/e/ada", fixture / "d/e/hidden") == 0)
        let passed = Locked(0)
        let visit = WipeVisit { event in
            guard case .passed = event else { return }
            let count = passed.next()
            // So that the test ends if the walk never does.
            if count > 400 { return }
            let isOdd = count % 2 == 1
            // Also files that were created since, and are moved to where the walk meets them.
            try? fixture.files.makeDirectory("new")
            try? fixture.files.move("new", to: "made")
            try? fixture.files.move(isOdd ? "d" : "m", to: isOdd ? "m" : "d")
        }
        try fixture.files.removeFiles(of: Users.ada, visit)
        #expect(!fixture.names.contains { $0.hasSuffix("ada") || $0.hasSuffix("hidden") })
        #expect(passed.withLock { $0 } < 100)
    }
}
