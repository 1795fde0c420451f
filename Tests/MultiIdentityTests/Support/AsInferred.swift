@testable import MultiIdentity

/// Runs `work` with nothing bound around it, as automatic mode runs what `identity` handed to the queue "mail".
func asInferred<Value>(_ identity: Identity?, _ work: () -> Value) -> Value {
    let word = withIdentity(identity) { CapturedWord.captured(at: { .async }, of: { "mail" }) }
    var value: Value?
    withIdentity(nil) { CapturedWord.run(word, at: { .async }) { value = work() } }
    guard let value else { preconditionFailure("The work did not run.") }
    return value
}

/// Runs `body` while inferred identities have this effect.
func whileInferred<Value: Sendable>(
    _ effect: IdentityInference.Effect,
    _ body: @Sendable () async throws -> Value
) async rethrows -> Value {
    try await ProcessWideSwitch.exclusively {
        IdentityInference.effect = effect
        defer { IdentityInference.effect = .decides }
        return try await body()
    }
}
