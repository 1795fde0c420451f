public import MultiIdentityPolicy

/// The configuration of account management; each property comes from code, the environment, a file or its default.
///
/// ```swift
/// var configuration = try ManagementConfiguration(
///     file: "/etc/app/settings.json",
///     environment: ProcessInfo.processInfo.environment
/// )
/// configuration.policyRequired = true
/// for warning in configuration.warnings { logger.warning("\(warning)") }
/// ```
///
/// A property set in code overrides everything else, including an account's own settings (``AccountSettings``).
public struct ManagementConfiguration: Sendable {
    /// The number of users of the process, and how many of them are managed.
    public var mode = AccountsMode.multi { didSet { setInCode(.mode) } }
    /// Indicates whether the user that the provider knows is enrolled before ``AccountRegistry/start()`` returns.
    public var enrollsAtLaunch = false { didSet { setInCode(.enrollsAtLaunch) } }
    /// Indicates whether work of a registered account is refused until its policy has arrived.
    public var policyRequired = false { didSet { setInCode(.policyRequired) } }
    /// Indicates whether an event reports work that begins before its policy has arrived, once in each process.
    public var policyWarnAbsent = false { didSet { setInCode(.policyWarnAbsent) } }
    /// Indicates whether an account's first policy comes into force at the next start, not at once.
    public var restartsForFirstPolicy = false { didSet { setInCode(.restartsForFirstPolicy) } }
    /// The maximum jitter, as a fraction of the time between two requests, which spreads the requests of a fleet; 0 turns
    /// it off.
    public var jitter = 0.05 { didSet { setInCode(.jitter) } }
    /// The time limit for a call to a service or provider.
    public var requestTimeout = Duration.seconds(120) { didSet { setInCode(.requestTimeout) } }
    /// The maximum number of concurrent requests of all kinds; further ones wait.
    public var maxConcurrentRequests = 64 { didSet { setInCode(.maxConcurrentRequests) } }
    /// The time between polls of the store for changes by other processes.
    public var pollInterval = Duration.seconds(5) { didSet { setInCode(.pollInterval) } }
    /// How long others wait for this process after it last reached the store, when an account is removed.
    ///
    /// After two thirds of that time this process admits no work (``AccountRegistry/admit(_:)``), nor does it before
    /// ``AccountRegistry/start()`` and after ``AccountRegistry/run()``. Others wait by the store's clock. If `nil`, no
    /// process waits for this one; otherwise `start()` turns `IdentityRevocation.isOn` on, to count running work.
    public var heartbeatTimeout: Duration? { didSet { setInCode(.heartbeatTimeout) } }
    /// The time without a confirmed policy after which an event warns, by the store's clock; `nil` is never.
    public var offlineWarn: Duration? = .seconds(3 * 86_400) { didSet { setInCode(.offlineWarnDays) } }
    /// The time without a confirmed policy after which the account is blocked: nothing is allowed and no work is
    /// admitted until the service confirms a policy; `nil` is never.
    public var offlineBlock: Duration? = .seconds(14 * 86_400) { didSet { setInCode(.offlineBlockDays) } }
    /// The time without a confirmed policy after which the account is removed, and wiped if the registry has a wipe;
    /// `nil` is never.
    ///
    /// The account must be blocked, and two more checks must have failed. Time that may not have passed does not count.
    public var offlineWipe: Duration? { didSet { setInCode(.offlineWipeDays) } }
    /// The address of the authority that issues credentials.
    public var authority: String? { didSet { setInCode(.authority) } }
    /// The program's client ID at the authority.
    public var clientID: String? { didSet { setInCode(.clientID) } }
    /// The address that the authority redirects a user to.
    public var redirectURI: String? { didSet { setInCode(.redirectURI) } }
    /// The texts to remove from logs, reports and explanations.
    public var valuesToScrub: [String] = [] { didSet { setInCode(.valuesToScrub) } }
    /// The keys whose values are removed from logs and reports.
    public var keysToScrub: [String] = [] { didSet { setInCode(.keysToScrub) } }
    /// The path of the policy file for tests (``testPolicyFile(onProblem:)``).
    public var testPolicies: String? { didSet { setInCode(.testPolicies) } }
    /// Indicates whether a release build accepts test policies.
    public var allowsTestPolicies = false { didSet { setInCode(.allowsTestPolicies) } }

    /// Warnings that do not affect what is in force: unknown keys, with the nearest known ones.
    public internal(set) var warnings: [String] = []

    /// The places that set a setting; the first one is in force.
    private var places: [ManagementSetting: [Place]] = [:]

    /// Creates the default configuration.
    public init() {}

    /// Reads a configuration from a file and from the environment, which overrides the file.
    ///
    /// - Parameters:
    ///   - path: The file's path, or `nil` for none; at most 8 MiB, and not writable by everyone.
    ///   - environment: The environment variables; those of settings are read.
    /// - Throws: ``ManagementError`` with the file, the line and the key, or with the variable.
    public init(
        file path: String? = nil,
        environment: [String: String] = [:]
    ) throws(ManagementError) {
        if let path {
            let bytes: [UInt8]
            do { bytes = try PolicyFileReading(path: path).bytes } catch {
                throw ManagementError(.unreadableFile, "\(path): \(error.message)")
            }
            try read(bytes, path)
        }
        try read(environment)
    }

    /// Reads a configuration from JSON and from the environment, which overrides the JSON.
    ///
    /// ```json
    /// {"multiIdentity": {"policyRequired": true, "authority": "https://login.contoso.com"}, "port": 8080}
    /// ```
    ///
    /// - Parameters:
    ///   - json: The text; its other members belong to the program.
    ///   - path: The name of the text in messages.
    ///   - environment: The environment variables; those of settings are read.
    /// - Throws: ``ManagementError`` with the line and the key, or with the variable.
    public init(
        json: some Collection<UInt8>,
        path: String,
        environment: [String: String] = [:]
    ) throws(ManagementError) {
        try read(json, path)
        try read(environment)
    }
}

extension ManagementConfiguration {
    /// The source of a setting's value; an earlier one overrides a later one.
    @_spi(Settings) public enum Source: String, Sendable {
        /// The program itself.
        case code
        /// The environment.
        case environment
        /// A file.
        case file
        /// No source sets it.
        case standard
    }

    /// A source, and the variable or the line in words.
    struct Place: Sendable {
        var source = Source.standard
        var text = "default"
    }

    private mutating func setInCode(_ setting: ManagementSetting) {
        if source(of: setting) != .code {
            places[setting, default: []].insert(Place(source: .code, text: "code"), at: 0)
        }
    }

    /// Reads a value from a place, which overrides the earlier places.
    mutating func take(_ setting: ManagementSetting, _ json: JSONReader, from place: Place) throws(PolicyTextError) {
        let others = places[setting] ?? []
        try setting.kind.read(json, into: &self)
        places[setting] = [place] + others
    }

    /// Returns the source of a setting's value.
    @_spi(Settings) public func source(of setting: ManagementSetting) -> Source {
        places[setting]?.first?.source ?? .standard
    }

    /// Returns a setting's value as a file has it; `nil` if there is none or it is secret.
    @_spi(Settings) public func shownValue(of setting: ManagementSetting) -> String? {
        setting.isSecret ? nil : setting.kind.text(of: self)
    }

    /// Returns an explanation of a setting: its value unless secret, its source, and the sources that it overrides.
    @_spi(Settings) public func explanation(of setting: ManagementSetting) -> String {
        let places = places[setting] ?? [Place()]
        let others = places.dropFirst().map(\.text).joined(separator: " and ")
        let value = shownValue(of: setting) ?? (setting.isSecret ? "not shown" : "none")
        return "\(value) (\(places[0].text)\(others.isEmpty ? "" : ", before \(others)"))"
    }
}

extension ManagementConfiguration: CustomStringConvertible, CustomReflectable {
    /// Each setting with its value and source, one a line, without secrets.
    public var description: String {
        ManagementSetting.allCases.map { "\($0) = \(explanation(of: $0))" }.joined(separator: "\n")
    }
    /// An empty mirror, since some values are secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
