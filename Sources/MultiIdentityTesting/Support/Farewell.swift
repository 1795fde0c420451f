/// Something that work captures, and that says when it is released.
final class Farewell: Sendable {
    private let said: Reply<Void>

    init(_ said: Reply<Void>) { self.said = said }

    deinit { said.send(()) }
}
