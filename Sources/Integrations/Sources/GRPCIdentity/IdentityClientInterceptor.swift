#if GRPC
public import GRPCCore
public import MultiIdentity
public import MultiIdentityCarriers

/// Captured when called: sends the identity of a call along, signed.
///
/// A call without a bound identity is refused before it is sent: bind nobody for work that belongs to no one. A call for a
/// revoked owner is refused too, since it would send that owner's data as nobody; use ``calling(as:_:)`` to remove such data.
public struct IdentityClientInterceptor: ClientInterceptor {
    @TaskLocal private static var named: Identity?

    private let signing: IdentitySigning
    private let baggage: IdentityBaggage

    /// Creates an interceptor that signs for one service.
    ///
    /// - Parameters:
    ///   - signing: The signing for the called service.
    ///   - baggage: The metadata key and the member that carry the claim.
    public init(signing: IdentitySigning, baggage: IdentityBaggage = .standard) {
        self.signing = signing
        self.baggage = baggage
    }

    /// Makes calls as an identity, revoked or not: for code that removes a revoked identity's data elsewhere.
    ///
    /// In a scope of a revoked identity, tasks that other code starts run as nobody; gRPC starts one for each call.
    ///
    /// - Parameters:
    ///   - identity: The identity of the calls.
    ///   - calls: Makes the calls.
    /// - Returns: The result of `calls`.
    /// - Throws: The error of `calls`.
    public static func calling<Value: Sendable>(
        as identity: Identity,
        _ calls: () async throws -> Value
    ) async throws -> Value {
        try await $named.withValue(identity) { try await calls() }
    }

    private static func caller() throws -> Identity {
        if let named { return named }
        try IdentityRevocation.admit(workOf: EffectiveIdentity.current(for: .files))
        return try Identity.required()
    }

    /// Replaces the identity in the metadata with the current one.
    public func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingClientRequest<Input>,
        context: ClientContext,
        next: @concurrent (StreamingClientRequest<Input>, ClientContext) async throws -> StreamingClientResponse<Output>
    ) async throws -> StreamingClientResponse<Output> {
        var request = request
        do {
            try baggage.inject(Self.caller(), into: &request.metadata, using: MetadataFields(), signing: signing)
        } catch {
            throw RPCError(
                code: .unauthenticated,
                message: "\(context.descriptor) was not called: \(error)",
                cause: error
            )
        }
        return try await next(request, context)
    }
}

/// Reads and writes the fields of a call's metadata; returns every value of a key, since conflicting values are refused.
public struct MetadataFields: IdentityInjector, IdentityExtractor {
    /// Creates a stateless accessor.
    public init() {}

    /// Replaces the values of the key.
    public func inject(_ value: String, forKey key: String, into carrier: inout Metadata) {
        carrier.replaceOrAddString(value, forKey: key)
    }

    /// Removes every value of the key.
    public func removeAll(forKey key: String, from carrier: inout Metadata) { carrier.removeAllValues(forKey: key) }

    /// The first value of the key.
    public func extract(key: String, from carrier: Metadata) -> String? { extractAll(key: key, from: carrier).first }

    /// Every value of the key.
    public func extractAll(key: String, from carrier: Metadata) -> [String] { carrier[key].map { $0.encoded() } }
}
#endif
