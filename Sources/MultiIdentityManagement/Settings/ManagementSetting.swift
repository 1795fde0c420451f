/// The settings of a ``ManagementConfiguration``, in the order of a file; reading, completion and explanations use this
/// table.
///
/// It is `@_spi`, for this repository's command and integrations; adopters use the properties.
@_spi(Settings) public enum ManagementSetting: String, CaseIterable, Sendable, CustomStringConvertible {
    case mode, enrollsAtLaunch, policyRequired, policyWarnAbsent, restartsForFirstPolicy, jitter, requestTimeout,
        maxConcurrentRequests, pollInterval, heartbeatTimeout, offlineWarnDays, offlineBlockDays, offlineWipeDays,
        authority, clientID,
        redirectURI, valuesToScrub, keysToScrub, testPolicies, allowsTestPolicies

    /// The name as written in a file.
    public var description: String { rawValue }

    /// The property and its valid values.
    public var kind: Kind {
        switch self {
        case .mode: .mode(\.mode)
        case .enrollsAtLaunch: .boolean(\.enrollsAtLaunch)
        case .policyRequired: .boolean(\.policyRequired)
        case .policyWarnAbsent: .boolean(\.policyWarnAbsent)
        case .restartsForFirstPolicy: .boolean(\.restartsForFirstPolicy)
        case .jitter: .number(\.jitter, 0...1)
        case .requestTimeout: .seconds(\.requestTimeout)
        case .maxConcurrentRequests: .integer(\.maxConcurrentRequests, 1...10_000)
        case .pollInterval: .seconds(\.pollInterval)
        case .heartbeatTimeout: .limit(\.heartbeatTimeout, .seconds(1), upTo: 86_400)
        case .offlineWarnDays: .days(\.offlineWarn)
        case .offlineBlockDays: .days(\.offlineBlock)
        case .offlineWipeDays: .days(\.offlineWipe)
        case .authority: .text(\.authority)
        case .clientID: .text(\.clientID)
        case .redirectURI: .text(\.redirectURI)
        case .valuesToScrub: .texts(\.valuesToScrub)
        case .keysToScrub: .texts(\.keysToScrub)
        case .testPolicies: .text(\.testPolicies)
        case .allowsTestPolicies: .boolean(\.allowsTestPolicies)
        }
    }

    /// The effect, in words.
    public var effect: String {
        switch self {
        case .mode: "the users of the process: one; many, with one managed; or many managed"
        case .enrollsAtLaunch: "enrolls the user that the credential provider knows, before `start()` returns"
        case .policyRequired: "no work of a registered account begins before its policy has arrived"
        case .policyWarnAbsent: "an event reports work that begins before its policy has arrived"
        case .restartsForFirstPolicy: "an account's first policy comes into force at the next start"
        case .jitter: "the maximum jitter, as a fraction of the time between two requests"
        case .requestTimeout: "the time limit of a request in seconds"
        case .maxConcurrentRequests: "the maximum number of concurrent requests of a process"
        case .pollInterval: "seconds between polls of the store for other processes' events"
        case .heartbeatTimeout:
            "seconds for which others wait for this process when an account is removed; 0 for not at all"
        case .offlineWarnDays: "days without a confirmed policy after which an event warns; 0 for never"
        case .offlineBlockDays:
            "days without a confirmed policy after which the account is allowed nothing; 0 for never"
        case .offlineWipeDays:
            "days without a confirmed policy after which a blocked account is removed and wiped; 0 for never"
        case .authority: "passed to the provider of credentials and the service with each request"
        case .clientID, .redirectURI: "as `authority`"
        case .valuesToScrub: "texts of at least four characters that are never shown"
        case .keysToScrub: "keys whose values are never shown"
        case .testPolicies: "the policies of this file are in force, in a debug build"
        case .allowsTestPolicies: "a release build accepts `testPolicies` too"
        }
    }

    /// The default value as a file has it; `nil` if there is none.
    public var standard: String? { kind.text(of: ManagementConfiguration()) }

    /// Indicates whether no explanation shows the value.
    var isSecret: Bool { self == .valuesToScrub }

    /// The environment variable of the setting: `MULTI_IDENTITY_` and the name in capitals, as in swift-configuration.
    var variable: String {
        var (variable, last) = (Self.variablePrefix, Character("A"))
        for letter in rawValue {
            if last.isLowercase, letter.isUppercase { variable += "_" }
            variable += letter.uppercased()
            last = letter
        }
        return variable
    }

    static let variablePrefix = "MULTI_IDENTITY_"
}
