extension AccountRegistryOptions {
    /// The options that settings make.
    ///
    /// - Parameter settings: The settings.
    public init(_ settings: IdentitySettings) {
        readiness = settings.isOn(.policyRequired) ? .required : settings.isOn(.policyWarnAbsent) ? .warn : .open
        firstPolicy = settings.isOn(.restartsForFirstPolicy) ? .afterRestart : .live
        enrollsAtLaunch = settings.isOn(.enrollsAtLaunch)
        if case .number(let spread) = settings.value(of: .spread) { self.spread = spread }
        if case .number(let limit) = settings.value(of: .requestLimit) { requestLimit = .seconds(limit) }
        if case .integer(let most) = settings.value(of: .requestsAtOnce) { requestsAtOnce = most }
        if case .number(let interval) = settings.value(of: .lookInterval) { lookInterval = .seconds(interval) }
    }
}
