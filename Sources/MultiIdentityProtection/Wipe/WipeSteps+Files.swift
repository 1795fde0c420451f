import MultiIdentity
import MultiIdentityFiles

extension WipeSteps {
    /// Has each storage remove the files, or sees whether the handler did.
    func removeFiles() async {
        guard await note(.phase(.removing)) else { return }
        let isHandled = handled == .removed
        failForMissingStorages()
        await wipe.turns.take()
        defer { wipe.turns.give() }
        await timed(.removing) {
            for storage in wipe.storages {
                await WipeThread.yielding(wipe.pace) { [self] in
                    if isHandled { look(storage) } else { Self.visit(storage, tally, .removedFiles) }
                }
            }
        }
    }

    /// A storage of an earlier run that this program does not have may hold files still.
    private func failForMissingStorages() {
        let names = wipe.places.storages
        for name in journal.history.places.storages where !names.contains(name) {
            let reason = "the wipe began with this storage, which is not here. Resume it in a program that has it."
            tally.fail(WipeFailure(name, because: reason))
        }
    }

    /// Sees whether the handler removed all, as it said; what the storage noted of the files goes then.
    private func look(_ storage: any WipedStorage) {
        let failures = tally.failureCount
        Self.visit(storage, tally, .forgottenFiles)
        if tally.failureCount == failures { Self.visit(storage, tally, .removedFiles) }
    }

    /// Goes through a storage, and counts what is met.
    static func visit(_ storage: any WipedStorage, _ tally: WipeTally, _ counting: WipeVisited) {
        do throws(WipeFailure) {
            let visit = tally.visit(counting: counting)
            switch counting {
            case .removedFiles: try storage.removeFiles(of: tally.identity, visit)
            case .foundFiles, .forgottenFiles: try storage.files(of: tally.identity, visit)
            }
        } catch {
            tally.fail(WipeFailure("\(storage.storageName): \(error.subject)", because: error.reason))
        }
    }
}
