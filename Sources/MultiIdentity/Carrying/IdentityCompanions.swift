/// Other task-local values that cross every boundary together with the identity.
///
/// A program names them once, where it starts:
///
/// ```swift
/// IdentityCompanions.carry(RequestLog.$metadata, ServiceContext.$current)
/// ```
///
/// From then on each boundary captures what they hold, along with the thread level, and restores them around the work.
/// A program that names none pays nothing; each one named costs a read where work is captured, and a binding where it
/// runs.
public enum IdentityCompanions: Sendable {
    /// Has these task-locals cross every boundary from now on.
    ///
    /// Naming one again changes nothing. They are bound in the order in which they were named and unbound in the
    /// reverse order. Work that was captured before keeps what was captured then.
    ///
    /// - Parameter locals: The task-locals, as `$name` gives them.
    public static func carry<each Value: Sendable>(_ locals: repeat TaskLocal<each Value>) {
        for companion in repeat Companion(local: each locals) as any AnyCompanion { add(companion) }
        BindingFeatures.insert(.companions)
    }

    /// The number of companions named so far.
    public static var count: Int { all.withLock { $0.count } }

    private static let all = Locked<[any AnyCompanion]>([])

    private static func add(_ companion: any AnyCompanion) {
        all.withLock { all in
            if !all.contains(where: { $0.key == companion.key }) { all.append(companion) }
        }
    }

    /// Captures the values of all of them here; returns `nil` where none was named.
    static func capture() -> CompanionValues? {
        guard BindingFeatures.inUse.contains(.companions) else { return nil }
        return CompanionValues(all: all.withLock { $0 }.map { $0.capture() })
    }
}

/// A task-local of any type.
private protocol AnyCompanion: Sendable {
    var key: ObjectIdentifier { get }
    func capture() -> any CompanionValue
}

private struct Companion<Value: Sendable>: AnyCompanion {
    let local: TaskLocal<Value>

    var key: ObjectIdentifier { ObjectIdentifier(local) }

    func capture() -> any CompanionValue { Held(local: local, value: local.get()) }

    private final class Held: CompanionValue {
        private let local: TaskLocal<Value>
        private let value: Value

        init(local: TaskLocal<Value>, value: Value) {
            self.local = local
            self.value = value
        }

        func bind(_ body: () -> Void) { local.withValue(value, operation: body) }

        func bind(
            isolation: isolated (any Actor)?,
            _ body: nonisolated(nonsending) () async -> Void
        ) async {
            // Captures the isolation, or the closure would leave the caller's actor.
            await local.withValue(value) {
                _ = isolation
                await body()
            }
        }
    }
}
