import CMultiIdentity
import Foundation
import MultiIdentityDiagnostics
import MultiIdentityTestSupport
import Testing

@testable import MultiIdentity

@Suite("Limits on a tree of work, and its threads") struct IdentityLimitExitTests {
    // Such a thread does not release what its work retained: the address sanitizer reports leaks.
    @Test("end with a thread that exits in its work, as what profilers see does", .enabled(if: !Sanitizer.isAddress))
    func exiting() async throws {
        let hasEnded = try await ProcessWideSwitch.exclusively {
            #if os(Linux)
            try IdentityThreadContext.turnOn()
            defer { IdentityThreadContext.turnOff() }
            #endif
            return await withCheckedContinuation { continuation in
                let ending = Unmanaged.passRetained(Ending { continuation.resume(returning: $0) })
                CThread.start(ending.toOpaque()) { context in
                    withIdentity(ada, limits: .init(cpu: .seconds(1))) {
                        OnThisThread.runHanded(by: grace) {
                            // After the work has begun, so that the package's own key is older, and is destroyed first.
                            pthread_setspecific(Ending.key, context)
                            pthread_exit(nil)
                        }
                    }
                    return nil
                }
            }
        }
        #expect(hasEnded)
        FeatureUses.shared.count(.limits, by: -1)  // for the scope, which leaks
    }

    /// Reports whether a thread works for no limits, and shows no one, when it ends.
    private final class Ending: Sendable {
        static let key = {
            var key = pthread_key_t()
            let refusal = pthread_key_create(&key) { context in
                guard let context = context as UnsafeMutableRawPointer? else { return }
                Unmanaged<Ending>.fromOpaque(context).takeRetainedValue().say(
                    mi_thread_current().pointee.limits == nil && mi_thread_context_shown() == nil
                )
            }
            precondition(refusal == 0, "No key could be made: \(refusal).")
            return key
        }()

        let say: @Sendable (Bool) -> Void

        init(_ say: @escaping @Sendable (Bool) -> Void) { self.say = say }
    }
}
