/// Holds the one reference to what is to be released.
final class Slot<Content> {
    private var content: Content?

    init(_ content: Content) { self.content = content }

    func take() -> Content? {
        defer { content = nil }
        return content
    }
}
