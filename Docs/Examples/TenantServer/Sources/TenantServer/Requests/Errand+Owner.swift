import Foundation
import MultiIdentity

extension Errand {
    /// Calls code that asks the package for the current identity, where the package may not be what keeps that.
    ///
    /// The two servers to compare with bind here whom they believe it to be; with the package it is bound already.
    ///
    /// - Parameter operation: What asks.
    /// - Returns: What it returns.
    /// - Throws: What it throws.
    func asOwner<Value: Sendable>(_ operation: () async throws -> Value) async throws -> Value {
        if case .carried = caller { return try await operation() }
        return try await withIdentity(Identity(caller.name)) { try await operation() }
    }

    /// The name of the request's job or entry among its owner's: the marker, so that sending it again changes nothing.
    var jobKey: String { marker == .none ? UUID().uuidString : marker.text }
}
