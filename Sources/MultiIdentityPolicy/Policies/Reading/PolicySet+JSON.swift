import MultiIdentity

extension PolicySet {
    /// The version of the format that is read.
    static let version = "1"

    /// The maximum size of a text, which is enough for policies of some 10,000 identities.
    static let maximumByteCount = 8 << 20

    /// Reads a set of policies from JSON; a text with any error is refused as a whole.
    ///
    /// - Parameter json: The text, in UTF-8, of at most 8 MiB.
    /// - Throws: ``PolicyError`` with the problem, its line and its keys.
    /// - Complexity: O(*n*) time and memory in the length of the text.
    public init(json: some Collection<UInt8>) throws(PolicyError) {
        do { try self.init(text: json) } catch { throw PolicyError(error) }
    }

    package init(text json: some Collection<UInt8>) throws(PolicyTextError) {
        guard json.count <= Self.maximumByteCount else {
            throw PolicyTextError(
                .tooLarge,
                line: 1,
                "The text has \(json.count) bytes, but at most \(Self.maximumByteCount) are read. Check that it is the policy text."
            )
        }
        let text = try JSONReader(json)
        let members = try text.members("version", "allowedAccounts", "standard", "identities")
        guard let version = members["version"] else {
            throw text.error(.missingKey, "The version is missing. Write \"version\": \(Self.version).")
        }
        guard version.value.kind == .number else { throw version.wrongType("a number") }
        let number = try version.value.number()
        guard number == Self.version else {
            throw version.error(
                .unsupportedVersion,
                "This release reads version \(Self.version), and this is \(number). Update this package or the text."
            )
        }
        self.init()
        if let accounts = members["allowedAccounts"], accounts.value.kind != .null {
            allowedAccounts = try accounts.identities()
        }
        standard = try members["standard"].map { (reader) throws(PolicyTextError) in try Policy(reader) }
        try members["identities"]?.allMembers { (key, line, reader) throws(PolicyTextError) in
            let identity = try reader.identity(named: key, line: line)
            if let index = policies.index(forKey: identity) { throw reader.duplicate(of: policies[index].key) }
            policies[identity] = try Policy(reader)
        }
    }
}

extension Policy {
    init(_ reader: JSONReader) throws(PolicyTextError) {
        let members = try reader.members(
            "saveTo",
            "openFrom",
            "shareWith",
            "receiveFrom",
            "log",
            "sendOut",
            "notify",
            "automate"
        )
        self.init()
        if let places = members["saveTo"] { saveTo = try PlaceRules(places, hasDeviceInput: false) }
        if let places = members["openFrom"] { openFrom = try PlaceRules(places, hasDeviceInput: true) }
        if let rule = members["shareWith"] { shareWith = try IdentityRule(rule) }
        if let rule = members["receiveFrom"] { receiveFrom = try IdentityRule(rule) }
        if let rule = members["log"] { log = try rule.bool() }
        if let rule = members["sendOut"] { sendOut = try rule.bool() }
        if let rule = members["notify"] {
            notify = try rule.word([
                "nothing": .nothing, "withoutDetails": .withoutDetails, "everything": .everything,
            ])
        }
        if let rule = members["automate"] { automate = try rule.bool() }
    }
}

extension PlaceRules {
    init(_ reader: JSONReader, hasDeviceInput: Bool) throws(PolicyTextError) {
        if reader.value.kind == .string {
            self = try reader.word(["nowhere": .nowhere, "anywhere": .anywhere])
            return
        }
        let members =
            hasDeviceInput
            ? try reader.members("localStorage", "ownDocuments", "services", "spaces", "other", "deviceInput")
            : try reader.members("localStorage", "ownDocuments", "services", "spaces", "other")
        self.init()
        if let rule = members["localStorage"] { localStorage = try rule.bool() }
        if let rule = members["ownDocuments"] { ownDocuments = try rule.bool() }
        if let rule = members["spaces"] { spaces = try IdentityRule(rule) }
        if let rule = members["deviceInput"] { deviceInput = try rule.bool() }
        if let rule = members["other"] { other = try rule.bool() }
        try members["services"]?.allMembers { (key, line, reader) throws(PolicyTextError) in
            let name: ServiceName
            do throws(PolicyError) {
                name = try ServiceName(key)
            } catch {
                throw PolicyTextError(.invalidServiceName, line: line, keyPath: reader.keyPath, error.message)
            }
            if services[name] != nil {
                throw PolicyTextError(
                    .duplicateKey,
                    line: line,
                    keyPath: reader.keyPath,
                    "The service \(name) occurs twice: names are compared without case. Keep one of them."
                )
            }
            services[name] = try reader.word([
                "refused": .refused, "ownAccount": .ownAccount, "anyAccount": .anyAccount,
            ])
        }
    }
}

extension IdentityRule {
    init(_ reader: JSONReader) throws(PolicyTextError) {
        if reader.value.kind == .array {
            self = .only(try reader.identities())
        } else if reader.value.kind == .string {
            self = try reader.word(["none": .noOne, "managed": .managed, "anyone": .anyone])
        } else {
            throw reader.wrongType("\"none\", \"managed\", \"anyone\" or an array of names")
        }
    }
}
