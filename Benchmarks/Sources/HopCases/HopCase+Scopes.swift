import MultiIdentity

/// The identity and the user of the scope cases, made once.
private let grace = (identity: try? Identity("grace@contoso.com"), user: User(name: "grace@contoso.com"))

/// The cost of binding and reading; `handwritten` is the bare task-local.
extension HopCase {
    static let scopeCases =
        [
            HopCase("scope", "handwritten", .user) {
                let counter = Counter()
                return HopParts(enqueue: { hops in
                    for _ in 0..<hops { Handwritten.$user.withValue(grace.user) { counter.value += 1 } }
                })
            },
            HopCase("scope", "floor", .user) {
                let counter = Counter()
                return HopParts(enqueue: { hops in
                    for _ in 0..<hops { withUser(grace.user) { counter.value += 1 } }
                })
            },
            HopCase("scope", "carried", .identity) {
                let counter = Counter()
                return HopParts(enqueue: { hops in
                    for _ in 0..<hops { withIdentity(grace.identity) { counter.value += 1 } }
                })
            },
        ] + readCases

    /// The minimum cost of a function that is not inlined; one that binds must not be inlined: in an async function the binding
    /// uses memory between that of the function itself, and has to be released in order.
    @inline(never)
    private static func withUser<Value, Failure: Error>(
        _ user: User?,
        _ operation: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try Handwritten.$user.withValue(user) { () -> Result<Value, Failure> in Result(catching: operation) }.get()
    }

    static let readCases = [
        HopCase("read", "handwritten", .user) {
            HopParts(enqueue: { hops in
                for _ in 0..<hops where Handwritten.user == nil { preconditionFailure("A user is bound.") }
            })
        },
        HopCase("read", "carried", .identity) {
            HopParts(enqueue: { hops in
                for _ in 0..<hops where Identity.current == nil { preconditionFailure("An identity is bound.") }
            })
        },
        HopCase("resolve", "carried", .identity) {
            HopParts(enqueue: { hops in
                for _ in 0..<hops where EffectiveIdentity.current(for: .files).identity == nil {
                    preconditionFailure("An identity is bound.")
                }
            })
        },
    ]
}
