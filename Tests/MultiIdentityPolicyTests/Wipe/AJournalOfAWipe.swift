import Foundation
import MultiIdentity
import MultiIdentityFiles
import MultiIdentityProtection
@_spi(Checks) import MultiIdentityTesting
import Testing

@Suite("A journal of a wipe", .rule("13.5")) struct AJournalOfAWipe {
    let folder = TemporaryFolder()
    let scene: WipeScene

    init() throws { scene = try WipeScene(folder.path) }

    private struct Interruption: Error {}

    /// Leaves a journal of an interrupted wipe behind.
    private func interrupted(_ identity: Identity) async throws -> String {
        let before = Set(scene.journalNames)
        _ = try await scene.wipe { _ in throw Interruption() }.wipe(identity)
        return try #require(Set(scene.journalNames).subtracting(before).first)
    }

    private func change(_ name: String, _ change: (inout Data) -> Void) throws {
        let url = URL(fileURLWithPath: scene.journals + "/" + name)
        var data = try Data(contentsOf: url)
        change(&data)
        try data.write(to: url)
    }

    private func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test(
        "has a safe name, whatever the account is called",
        arguments: [
            "../../etc/passwd@contoso.com", "a/b@contoso.com", ".@contoso.com",
            String(repeating: "x", count: 1_000) + "@contoso.com",
        ]
    )
    func isNamedByNothingThatAnAccountIsCalled(_ name: String) async throws {
        let ada = Users.named(name)
        _ = try await scene.wipe(storages: []) { _ in throw Interruption() }.wipe(ada)
        let file = try #require(scene.journalNames.first)
        #expect(file.utf8.count == 64 + ".wipe".utf8.count)
        #expect(file.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) || $0 == 46 })
        #expect(scene.journalNames.count == 1)
        // Another spelling has the same journal.
        #expect(
            try await scene.wipe(storages: []).wipe(
                Identity(name.uppercased().replacingOccurrences(of: "@CONTOSO.COM", with: "@contoso.com"))
            ).runs == 2
        )
    }

    @Test("is ours alone") func isOursAlone() async throws {
        _ = try await interrupted(scene.account())
        for (path, mode) in [(scene.journals, 0o700), ("\(scene.journals)/\(scene.journalNames[0])", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test("is not kept where others have access", arguments: [0o755, 0o770, 0o701])
    func isNotKeptWhereOthersComeTo(
        _ mode: Int
    ) async throws {
        try FileManager.default.createDirectory(atPath: scene.journals, withIntermediateDirectories: true)
        try setMode(mode, scene.journals)
        expect(throws: ProtectionError.Code.unsafeFile) { try scene.wipe() }
    }

    @Test("is not kept in a file or behind a link") func isNotKeptInAFileOrBehindALink() throws {
        folder.write("", to: "wipes")
        #expect(throws: ProtectionError.self) { try scene.wipe() }
        try FileManager.default.removeItem(atPath: scene.journals)
        try FileManager.default.createSymbolicLink(atPath: scene.journals, withDestinationPath: scene.documents.path)
        expect(throws: ProtectionError.Code.unsafeFile) { try scene.wipe() }
    }

    @Test("that others can write is not trusted") func thatOthersCanWriteIsNotBelieved() async throws {
        let ada = scene.account()
        let name = try await interrupted(ada)
        try setMode(0o644, "\(scene.journals)/\(name)")
        let wipe = try scene.wipe()
        #expect(try await wipe.status().map(\.state) == [.unreadable])
        #expect(try await wipe.resume().map(\.state) == [.unreadable])
        await expect(throws: ProtectionError.Code.unsafeFile) { try await wipe.wipe(ada) }
        #expect(scene.journalNames == [name])
        #expect(scene.keys.has(ada))
    }

    @Test("without a readable record is set aside, and other wipes are still completed")
    func thatTellsNothingIsPutAsideAndKeepsNoOtherFromBeingEnded() async throws {
        let (ada, bob) = (scene.account(), scene.account())
        let name = try await interrupted(ada)
        _ = try await interrupted(bob)
        try change(name) { data in for index in 16..<data.count { data[index] = 0xFF } }
        let wipe = try scene.wipe()
        let statuses = try await wipe.resume()
        #expect(statuses.map(\.state) == [.unreadable, .complete])
        #expect(statuses[0].failure?.subject.hasSuffix(".damaged") == true)
        #expect(statuses[1].identity == bob)
        #expect(scene.isGone(bob))
        #expect(scene.keys.has(ada))
        #expect(try await wipe.status().map(\.state) == [.complete, .unreadable])
        let report = try await wipe.wipe(ada)
        #expect(report.isComplete && report.runs == 1 && scene.isGone(ada))
    }

    @Test("that is damaged somewhere never means another account", arguments: 0..<20)
    func thatIsDamagedSomewhereNeverMeansAnybodyElse(_ seed: UInt64) async throws {
        let (ada, bob) = (scene.account(), scene.account())
        let name = try await interrupted(ada)
        var generator = SeededGenerator(seed: seed)
        var places: [Int] = []
        try change(name) { data in
            for _ in 0...seed % 4 {
                let place = Int.random(in: 0..<data.count, using: &generator)
                places.append(place)
                data[place] ^= UInt8.random(in: 1...255, using: &generator)
            }
            if seed % 5 == 0 { data.removeLast(Int.random(in: 1..<data.count, using: &generator)) }
        }
        let statuses = try await scene.wipe().resume()
        for status in statuses where status.identity != nil { #expect(status.identity == ada, "bytes \(places)") }
        #expect(scene.isUntouched(bob), "bytes \(places)")
        #expect(!IdentityRevocation.isRevoked(bob))
        #expect(try await scene.wipe().wipe(ada).isComplete, "bytes \(places)")
        #expect(scene.isGone(ada))
    }

    @Test("is still read if its header or first record is damaged")
    func isStillReadWhereItsHeaderOrFirstRecordIsDamaged() async throws {
        for place in [0, 16, 40] {
            let ada = scene.account()
            let name = try await interrupted(ada)
            try change(name) { $0[place] ^= 0xFF }
            let report = try #require(try await scene.wipe().resume().first?.report)
            #expect(report.identity == ada)
            #expect(report.isComplete)
            #expect(report.journalDamage == 1)
        }
    }

    @Test("that was given another's name is not followed") func thatWasGivenAnothersNameIsNotFollowed() async throws {
        let (ada, bob) = (scene.account(), scene.account())
        let name = try await interrupted(ada)
        let other = try await interrupted(bob)
        let wipes = URL(fileURLWithPath: scene.journals)
        try FileManager.default.removeItem(at: wipes.appendingPathComponent(other))
        try FileManager.default.moveItem(
            at: wipes.appendingPathComponent(name),
            to: wipes.appendingPathComponent(other)
        )
        let statuses = try await scene.wipe().resume()
        #expect(statuses.map(\.state) == [.unreadable])
        #expect(scene.keys.has(ada) && scene.keys.has(bob))
        // Nor when the other account's wipe is requested.
        try FileManager.default.moveItem(
            at: wipes.appendingPathComponent(try #require(scene.journalNames.first)),
            to: wipes.appendingPathComponent(other)
        )
        #expect(try await scene.wipe().wipe(bob).runs == 1)
        #expect(scene.keys.has(ada))
    }

    @Test("of a later version is left alone") func ofALaterVersionIsLeftAlone() async throws {
        let ada = scene.account()
        let name = try await interrupted(ada)
        let path = "\(scene.journals)/\(name)"
        try FileManager.default.removeItem(atPath: path)
        _ = try RecordLog.open(path, RecordLogFormat(magic: "MIWIPING", version: 2)) { _ in }
        let wipe = try scene.wipe()
        #expect(try await wipe.resume().map(\.state) == [.unreadable])
        await expect(throws: ProtectionError.Code.futureVersion) { try await wipe.wipe(ada) }
        #expect(scene.journalNames == [name])
    }

    @Test("leaves no name behind once its report is discarded")
    func leavesNoNameBehindOnceItsReportIsDiscarded() async throws {
        let ada = scene.account()
        let wipe = try scene.wipe()
        _ = try await wipe.wipe(ada)
        #expect(try await wipe.status().first?.report?.isComplete == true)
        try await wipe.discardReport(of: ada)
        #expect(scene.journalNames.isEmpty)
        #expect(try await wipe.status().isEmpty)
        await expect(throws: ProtectionError.Code.notFound) { try await wipe.discardReport(of: ada) }
    }

    @Test("keeps its account revoked if a readmission could not be recorded")
    func keepsItsAccountRevokedWhereAReadmissionCouldNotBeNoted() async throws {
        let ada = scene.account()
        let wipe = try scene.wipe()
        #expect(try await wipe.wipe(ada).isComplete)
        for isNoted in [false, true] {
            let faults = StorageFaults(isNoted ? .none : .failAll(fromCall: 1, with: EIO))
            #expect(faults.during { IdentityRevocation.readmit(ada, after: .wiped) })
            #expect(!faults.calls.isEmpty)
            // As the next process does.
            _ = try scene.wipe()
            #expect(IdentityRevocation.isRevoked(ada) == !isNoted)
        }
        withExtendedLifetime(wipe) {}
    }

    @Test("of an unfinished wipe is no report to discard")
    func ofAnUnfinishedWipeIsNoReportToBeDiscarded() async throws {
        let ada = scene.account()
        let name = try await interrupted(ada)
        let wipe = try scene.wipe()
        await #expect(throws: ProtectionError.self) { try await wipe.discardReport(of: ada) }
        #expect(scene.journalNames == [name])
    }
}
