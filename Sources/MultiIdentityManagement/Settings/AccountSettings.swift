import MultiIdentity

/// The settings that an account can override: the authority that issues its credentials, and the program's registration
/// there.
public struct AccountSettings: Hashable, Sendable {
    /// The address of the authority.
    public var authority: String?
    /// The program's client ID at the authority.
    public var clientID: String?
    /// The address that the authority redirects a user to.
    public var redirectURI: String?

    /// Creates settings; `nil` means not set.
    ///
    /// - Parameters:
    ///   - authority: The address of the authority.
    ///   - clientID: The program's client ID at the authority.
    ///   - redirectURI: The address that the authority redirects a user to.
    public init(authority: String? = nil, clientID: String? = nil, redirectURI: String? = nil) {
        self.authority = authority
        self.clientID = clientID
        self.redirectURI = redirectURI
    }

    typealias Property = any WritableKeyPath<Self, String?> & Sendable

    /// Each setting of an account, with the program's counterpart.
    static let all: [(ManagementSetting, own: Property, program: ManagementSetting.Property<String?>)] = [
        (.authority, \.authority, \.authority), (.clientID, \.clientID, \.clientID),
        (.redirectURI, \.redirectURI, \.redirectURI),
    ]

    /// Creates the settings of an account: its own, except those set in code, and otherwise the program's.
    package init(_ configuration: ManagementConfiguration, overriddenBy own: Self = Self()) {
        self = own
        for (setting, own, program) in Self.all
        where self[keyPath: own] == nil || configuration.source(of: setting) == .code {
            self[keyPath: own] = configuration[keyPath: program]
        }
    }

    /// Reads the settings of a stored text, which has the format of a settings file; `nil` means none.
    init(stored text: String?, of identity: Identity) throws(ManagementError) {
        var configuration = ManagementConfiguration()
        if let text { try configuration.read(text.utf8, "overrides of \(identity)") }
        self.init(configuration)
    }

    /// The text to store; `nil` if no setting is set.
    var stored: String? {
        let members = Self.all.compactMap { setting, own, _ in
            self[keyPath: own].map { "\"\(setting)\": \(ManagementSetting.quoted($0))" }
        }
        return members.isEmpty ? nil : "{\"\(ManagementConfiguration.section)\": {\(members.joined(separator: ", "))}}"
    }

    /// The names of the settings that are set.
    var names: [String] { Self.all.filter { self[keyPath: $0.own] != nil }.map { "\($0.0)" } }
}
