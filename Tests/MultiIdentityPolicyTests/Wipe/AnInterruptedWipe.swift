import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityFiles
@testable import MultiIdentityProtection

@Suite("An interrupted wipe", .rule("13.4"), .timeLimit(.minutes(20))) struct AnInterruptedWipe {
    let folder = TemporaryFolder()

    /// Returns the identity that a scene wipes, and one that must stay as it is.
    private static func actors(_ folder: String, _ number: Int) -> (Identity, Identity) {
        let id = folder.split(separator: "-").last ?? ""
        return (Users.named("ada\(number)-\(id)@contoso.com"), Users.named("bob\(number)-\(id)@contoso.com"))
    }

    #if compiler(>=6.3)  // an exit test that captures
    @Test("is refused or resumed if a call fails", arguments: [ENOSPC, EIO])
    func isRefusedOrTakenUpAgainWhereACallFails(_ code: Int32) async throws {
        await #expect(processExitsWith: .success) { [path = folder.path as String, code = code as Int32] in
            var number = 1
            while try await Self.wipes(path, failingAtCall: number, with: code) { number += 1 }
            #expect(number > 15)
        }
    }
    #endif

    /// Wipes one account while a call fails for the whole process, and then once more.
    /// - Returns: Whether there was a call with that number.
    private static func wipes(_ path: String, failingAtCall number: Int, with code: Int32) async throws -> Bool {
        let (ada, bob) = actors(path, number)
        let scene = try WipeScene("\(path)/\(number)")
        scene.fill(ada)
        scene.fill(bob)
        let wipe = try scene.wipe()
        let faults = StorageFaults(.fail(atCall: number, with: code), lacking: .powerCuts)
        faults.install()
        do throws(ProtectionError) {
            let report = try await wipe.wipe(ada)
            #expect(IdentityRevocation.isRevoked(ada))
            // What could not be recorded was not done.
            let done = Set(report.seconds.keys).intersection([.handling, .removing, .destroyingKeys])
            #expect(done.isSubset(of: notedPhases(scene.journals)), "call \(number)")
            // No report says that everything is done unless it is, and is on the disk.
            if report.isComplete {
                #expect(scene.isGone(ada))
                #expect(try await statesOfAll(wipe) == [.complete], "call \(number)")
            }
            if !report.isComplete { #expect(!IdentityRevocation.readmit(ada, after: .wiped)) }
            if scene.files(of: ada) > 0 { #expect(scene.keys.has(ada)) }
        } catch {
            #expect(error.code == (code == ENOSPC ? .noSpace : .systemCall))
            #expect(scene.isUntouched(ada))
            #expect(!IdentityRevocation.isRevoked(ada))
        }
        let hasFailed = faults.calls.count >= number
        StorageFaults(lacking: .powerCuts).install()
        let report = try await wipe.wipe(ada)
        #expect(report.isComplete, "call \(number)")
        #expect(scene.isGone(ada))
        #expect(try await wipe.status().map(\.state) == [.complete])
        #expect(scene.isUntouched(bob))
        return hasFailed
    }

    @Test("is completed even if the account has left since") func isEndedThoughTheAccountIsGoneSince() async throws {
        let scene = try WipeScene(folder.path)
        let ada = scene.account()
        let isBroken = Locked(true)
        do {
            let wipe = try scene.wipe { _ in
                if isBroken.withLock({ $0 }) { throw POSIXError(.EIO) } else { .notRemoved }
            }
            _ = try await wipe.wipe(ada)
        }
        isBroken.withLock { $0 = false }
        scene.left.withLock { _ = $0.insert(ada) }
        let wipe = try scene.wipe { _ in .notRemoved }
        let report = try #require(try await wipe.resume().first?.report)
        #expect(report.isComplete)
        #expect(!report.wasManaged)
        #expect(scene.isGone(ada))
        // Until the account is readmitted, a wipe can be requested again; afterwards the name is unknown.
        #expect(try await wipe.wipe(ada).files == 0)
        #expect(IdentityRevocation.readmit(ada, after: .wiped))
        await expect(throws: ProtectionError.Code.notManaged) { try await wipe.wipe(ada) }
    }

    @Test("is completed by a new request as well") func isEndedByWhoAsksForItAnewToo() async throws {
        let scene = try WipeScene(folder.path)
        let ada = scene.account()
        _ = try await scene.wipe { _ in throw POSIXError(.EIO) }.wipe(ada)
        scene.left.withLock { _ = $0.insert(ada) }
        let report = try await scene.wipe().wipe(ada)
        #expect(report.isComplete)
        #expect(report.runs == 2)
    }

    #if compiler(>=6.3)  // an exit test that captures
    @Test("keeps its account revoked from the start of the next process")
    func keepsItsAccountRevokedFromTheStartOfTheNextProcess() async throws {
        let path = folder.path
        let scene = try WipeScene(path)
        let ada = scene.account()
        _ = try await scene.wipe { _ in throw POSIXError(.EIO) }.wipe(ada)
        await #expect(processExitsWith: .success) { [path = path as String, name = ada.name as String] in
            let ada = try Identity(name)
            try IdentityRevocation.admit(ada)
            let wipe = try WipeScene(path).wipe()
            expect(throws: IdentityError.Code.revoked) { try IdentityRevocation.admit(ada) }
            #expect(!IdentityRevocation.readmit(ada, after: .wiped))
            #expect(try await wipe.resume().map(\.state) == [.complete])
            #expect(IdentityRevocation.readmit(ada, after: .wiped))
        }
        #expect(scene.isGone(ada))
    }
    #endif

    @Test("reports everything that it removed before and after")
    func reportsAllThatItRemovedBeforeAndAfter() async throws {
        let ada = Users.named("\(UUID())@contoso.com")
        let stubborn = try WipeScene(folder.path, stubborn: [ada.name + "~1"])
        stubborn.fill(ada)
        #expect(try await stubborn.wipe().wipe(ada).files == 4)
        let report = try #require(try await WipeScene(folder.path).wipe().resume().first?.report)
        #expect(report.files == 5)
        #expect(report.bytes == 40)
        #expect(report.isCountExact)
        #expect(report.runs == 2)
    }

    @Test("is not complete if the program that continues it lacks a storage or the keys")
    func missingPlaces() async throws {
        let scene = try WipeScene(folder.path)
        let ada = scene.account()
        #expect(try await !scene.wipe(handler: { _ in throw POSIXError(.EIO) }).wipe(ada).isComplete)

        let withoutStorage = try scene.wipe(storages: [scene.documents])
        let first = try #require(try await withoutStorage.resume().first?.report)
        #expect(!first.isComplete)
        #expect(first.failures.map(\.subject) == [scene.caches.storageName])
        #expect(scene.keys.has(ada))

        let withoutKeys = try scene.wipe(hasKeys: false)
        let second = try #require(try await withoutKeys.resume().first?.report)
        #expect(!second.isComplete)
        #expect(second.failures.count == 1)

        let third = try #require(try await scene.wipe().resume().first?.report)
        #expect(third.isComplete)
        #expect(scene.files(of: ada) == 0 && !scene.keys.has(ada))
    }
}

/// Returns the phases that the journals in a folder record.
private func notedPhases(_ journals: String) -> Set<WipePhase> {
    var phases: Set<WipePhase> = []
    for name in (try? FileManager.default.contentsOfDirectory(atPath: journals)) ?? [] {
        var scan = RecordLogScan()
        guard let file = try? OpenFile.open("\(journals)/\(name)", .reading) else { continue }
        try? scan.read(file) { bytes in
            if case .phase(let phase) = (try? WipeRecord.read(bytes))?.record { phases.insert(phase) }
        }
    }
    return phases
}

/// Returns the state of each wipe, in a form that a closure with typed errors can use.
private func statesOfAll(_ wipe: IdentityWipe) async throws(ProtectionError) -> [IdentityWipe.Status.State] {
    try await wipe.status().map(\.state)
}
