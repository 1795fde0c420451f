import MultiIdentityPolicy
import Testing

@Suite("Overlapping readings of a file", .rule("8.6")) struct PolicyReadingsTests {
    private let folder = TemporaryFolder()

    @Test("count by their beginning: the last one wins, whichever ends last") func overtaken() throws {
        try folder.replace("a", "one")
        try folder.replace("b", "another")
        let (one, another) = (FileFingerprint(path: folder / "a"), FileFingerprint(path: folder / "b"))
        #expect(one != nil && one != another)
        var readings = PolicyReadings()
        #expect(readings.look(one) == .read)
        let (first, second) = (readings.begin(), readings.begin())
        let countsSecond = readings.end(second, another, nil)
        let countsFirst = readings.end(first, one, nil)
        #expect(countsSecond)
        #expect(!countsFirst)
        #expect(readings.look(another) == .known)
        #expect(readings.look(one) == .read)
        #expect(readings.look(nil) == .read)
    }

    @Test("try again what the system refuses to read, whatever the file's state") func triedAgain() throws {
        let missing = try #require(#expect(throws: PolicyError.self) { try PolicyFile(folder / "nowhere") })
        var readings = PolicyReadings()
        let number = readings.begin()
        let counts = readings.end(number, nil, missing)
        #expect(counts)
        #expect(readings.problem == missing)
        #expect(readings.look(nil) == .tryAgain(known: missing))
    }
}
