#if GRPC
public import GRPCCore
public import MultiIdentity
public import MultiIdentityCarriers

/// Captured when called: sends along, signed, the identity of a call.
///
/// A call with no identity bound is refused before it leaves: bind nobody for work that is nobody's. So is one of a revoked
/// owner's work, which would leave as nobody's with that owner's data; ``calling(as:_:)`` is for code that removes these.
public struct IdentityClientInterceptor: ClientInterceptor {
    @TaskLocal private static var named: Identity?

    private let signing: IdentitySigning
    private let baggage: IdentityBaggage

    /// An interceptor that signs for one service.
    ///
    /// - Parameters:
    ///   - signing: Signs, for the service that is called.
    ///   - baggage: Which member of which metadata key carries the claim.
    public init(signing: IdentitySigning, baggage: IdentityBaggage = .standard) {
        self.signing = signing
        self.baggage = baggage
    }

    /// Makes calls as somebody, revoked or not: for what removes a revoked identity's data elsewhere.
    ///
    /// Of a revoked identity a scope shows nobody in tasks that others begin inside of it, as gRPC does for each call.
    ///
    /// - Parameters:
    ///   - identity: As whom.
    ///   - calls: Makes the calls.
    /// - Returns: What `calls` returns.
    /// - Throws: What `calls` throws.
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

    /// Puts who is current into the metadata, whatever stood there.
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

/// Reads and writes the fields of a call's metadata; every value of a key is given out, since two that differ are refused.
public struct MetadataFields: IdentityInjector, IdentityExtractor {
    /// Stateless.
    public init() {}

    /// Replaces whatever the key has.
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
