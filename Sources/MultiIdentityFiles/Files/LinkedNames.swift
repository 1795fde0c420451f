/// The names below the root of a file that has more than one.
struct LinkedNames: Sendable {
    struct Name: Sendable {
        let folder: FolderPath
        /// The bytes of the name in the file system, with a NUL at the end.
        let name: [CChar]
        let path: String
        /// The key of the directory, whatever path led there.
        let place: FileKey
    }

    private(set) var names: [Name] = []
    private(set) var size: UInt64 = 0
    /// The number of names that the file has anywhere.
    private(set) var linkCount: UInt64 = 0

    mutating func add(_ name: [CChar], in folder: FolderPath, _ place: FileKey, _ status: FileStatus) {
        size = max(size, status.size)
        linkCount = status.linkCount
        if names.contains(where: { $0.place == place && $0.name == name }) { return }
        names.append(Name(folder: folder, name: name, path: folder.text(of: name), place: place))
    }

    /// Indicates whether some names were not found.
    var isIncomplete: Bool { UInt64(names.count) < linkCount }
}
