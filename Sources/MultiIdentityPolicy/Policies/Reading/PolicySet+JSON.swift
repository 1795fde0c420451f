import MultiIdentity

extension PolicySet {
    /// The version of the format that is read.
    static let version = "1"

    /// Reads a set of policies from JSON, whole or not at all.
    ///
    /// - Parameter json: The text, in UTF-8.
    /// - Throws: ``PolicyTextError`` that says what is wrong with it, on which line, and the keys that lead there.
    /// - Complexity: O(*n*) in the length of the text.
    public init(json: some Collection<UInt8>) throws(PolicyTextError) {
        let text = PolicyReader(value: try JSONParser.parse(Array(json)), keyPath: "")
        let members = try text.members("version", "allowedAccounts", "standard", "identities")
        guard let version = members["version"] else {
            throw text.error(.missingKey, "The version is missing. Write \"version\": \(Self.version).")
        }
        guard case .number(let number) = version.value.content else { throw version.wrongType("a number") }
        guard number == Self.version else {
            throw version.error(
                .unsupportedVersion,
                "This release reads version \(Self.version), and this is \(number). Update either."
            )
        }
        self.init()
        if let accounts = members["allowedAccounts"], accounts.value.content != .null {
            allowedAccounts = try accounts.identities()
        }
        standard = try members["standard"].map { (reader) throws(PolicyTextError) in try Policy(reader) }
        for member in try members["identities"]?.allMembers() ?? [] {
            let identity = try member.reader.identity(named: member.key, line: member.line)
            if let index = policies.index(forKey: identity) { throw member.reader.duplicate(of: policies[index].key) }
            policies[identity] = try Policy(member.reader)
        }
    }
}

extension Policy {
    init(_ reader: PolicyReader) throws(PolicyTextError) {
        let members = try reader.members("saveTo", "openFrom", "shareWith", "receiveFrom", "log", "sendOut")
        self.init()
        if let places = members["saveTo"] { saveTo = try PlaceRules(places, hasDeviceInput: false) }
        if let places = members["openFrom"] { openFrom = try PlaceRules(places, hasDeviceInput: true) }
        if let rule = members["shareWith"] { shareWith = try IdentityRule(rule) }
        if let rule = members["receiveFrom"] { receiveFrom = try IdentityRule(rule) }
        if let rule = members["log"] { log = try rule.bool() }
        if let rule = members["sendOut"] { sendOut = try rule.bool() }
    }
}

extension PlaceRules {
    init(_ reader: PolicyReader, hasDeviceInput: Bool) throws(PolicyTextError) {
        if case .string = reader.value.content {
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
        for member in try members["services"]?.allMembers() ?? [] {
            let name: ServiceName
            do {
                name = try ServiceName(member.key)
            } catch {
                throw PolicyTextError(
                    .invalidServiceName,
                    line: member.line,
                    keyPath: member.reader.keyPath,
                    error.message
                )
            }
            if services[name] != nil {
                throw PolicyTextError(
                    .duplicateKey,
                    line: member.line,
                    keyPath: member.reader.keyPath,
                    "The service \(name) is there already: names are compared without case. Keep one of them."
                )
            }
            services[name] = try member.reader.word([
                "refused": .refused, "ownAccount": .ownAccount, "anyAccount": .anyAccount,
            ])
        }
    }
}

extension IdentityRule {
    init(_ reader: PolicyReader) throws(PolicyTextError) {
        if case .array = reader.value.content {
            self = .only(try reader.identities())
        } else if case .string = reader.value.content {
            self = try reader.word(["none": .noOne, "managed": .managed, "anyone": .anyone])
        } else {
            throw reader.wrongType("\"none\", \"managed\", \"anyone\" or an array of names")
        }
    }
}
