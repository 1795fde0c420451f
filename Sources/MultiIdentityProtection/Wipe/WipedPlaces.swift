import MultiIdentityFiles

/// The places of accounts' data in the program that wiped: the names of its storages, and whether it had keys.
///
/// A later run that knows of fewer would take a wipe for complete that has left files and keys there.
struct WipedPlaces: Equatable {
    var storages: [String] = []
    var hasKeys = false

    mutating func add(_ others: WipedPlaces) {
        storages += others.storages.filter { !storages.contains($0) }
        hasKeys = hasKeys || others.hasKeys
    }
}

extension IdentityWipe {
    var places: WipedPlaces { WipedPlaces(storages: storages.map(\.storageName), hasKeys: keys != nil) }
}
