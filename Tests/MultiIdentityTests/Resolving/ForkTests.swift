#if os(Linux)
import Dispatch
import Glibc
import MultiIdentityTestSupport
import Testing

@testable import MultiIdentity

@Suite("In the child of a fork") struct ForkTests {
    @Test("the thread that forked is main, and no work of other threads runs", .rule("2.3"), .rule("10.6"))
    func child() async throws {
        try await Revocation.whileOn { ada in
            let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            withIdentity(ada) {
                IdentityQueue.global().async {
                    begun.signal()
                    end.wait()
                }
            }
            defer { end.signal() }
            let found = await onNewThread {
                begun.wait()
                return [Self.found(of: ada), Self.foundInChild(of: ada)]
            }
            #expect(found == [[false, true], [true, false]])
        }
    }

    /// Whether this thread is main, and work of an identity runs.
    private static func found(of identity: Identity) -> [Bool] {
        [MainProbe.system(), !IdentityRevocation.workInFlight(of: identity).isDrained]
    }

    private static func foundInChild(of identity: Identity) -> [Bool]? {
        typealias Fork = @convention(c) () -> pid_t
        guard let fork = dlsym(nil, "fork") else { return nil }
        let child = unsafeBitCast(fork, to: Fork.self)()
        if child == 0 {
            alarm(60)  // should it wait for a thread that is gone
            let found = found(of: identity)
            _exit((found[0] ? 1 : 0) | (found[1] ? 2 : 0))
        }
        var status: Int32 = 0
        guard waitpid(child, &status, 0) == child, status & 0x7f == 0 else { return nil }
        return [status >> 8 & 1 != 0, status >> 8 & 2 != 0]
    }
}
#endif
