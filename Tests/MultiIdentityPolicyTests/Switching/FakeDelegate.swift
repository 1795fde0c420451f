import MultiIdentity
import MultiIdentityPolicy

/// A delegate that does what its test says.
final class FakeDelegate: SwitchDelegate {
    private let act: @Sendable (SwitchRequest) -> Void

    init(_ act: @escaping @Sendable (SwitchRequest) -> Void) { self.act = act }

    func switchIsRequired(_ request: SwitchRequest) { act(request) }
}
