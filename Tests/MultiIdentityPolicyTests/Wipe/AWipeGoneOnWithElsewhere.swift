import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy
import MultiIdentityProtection
import Testing

@Suite("A wipe that another program goes on with") struct AWipeGoneOnWithElsewhere {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Interruption: Error {}

    @Test("is not complete where that one lacks a storage or the keys, until one has them all")
    func missingPlaces() async throws {
        let scene = try WipeScene(folder.path)
        let ada = scene.account()
        #expect(try await !scene.wipe(handler: { _ in throw Interruption() }).wipe(ada).isComplete)

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
