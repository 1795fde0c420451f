/// Carries a work item or its flags into a closure: both are safe there, and on Linux lack the word for it.
struct Carried<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
