/// The settings of a ``ManagementConfiguration``, in the order of a file; reading, completion and explanations use this
/// table.
///
/// It is `@_spi`, for this repository's command and integrations; adopters use the properties.
@_spi(Settings) public enum ManagementSetting: String, CaseIterable, Sendable, CustomStringConvertible {
    case mode, enrollsAtLaunch, policyRequired, policyWarnAbsent, restartsForFirstPolicy, spread, requestLimit,
        requestsAtOnce, lookInterval, presence, offlineWarnDays, offlineBlockDays, offlineWipeDays, authority, clientID,
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
        case .spread: .number(\.spread, 0...1)
        case .requestLimit: .seconds(\.requestLimit)
        case .requestsAtOnce: .integer(\.requestsAtOnce, 1...10_000)
        case .lookInterval: .seconds(\.lookInterval)
        case .presence: .limit(\.presence, .seconds(1), upTo: 86_400)
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
        case .mode: "the users of the process: one, many of whom one is managed, or many who are"
        case .enrollsAtLaunch: "the user whom the provider knows is enrolled before `start()` returns"
        case .policyRequired: "no work of a registered account begins before its policy is there"
        case .policyWarnAbsent: "an event tells of work that begins before its policy is there"
        case .restartsForFirstPolicy: "the first policy of an account comes into force with the next start"
        case .spread: "each time between two requests is longer by up to this share"
        case .requestLimit: "a request that takes more seconds has failed"
        case .requestsAtOnce: "no more requests of a process run at once"
        case .lookInterval: "seconds after which the store is looked at for other processes' events"
        case .presence: "seconds for which others wait for this process when an account is removed; 0 for not at all"
        case .offlineWarnDays: "days without a confirmed policy after which an event warns; 0 for never"
        case .offlineBlockDays: "days without one after which nothing is allowed to the account; 0 for never"
        case .offlineWipeDays: "days without one after which a blocked account is removed and wiped; 0 for never"
        case .authority: "the provider of credentials and the service get it with each request"
        case .clientID, .redirectURI: "as `authority`"
        case .valuesToScrub: "these texts, of at least four characters, are shown nowhere"
        case .keysToScrub: "what stands under these keys is shown nowhere"
        case .testPolicies: "the policies of this file are in force, in a debug build"
        case .allowsTestPolicies: "a release build takes `testPolicies` as well"
        }
    }

    /// The default value as a file has it; `nil` if there is none.
    public var standard: String? { kind.text(of: ManagementConfiguration()) }

    /// Indicates whether no explanation shows the value.
    var isSecret: Bool { self == .valuesToScrub }

    /// The environment variable that stands for it: `MULTI_IDENTITY_` and the name in capitals, as swift-configuration has it.
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
