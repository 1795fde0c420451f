#if Configuration
public import Configuration
public import MultiIdentity
public import MultiIdentityManagement
import MultiIdentityPolicy

/// A provider of swift-configuration that answers with the configuration of an account, as its service gave it.
///
/// ```swift
/// let reader = ConfigReader(providers: [AccountConfigProvider(registry), try await FileProvider<JSONSnapshot>(filePath: "app.json")])
/// reader.string(forKey: "theme")                              // of the current identity, else of the file
/// reader.int(forKey: ConfigKey("uploads", of: ada))           // of Ada
/// ```
///
/// The owner is named by the key's context, else it is the current identity, of the work that reads. Values are marked as
/// secret, so that no access reporter shows them.
public struct AccountConfigProvider: ConfigProvider {
    /// The key of a context that names the account.
    public static let identityKey = "identity"
    /// The key of a context that says which of several values is wanted: `min` or `max`, and of Booleans `or` or `and`.
    public static let choiceKey = "choice"

    /// The name, as access reporters show it.
    public let providerName = "AccountConfigProvider"

    private let registry: AccountRegistry

    /// A provider.
    ///
    /// - Parameter registry: The registry, which has the configurations.
    public init(_ registry: AccountRegistry) { self.registry = registry }

    /// Finds the value of a key: of the account in its context, else of the current identity.
    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let configuration = registry.configuration(of: try Self.identity(of: key) ?? .current)
        return try AccountConfigSnapshot(configuration: configuration).value(forKey: key, type: type)
    }

    /// As ``value(forKey:type:)``: the registry has what the service gave last.
    public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        try value(forKey: key, type: type)
    }

    /// Has the value now, and again whenever the service gave the account another configuration.
    public func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey,
        type: ConfigType,
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
        ) async throws -> Return
    ) async throws -> Return {
        // The owner is taken here: an event is announced under nobody's.
        let identity = try Self.identity(of: key) ?? .current
        let (values, continuation) = AsyncStream.makeStream(of: Result<LookupResult, any Error>.self)
        let subscription = watch(identity) { configuration in
            let snapshot = AccountConfigSnapshot(configuration: configuration)
            continuation.yield(Result { try snapshot.value(forKey: key, type: type) })
        }
        defer { subscription.cancel() }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(values))
    }

    /// The configuration of the current identity as it is now.
    public func snapshot() -> any ConfigSnapshot {
        AccountConfigSnapshot(configuration: registry.configuration(of: .current))
    }

    /// Has the configuration of the current identity now, and again whenever the service gave it another one.
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
    ) -> PolicySubscription {
        let subscription = registry.onEvent { [registry] event in
            // It goes without an event of its own where the account leaves.
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
    /// The key of an account's configuration.
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
