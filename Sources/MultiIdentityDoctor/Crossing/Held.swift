/// Takes something into a closure that runs on another thread.
///
/// `@unchecked Sendable`: its values are objects that may be used from any thread and on Linux lack the conformance
/// (sources, channels, tasks' continuations, run loops), and what one crossing uses from one thread after the other.
struct Held<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// Has the only reference to the object to release.
final class Slot<Content> {
    private var content: Content?

    init(_ content: Content) { self.content = content }

    func take() -> Content? {
        defer { content = nil }
        return content
    }
}
