import MultiIdentity

/// What is bound in the scope cases, made once.
private let bound = (identity: try? Identity("grace@contoso.com"), user: Handwritten.User(name: "grace@contoso.com"))

extension HopCase {
    /// What binding and reading cost outside tasks; `handwritten` is the bare task-local.
    static let scopeCases: [HopCase] = [
        HopCase("scope/handwritten") { hops in
            let counter = Counter()
            for _ in 0..<hops { Handwritten.$user.withValue(bound.user) { counter.value += 1 } }
        },
        HopCase("scope/carried") { hops in
            let counter = Counter()
            for _ in 0..<hops { withIdentity(bound.identity) { counter.value += 1 } }
        },
        HopCase("read/handwritten") { hops in
            for _ in 0..<hops where Handwritten.user == nil { preconditionFailure("A user is bound.") }
        },
        HopCase("read/carried") { hops in
            for _ in 0..<hops where Identity.current == nil { preconditionFailure("An identity is bound.") }
        },
        HopCase("resolve/carried") { hops in
            for _ in 0..<hops where EffectiveIdentity.current(for: .files).identity == nil {
                preconditionFailure("An identity is bound.")
            }
        },
    ]
}
