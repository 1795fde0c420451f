#if os(Linux)
import Dispatch
import Glibc
import MultiIdentityTestSupport
import Testing

@testable import MultiIdentity

@Suite("In the child of a fork") struct ForkTests {
    @Test(
        "the thread that forked is main, continues in its scope, and sees revoked identities; other work still counts",
        .rule("2.3"),
        .rule("10.6")
    )
    func child() async throws {
        try await Revocation.whileOn { ada in
            let (bob, eve) = (try Revocation.newIdentity("bob"), try Revocation.newIdentity("eve"))
            IdentityRevocation.revoke(eve, for: .signedOut)
            defer { IdentityRevocation.readmit(eve) }
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
                return withIdentity(bob) { [Self.found(ada, bob, eve), Self.foundInChild(ada, bob, eve)] }
            }
            #expect(found == [[false, true, true, true, true], [true, true, true, true, true]])
        }
    }

    /// Returns whether this thread is main (Bob's), whether Eve is revoked, whether Ada's work counts, and whether a second
    /// scope of hers does.
    private static func found(_ ada: Identity, _ bob: Identity, _ eve: Identity) -> [Bool] {
        func running() -> Int { ada.spelling.record.tally.running + ada.spelling.record.threadsInFlight }
        let before = running()
        let inside = withIdentity(ada) { running() }
        let isBobs = Identity.current == bob && bob.spelling.record.tally.running == 1
        return [
            MainProbe.system(), isBobs, IdentityRevocation.isRevoked(eve), before == 1,
            inside == before + 1 && running() == before,
        ]
    }

    private static func foundInChild(_ ada: Identity, _ bob: Identity, _ eve: Identity) -> [Bool]? {
        typealias Fork = @convention(c) () -> pid_t
        guard let fork = dlsym(nil, "fork") else { return nil }
        let child = unsafeBitCast(fork, to: Fork.self)()
        if child == 0 {
            alarm(60)  // in case it waits for a thread that no longer exists
            _exit(found(ada, bob, eve).reduce(0) { $0 << 1 | ($1 ? 1 : 0) })
        }
        var status: Int32 = 0
        guard waitpid(child, &status, 0) == child, status & 0x7f == 0 else { return nil }
        return (0..<5).map { status >> (12 - $0) & 1 != 0 }
    }
}
#endif
