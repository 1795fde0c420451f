import MultiIdentityPolicy

/// One setting of the runtime: its name, what it takes, what counts where nobody sets it, and what it does.
///
/// ```swift
/// for setting in IdentitySetting.all { print(setting.name, setting.effect) }
/// ```
public struct IdentitySetting: Hashable, Sendable, CustomStringConvertible {
    /// The values that a setting takes.
    public enum Kind: Hashable, Sendable {
        /// True or false.
        case boolean
        /// A whole number.
        case integer(ClosedRange<Int>)
        /// A number.
        case number(ClosedRange<Double>)
        /// A text of one line.
        case text
        /// A list of texts.
        case texts
        /// One of some words.
        case word([String])
    }

    /// A value of a setting.
    public enum Value: Hashable, Sendable {
        /// True or false.
        case boolean(Bool)
        /// A whole number.
        case integer(Int)
        /// A number.
        case number(Double)
        /// A text, or a word.
        case text(String)
        /// A list of texts.
        case texts([String])
    }

    /// The name, as it stands in a file.
    public let name: String
    /// The values that it takes.
    public let kind: Kind
    /// The value that counts where nobody sets it; `nil` where there is none then.
    public let standard: Value?
    /// The effect, for people.
    public let effect: String
    /// The name of its counterpart in the guide; `nil` where the setting is this package's own.
    public let guideName: String?
    /// Indicates whether an account can have a value of its own at run time.
    public let isOverridable: Bool
    /// Indicates whether no explanation shows the value.
    public let isSecret: Bool

    private init(
        _ kind: Kind,
        _ standard: Value?,
        _ effect: String,
        guide guideName: String? = nil,
        isOverridable: Bool = false,
        isSecret: Bool = false,
        name: String = #function
    ) {
        self.name = name
        self.kind = kind
        self.standard = standard
        self.effect = effect
        self.guideName = guideName
        self.isOverridable = isOverridable
        self.isSecret = isSecret
    }

    /// The name.
    public var description: String { name }

    /// The environment variable that stands for it: `MULTI_IDENTITY_` and the name in capitals, as swift-configuration has it.
    public var variable: String {
        var (variable, last) = (Self.variablePrefix, Character("A"))
        for letter in name {
            if last.isLowercase, letter.isUppercase { variable += "_" }
            variable += letter.uppercased()
            last = letter
        }
        return variable
    }

    static let variablePrefix = "MULTI_IDENTITY_"
}

extension IdentitySetting {
    /// The number of users of the process, and how many of them are managed.
    public static var mode: Self {
        Self(
            .word(AccountsMode.allCases.map { "\($0)" }),
            .text("\(AccountsMode.multi)"),
            "the users of the process: one, many of whom one is managed, or many who are",
            guide: "MultiIdentity"
        )
    }
    /// Indicates whether the user whom the provider knows is enrolled at launch.
    public static var enrollsAtLaunch: Self {
        Self(
            .boolean,
            .boolean(false),
            "the user whom the provider knows is enrolled before `start()` returns",
            guide: "AutoEnrollOnLaunch"
        )
    }
    /// Indicates whether work of a managed identity waits for its policy.
    public static var policyRequired: Self {
        Self(
            .boolean,
            .boolean(false),
            "no work of a registered account begins before its policy is there",
            guide: "MAMPolicyRequired"
        )
    }
    /// Indicates whether the program is notified of work without a policy.
    public static var policyWarnAbsent: Self {
        Self(
            .boolean,
            .boolean(false),
            "an event tells of work that begins before its policy is there",
            guide: "MAMPolicyWarnAbsent"
        )
    }
    /// Indicates whether the first policy waits for a restart.
    public static var restartsForFirstPolicy: Self {
        Self(.boolean, .boolean(false), "the first policy of an account comes into force with the next start")
    }
    /// The share by which times between requests are longer.
    public static var spread: Self {
        Self(.number(0...1), .number(0.05), "each time between two requests is longer by up to this share")
    }
    /// The longest time that a service may take, in seconds.
    public static var requestLimit: Self {
        Self(.number(0.001...86_400), .number(120), "a request that takes more seconds has failed")
    }
    /// The most requests that run at once.
    public static var requestsAtOnce: Self {
        Self(.integer(1...10_000), .integer(64), "no more requests of a process run at once")
    }
    /// The time between two looks at the store, in seconds.
    public static var lookInterval: Self {
        Self(
            .number(0.001...86_400),
            .number(5),
            "seconds after which the store is looked at for other processes' events"
        )
    }
    /// The days without a confirmed policy after which an event warns.
    public static var offlineWarnDays: Self {
        Self(
            .number(0...3_650),
            .number(3),
            "days without a confirmed policy after which an event warns; 0 for never"
        )
    }
    /// The days without a confirmed policy after which an account is blocked.
    public static var offlineBlockDays: Self {
        Self(
            .number(0...3_650),
            .number(14),
            "days without a confirmed policy after which nothing is allowed to the account; 0 for never"
        )
    }
    /// The days without a confirmed policy after which an account is removed and wiped.
    public static var offlineWipeDays: Self {
        Self(
            .number(0...3_650),
            .number(0),
            "days without a confirmed policy after which a blocked account is removed and wiped; 0 for never"
        )
    }
    /// The address of who gives credentials.
    public static var authority: Self {
        Self(
            .text,
            nil,
            "the provider of credentials and the service get it with each request",
            guide: "ADALAuthority",
            isOverridable: true
        )
    }
    /// The name by which the authority knows the program.
    public static var clientID: Self {
        Self(.text, nil, "as `authority`", guide: "ADALClientId", isOverridable: true)
    }
    /// The address that the authority sends a user back to.
    public static var redirectURI: Self {
        Self(.text, nil, "as `authority`", guide: "ADALRedirectUri", isOverridable: true)
    }
    /// Indicates whether events for telemetry are made.
    public static var telemetry: Self {
        Self(
            .boolean,
            .boolean(false),
            "events of launches, requests and the runtime's own actions go to the sink",
            guide: "MAMTelemetryDisabled"
        )
    }
    /// The environment that events of telemetry name.
    public static var telemetryEnvironment: Self {
        Self(
            .text,
            .text("production"),
            "each event of telemetry names it, to tell tests from production",
            guide: "MAMTelemetryUsePPE"
        )
    }
    /// The texts that no log shows.
    public static var valuesToScrub: Self {
        Self(
            .texts,
            .texts([]),
            "these texts, of at least four characters, are shown nowhere",
            guide: "ValuesToScrubFromLogging",
            isSecret: true
        )
    }
    /// The keys of values that no log shows.
    public static var keysToScrub: Self {
        Self(.texts, .texts([]), "what stands under these keys is shown nowhere")
    }
    /// The file of policies for tests.
    public static var testPolicies: Self {
        Self(
            .text,
            nil,
            "the policies of this file are in force, in a debug build",
            guide: "DebugSettingsEnabled"
        )
    }
    /// Indicates whether a release build takes policies for tests.
    public static var allowsTestPolicies: Self {
        Self(.boolean, .boolean(false), "a release build takes `testPolicies` as well")
    }

    /// All settings, in the order in which a file has them.
    public static let all: [Self] = [
        mode, enrollsAtLaunch, policyRequired, policyWarnAbsent, restartsForFirstPolicy, spread, requestLimit,
        requestsAtOnce, lookInterval, offlineWarnDays, offlineBlockDays, offlineWipeDays, authority, clientID,
        redirectURI, telemetry, telemetryEnvironment, valuesToScrub, keysToScrub, testPolicies, allowsTestPolicies,
    ]

    private static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The setting of a name; `nil` where there is none.
    ///
    /// - Parameter name: The name.
    /// - Returns: The setting.
    public static func named(_ name: String) -> Self? { named[name] }
}
