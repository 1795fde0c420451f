import CSystemCalls

/// The folders in which a name decides which file a path leads to: that of the file, and that of each link in the path.
///
/// A mounted configuration map replaces none of its files: it changes a link that their paths lead through.
enum LinkChain {
    static func folders(of path: String) -> [String] {
        var folders: [String] = []
        var rest = path.split(separator: "/").map(String.init)
        var folder = path.hasPrefix("/") ? "/" : "."
        var followed = 0
        while !rest.isEmpty {
            let name = rest.removeFirst()
            let next = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            if let target = target(ofLink: next), followed < 40 {
                followed += 1
                if !folders.contains(folder) { folders.append(folder) }
                rest = target.split(separator: "/").map(String.init) + rest
                if target.hasPrefix("/") { folder = "/" }
            } else {
                if rest.isEmpty, !folders.contains(folder) { folders.append(folder) }
                folder = next
            }
        }
        return folders
    }

    private static func target(ofLink path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
