/// Carries a work item or its flags into a closure: both are safe there, but not marked `Sendable` on Linux.
struct Carried<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
