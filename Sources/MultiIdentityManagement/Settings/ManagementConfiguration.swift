public import MultiIdentityPolicy

/// The configuration of account management: each property as the program sets it, or from the environment, a file, or the default.
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
/// A property that the program sets counts before all else, and before what an account has of its own (``AccountSettings``).
public struct ManagementConfiguration: Sendable {
    /// The number of users of the process, and how many of them are managed.
    public var mode = AccountsMode.multi { didSet { setInCode(.mode) } }
    /// Indicates whether the user whom the provider knows is enrolled before ``AccountRegistry/start()`` returns.
    public var enrollsAtLaunch = false { didSet { setInCode(.enrollsAtLaunch) } }
    /// Indicates whether work of a registered account waits for its policy.
    public var policyRequired = false { didSet { setInCode(.policyRequired) } }
    /// Indicates whether an event, once in each process, tells of work that begins before its policy is there.
    public var policyWarnAbsent = false { didSet { setInCode(.policyWarnAbsent) } }
    /// Indicates whether the first policy of an account comes into force with the next start, and not at once.
    public var restartsForFirstPolicy = false { didSet { setInCode(.restartsForFirstPolicy) } }
    /// The share of each time between two requests by which it is longer, from 0 up to this.
    ///
    /// So that a fleet does not knock at once. 0 turns it off.
    public var spread = 0.05 { didSet { setInCode(.spread) } }
    /// The longest time that a service or provider may take.
    public var requestLimit = Duration.seconds(120) { didSet { setInCode(.requestLimit) } }
    /// The most requests that run at once, of all kinds; others wait for them.
    public var requestsAtOnce = 64 { didSet { setInCode(.requestsAtOnce) } }
    /// The time after which the store is looked at for what other processes did.
    public var lookInterval = Duration.seconds(5) { didSet { setInCode(.lookInterval) } }
    /// The time for which others wait for this process when an account is removed, after it last reached the store.
    ///
    /// Two thirds of it later it admits no work (``AccountRegistry/admit(_:)``), as it does before ``AccountRegistry/start()`` and
    /// after ``AccountRegistry/run()``; others wait by the store's clock. `nil` where nobody waits for it;
    /// else the start turns `IdentityRevocation.isOn` on, so that what runs is counted.
    public var presence: Duration? { didSet { setInCode(.presence) } }
    /// The time without a confirmed policy after which an event warns, by the store's clock; `nil` for never.
    public var offlineWarn: Duration? = .seconds(3 * 86_400) { didSet { setInCode(.offlineWarnDays) } }
    /// The time after which nothing is allowed to the account, and no work of it admitted, until the service confirms a policy.
    public var offlineBlock: Duration? = .seconds(14 * 86_400) { didSet { setInCode(.offlineBlockDays) } }
    /// The time after which the account is removed, and its data wiped where the registry has what wipes.
    ///
    /// Only once it is blocked and two more checks have failed, and only time counts that has certainly passed.
    public var offlineWipe: Duration? { didSet { setInCode(.offlineWipeDays) } }
    /// The address of who gives credentials.
    public var authority: String? { didSet { setInCode(.authority) } }
    /// The name by which the authority knows the program.
    public var clientID: String? { didSet { setInCode(.clientID) } }
    /// The address that the authority sends a user back to.
    public var redirectURI: String? { didSet { setInCode(.redirectURI) } }
    /// The texts that no log shows; no explanation shows them either.
    public var valuesToScrub: [String] = [] { didSet { setInCode(.valuesToScrub) } }
    /// The keys of values that no log shows.
    public var keysToScrub: [String] = [] { didSet { setInCode(.keysToScrub) } }
    /// The file of policies for tests.
    public var testPolicies: String? { didSet { setInCode(.testPolicies) } }
    /// Indicates whether a release build takes policies for tests.
    public var allowsTestPolicies = false { didSet { setInCode(.allowsTestPolicies) } }

    /// Problems that keep nothing from being in force: keys that mean nothing, in words, with the nearest that do.
    public internal(set) var warnings: [String] = []

    /// The places that have a value of a setting; the first one counts.
    private var places: [ManagementSetting: [Place]] = [:]

    /// The configuration as it is by default.
    public init() {}

    /// The configuration of a file and of the environment, which counts before the file.
    ///
    /// - Parameters:
    ///   - path: The file's path; at most 8 MiB are read, and nothing that anybody may write. `nil` for none.
    ///   - environment: The environment, of which the variables of settings count.
    /// - Throws: ``ManagementError`` that names the file, the line and the key, or the variable.
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

    /// The configuration of a text of JSON and of the environment, which counts before the text.
    ///
    /// ```json
    /// {"multiIdentity": {"policyRequired": true, "authority": "https://login.contoso.com"}, "port": 8080}
    /// ```
    ///
    /// - Parameters:
    ///   - json: The text; its other members are the program's.
    ///   - path: What messages are to call it.
    ///   - environment: The environment, of which the variables of settings count.
    /// - Throws: ``ManagementError`` that names the line and the key, or the variable.
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
    /// A place where settings are given; the first in this order counts.
    @_spi(Settings) public enum Source: String, Sendable {
        /// The program itself.
        case code
        /// The environment.
        case environment
        /// A file.
        case file
        /// Nobody sets it.
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

    /// Takes a value from a place, which counts before those that have given one so far.
    mutating func take(_ setting: ManagementSetting, _ json: JSONReader, from place: Place) throws(PolicyTextError) {
        let others = places[setting] ?? []
        try setting.kind.read(json, into: &self)
        places[setting] = [place] + others
    }

    /// The place that the value of a setting comes from.
    @_spi(Settings) public func source(of setting: ManagementSetting) -> Source {
        places[setting]?.first?.source ?? .standard
    }

    /// The value of a setting, as a file has it; `nil` where it has none, or nobody is to read it.
    @_spi(Settings) public func shownValue(of setting: ManagementSetting) -> String? {
        setting.isSecret ? nil : setting.kind.text(of: self)
    }

    /// The value of a setting, unless it is a secret, where it comes from, and which other places it hides.
    @_spi(Settings) public func explanation(of setting: ManagementSetting) -> String {
        let places = places[setting] ?? [Place()]
        let others = places.dropFirst().map(\.text).joined(separator: " and ")
        let value = shownValue(of: setting) ?? (setting.isSecret ? "not shown" : "none")
        return "\(value) (\(places[0].text)\(others.isEmpty ? "" : ", before \(others)"))"
    }
}

extension ManagementConfiguration: CustomStringConvertible, CustomReflectable {
    /// Each setting with its value and where it comes from, one a line; without secrets.
    public var description: String {
        ManagementSetting.allCases.map { "\($0) = \(explanation(of: $0))" }.joined(separator: "\n")
    }
    /// Nothing: some values are what nobody is to read.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
