public import MultiIdentityPolicy

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
