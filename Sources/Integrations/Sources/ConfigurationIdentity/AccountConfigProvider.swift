#if Configuration
public import Configuration
public import MultiIdentity
public import MultiIdentityManagement
import MultiIdentityPolicy

/// A provider of swift-configuration with an account's configuration from its service.
///
/// ```swift
/// let reader = ConfigReader(providers: [AccountConfigProvider(registry), try await FileProvider<JSONSnapshot>(filePath: "app.json")])
/// reader.string(forKey: "theme")                              // of the current identity, else of the file
/// reader.int(forKey: ConfigKey("uploads", of: ada))           // of Ada
/// ```
///
/// The key's context can name the owner; otherwise it is the identity of the reading work. Values are marked as
/// secret, so that access reporters do not show them.
public struct AccountConfigProvider: ConfigProvider {
    /// The context key that names the account.
    public static let identityKey = "identity"
    /// The context key that selects one of several values: `min` or `max`, and for Booleans `or` or `and`.
    public static let choiceKey = "choice"

    /// The name in access reports.
    public let providerName = "AccountConfigProvider"

    private let registry: AccountRegistry

    /// Creates a provider.
    ///
    /// - Parameter registry: The registry with the configurations.
    public init(_ registry: AccountRegistry) { self.registry = registry }

    /// Finds the value of a key, for the account in its context or the current identity.
    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let configuration = registry.configuration(of: try Self.identity(of: key) ?? .current)
        return try AccountConfigSnapshot(configuration: configuration).value(forKey: key, type: type)
    }

    /// Finds the value like ``value(forKey:type:)``: the registry has the service's latest configuration.
    public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        try value(forKey: key, type: type)
    }

    /// Delivers the value now, and again whenever the service sends the account another configuration.
    public func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey,
        type: ConfigType,
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
        ) async throws -> Return
    ) async throws -> Return {
        // The owner is read here: events are delivered under nobody.
        let identity = try Self.identity(of: key) ?? .current
        let (values, continuation) = AsyncStream.makeStream(of: Result<LookupResult, any Error>.self)
        let subscription = watch(identity) { configuration in
            let snapshot = AccountConfigSnapshot(configuration: configuration)
            continuation.yield(Result { try snapshot.value(forKey: key, type: type) })
        }
        defer { subscription.cancel() }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(values))
    }

    /// The current configuration of the current identity.
    public func snapshot() -> any ConfigSnapshot {
        AccountConfigSnapshot(configuration: registry.configuration(of: .current))
    }

    /// Delivers the current identity's configuration now, and again whenever the service sends another one.
    public func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        let (snapshots, continuation) = AsyncStream.makeStream(of: (any ConfigSnapshot).self)
        let subscription = watch(.current) { continuation.yield(AccountConfigSnapshot(configuration: $0)) }
        defer { subscription.cancel() }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(snapshots))
    }

    private func watch(
        _ identity: Identity?,
        _ changed: @escaping @Sendable (AppConfiguration) -> Void
    ) -> Subscription {
        let subscription = registry.onEvent { [registry] event in
            // When the account leaves, the configuration is removed without its own event.
            let isIts = event.identity == identity.map(registry.identity(named:))
            if isIts, [.configurationReplaced, .enrolled, .deregistered, .removed].contains(event.status) {
                changed(registry.configuration(of: identity))
            }
        }
        changed(registry.configuration(of: identity))
        return subscription
    }

    private static func identity(of key: AbsoluteConfigKey) throws -> Identity? {
        guard let named = key.context[identityKey] else { return nil }
        guard case .string(let name) = named else { return .nobody }
        return name.isEmpty ? .nobody : try Identity(name)
    }
}

extension ConfigKey {
    /// Creates the key of an account's configuration.
    ///
    /// - Parameters:
    ///   - key: The key, with dots between its parts.
    ///   - identity: The account; nobody has no configuration.
    public init(_ key: String, of identity: Identity) {
        self.init(key, context: [AccountConfigProvider.identityKey: .string(identity.name)])
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"Configuration\"])")
#endif
