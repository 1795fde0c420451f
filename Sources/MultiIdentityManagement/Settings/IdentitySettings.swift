import MultiIdentity
public import MultiIdentityPolicy

/// The settings in force: each from code, an account's override, the environment, a file, or the default; the first that has it counts.
///
/// ```swift
/// let settings = try IdentitySettings(
///     environment: ProcessInfo.processInfo.environment,
///     file: IdentitySettingsFile("/etc/app/settings.json")
/// )
/// for warning in settings.warnings { logger.warning("\(warning)") }
/// let registry = AccountRegistry(accounts: accounts, store: accountStore, service: service, credentials: credentials,
///     settings: settings)
/// ```
public struct IdentitySettings: Sendable {
    /// The member of a file, and the first part of the names of variables, that settings stand in.
    public static let section = "multiIdentity"

    /// The place where a value was set; the first in this order counts.
    public enum Source: Hashable, Sendable, Comparable {
        /// The program itself.
        case code
        /// An account's own value, set at run time.
        case override
        /// An environment variable.
        case environment
        /// A file.
        case file
        /// Nobody set it.
        case standard
    }

    /// A setting in force, and why.
    public struct Explanation: Sendable {
        /// The setting.
        public let setting: IdentitySetting
        /// The value in force; `nil` where there is none.
        public let value: IdentitySetting.Value?
        /// The place that it comes from.
        public let source: Source
        /// The place in words: the variable, or the file and its line.
        public let place: String
        /// The places of values that do not count, since this one does.
        public let hidden: [Source]
    }

    private var layers: [Source: [IdentitySetting: IdentitySetting.Value]]
    private let file: IdentitySettingsFile?
    /// Problems that keep nothing from being in force: keys that mean nothing, in words, with the nearest that do.
    public let warnings: [String]

    /// The settings that count where nobody sets any.
    public static let standard = Self()

    private init() { (layers, file, warnings) = ([:], nil, []) }

    /// The settings of these places.
    ///
    /// - Parameters:
    ///   - code: The values of the program itself.
    ///   - environment: The environment, of which the variables of settings count.
    ///   - file: The file.
    /// - Throws: ``IdentitySettingsError`` where a value is not one that its setting takes.
    public init(
        code: [IdentitySetting: IdentitySetting.Value] = [:],
        environment: [String: String] = [:],
        file: IdentitySettingsFile? = nil
    ) throws(IdentitySettingsError) {
        let (variables, warnings) = try Self.variables(of: environment)
        layers = [
            .code: try Self.taken(code, "the program's code"), .environment: variables, .file: file?.values ?? [:],
        ]
        self.file = file
        self.warnings = (file?.warnings ?? []) + warnings
    }

    /// The settings of one account: these, with its own values.
    ///
    /// - Parameter values: The account's values.
    /// - Returns: The settings.
    /// - Throws: ``IdentitySettingsError`` where a setting can have none, or not this one.
    public func overridden(
        by values: [IdentitySetting: IdentitySetting.Value]
    ) throws(IdentitySettingsError) -> Self {
        for setting in values.keys.sorted(by: { $0.name < $1.name }) { try Self.checkOverridable(setting) }
        var settings = self
        settings.layers[.override] = try Self.taken(values, "an account's override")
        return settings
    }

    static func checkOverridable(_ setting: IdentitySetting) throws(IdentitySettingsError) {
        if setting.isOverridable { return }
        throw IdentitySettingsError(
            .notOverridable,
            "\(setting) is the program's, and no account has its own. Set it in the file or the environment."
        )
    }

    /// The value of a setting that is in force; `nil` where nobody set it, and it has no default.
    ///
    /// - Parameter setting: The setting.
    /// - Returns: The value.
    public func value(of setting: IdentitySetting) -> IdentitySetting.Value? { explanation(of: setting).value }

    /// The value of a setting that is in force, and why it is.
    ///
    /// - Parameter setting: The setting.
    /// - Returns: The explanation.
    public func explanation(of setting: IdentitySetting) -> Explanation {
        let sources = layers.keys.filter { layers[$0]?[setting] != nil }.sorted()
        let source = sources.first ?? .standard
        return Explanation(
            setting: setting,
            value: sources.first.flatMap { layers[$0]?[setting] } ?? setting.standard,
            source: source,
            place: place(of: setting, in: source),
            hidden: Array(sources.dropFirst())
        )
    }

    /// Each setting with its value and why, in the order of ``IdentitySetting/all``.
    public var explanations: [Explanation] { IdentitySetting.all.map { explanation(of: $0) } }

    private func place(of setting: IdentitySetting, in source: Source) -> String {
        switch source {
        case .code: "code"
        case .override: "an override of the account"
        case .environment: setting.variable
        case .file: file?.place(of: setting) ?? ""
        case .standard: "default"
        }
    }

    private static func taken(
        _ values: [IdentitySetting: IdentitySetting.Value],
        _ place: String
    ) throws(IdentitySettingsError) -> [IdentitySetting: IdentitySetting.Value] {
        var taken: [IdentitySetting: IdentitySetting.Value] = [:]
        for (setting, value) in values {
            guard let value = setting.kind.taking(value) else { throw wrongValue(setting, "\(setting) in \(place)") }
            taken[setting] = value
        }
        return taken
    }

    private static func wrongValue(_ setting: IdentitySetting, _ place: String) -> IdentitySettingsError {
        IdentitySettingsError(.wrongValue, "\(place) has to be \(setting.kind.words), and is not. Change it there.")
    }

    /// The settings of the environment; a variable is warned of where it is nearly that of a setting, since others' begin so too.
    private static func variables(
        of environment: [String: String]
    ) throws(IdentitySettingsError) -> ([IdentitySetting: IdentitySetting.Value], warnings: [String]) {
        let prefix = IdentitySetting.variablePrefix
        let known = Dictionary(uniqueKeysWithValues: IdentitySetting.all.map { ($0.variable, $0) })
        let endings = known.keys.sorted().map { String($0.dropFirst(prefix.count)) }
        var values: [IdentitySetting: IdentitySetting.Value] = [:]
        var warnings: [String] = []
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(prefix) {
            if let setting = known[name] {
                guard let value = setting.kind.value(ofVariable: text) else {
                    throw wrongValue(setting, "The environment variable \(name)")
                }
                values[setting] = value
            } else if let near = NearestWord.nearest(to: String(name.dropFirst(prefix.count)), among: endings) {
                warnings.append(IdentitySettingsFile.unknown(name, near: prefix + near))
            }
        }
        return (values, warnings)
    }
}

extension IdentitySettings.Explanation: CustomStringConvertible {
    /// The name, the value unless it is a secret, and where it comes from.
    public var description: String {
        let shown = setting.isSecret ? "not shown" : value.map { "\($0)" } ?? "none"
        let others = hidden.isEmpty ? "" : ", before \(hidden.map { "\($0)" }.joined(separator: " and "))"
        return "\(setting.name) = \(shown) (\(place)\(others))"
    }
}

extension IdentitySettings {
    /// The value of ``IdentitySetting/mode``.
    public var mode: AccountsMode {
        AccountsMode.allCases.first { "\($0)" == text(.mode) } ?? .multi
    }
    /// The value of ``IdentitySetting/authority``.
    public var authority: String? { text(.authority) }
    /// The value of ``IdentitySetting/clientID``.
    public var clientID: String? { text(.clientID) }
    /// The value of ``IdentitySetting/redirectURI``.
    public var redirectURI: String? { text(.redirectURI) }

    func isOn(_ setting: IdentitySetting) -> Bool { value(of: setting) == .boolean(true) }

    func text(_ setting: IdentitySetting) -> String? {
        if case .text(let text) = value(of: setting) { text } else { nil }
    }

    func texts(_ setting: IdentitySetting) -> [String] {
        if case .texts(let texts) = value(of: setting) { texts } else { [] }
    }
}
