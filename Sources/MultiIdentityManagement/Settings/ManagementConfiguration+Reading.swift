import MultiIdentity
import MultiIdentityPolicy

extension ManagementConfiguration {
    /// The key of the settings in a JSON text.
    @_spi(Settings) public static let section = "multiIdentity"

    /// Reads the settings of a text's section, which override the earlier ones.
    mutating func read(_ json: some Collection<UInt8>, _ path: String) throws(ManagementError) {
        let (section, strays) = try Self.section(of: json, path)
        try Self.reading(path) { () throws(PolicyTextError) in
            try section?.allMembers { (key, line, reader) throws(PolicyTextError) in
                if let setting = ManagementSetting(rawValue: key) {
                    return try take(setting, reader, from: Place(source: .file, text: "\(path): line \(line)"))
                }
                let near = NearestWord.nearest(to: key, among: ManagementSetting.allCases.map(\.rawValue))
                warnings.append("\(path): line \(line): \(Self.unknown(key, near: near))")
            }
        }
        for (setting, line) in strays where setting.map({ source(of: $0) }) != .file {
            let advice =
                setting.map { "\"\($0)\" has no effect outside \"\(Self.section)\". Move it into that section." }
                ?? "\"\(Self.section)\" has no effect inside another member. Move it to the top."
            warnings.append("\(path): line \(line): \(advice)")
        }
    }

    /// Reads the settings of variables, which override earlier ones; only near misses warn, since others may share the prefix.
    mutating func read(_ environment: [String: String]) throws(ManagementError) {
        let prefix = ManagementSetting.variablePrefix
        let known = Dictionary(uniqueKeysWithValues: ManagementSetting.allCases.map { ($0.variable, $0) })
        let endings = known.keys.sorted().map { String($0.dropFirst(prefix.count)) }
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(prefix) {
            if let setting = known[name] {
                let json = setting.kind.isText ? JSONText.quoted(text) : Array(text.utf8)
                do { try take(setting, JSONReader(json), from: Place(source: .environment, text: name)) } catch {
                    let words = setting.kind.words
                    throw ManagementError(
                        .wrongValue,
                        "The environment variable \(name) must be \(words). Change it there."
                    )
                }
            } else if let near = NearestWord.nearest(to: String(name.dropFirst(prefix.count)), among: endings) {
                warnings.append(Self.unknown(name, near: prefix + near))
            }
        }
    }

    private static func unknown(_ key: String, near: String?) -> String {
        let advice = near.map { "Did you mean \($0)?" } ?? "Remove it."
        return "\(EscapedText(key).quoted) is not a setting and has no effect. \(advice)"
    }

    /// Returns the section of a text, if any, and what has no effect: settings outside it, and nested sections (`nil`).
    static func section(
        of json: some Collection<UInt8>,
        _ path: String
    ) throws(ManagementError) -> (section: JSONReader?, strays: [(setting: ManagementSetting?, line: Int)]) {
        guard json.count <= PolicyFile.maximumSize else {
            throw ManagementError(
                .malformedText,
                "\(path) has \(json.count) bytes, but at most \(PolicyFile.maximumSize) are read. Check that it is the settings file."
            )
        }
        var (section, miss) = (JSONReader?.none, (key: String, line: Int)?.none)
        var strays: [(setting: ManagementSetting?, line: Int)] = []
        try reading(path) { () throws(PolicyTextError) in
            try JSONReader(json).allMembers { (key, line, reader) throws(PolicyTextError) in
                if key == Self.section {
                    section = reader
                } else if isNearSection(key) {
                    miss = (key, line)
                } else if let setting = ManagementSetting(rawValue: key) {
                    strays.append((setting, line))
                } else if reader.value.kind == .object {
                    try reader.allMembers { (key, line, _) throws(PolicyTextError) in
                        if key == Self.section { strays.append((nil, line)) }
                    }
                }
            }
        }
        guard let miss else { return (section, strays) }
        throw ManagementError(
            .malformedText,
            "\(path): line \(miss.line): \(EscapedText(miss.key).quoted) is not a section of settings, and its content would be ignored. Did you mean \(Self.section)?"
        )
    }

    /// Returns whether a key is a misspelled section name: nearly the name, a longer one, or Intune's.
    private static func isNearSection(_ key: String) -> Bool {
        let letters = key.lowercased().filter(\.isLetter)
        return letters.contains(section.lowercased()) || letters.hasPrefix("intunemam")
            || NearestWord.nearest(to: key, among: [section]) != nil
    }

    /// Runs `body`, and converts its error to one that quotes nothing of the text.
    static func reading(
        _ path: String,
        _ body: () throws(PolicyTextError) -> Void
    ) throws(ManagementError) {
        do { try body() } catch {
            let place = "\(path): line \(error.line)" + (error.keyPath.isEmpty ? "" : ", \(error.keyPath)")
            guard error.code == .wrongType else {
                throw ManagementError(.malformedText, "\(place): \(error.code). Correct the JSON there.")
            }
            throw ManagementError(.wrongValue, "\(place): \(error.message)")
        }
    }
}
