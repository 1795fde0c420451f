import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityDoctor

#if os(Linux)
@Suite("After an examination", .serialized) struct LeavingNothingBehindTests {
    /// In a process of its own, where nobody else opens anything.
    @Test("no descriptor, child process or signal handler is left, and the levels are as before", .rule("4.5"))
    func nothing() async throws {
        await #expect(processExitsWith: .success) {
            IdentityLevels.shared.process = try Identity("service@contoso.com")
            let before = Self.disposition
            _ = await IdentityDoctor.examine()  // Dispatch and Foundation open what they keep
            let descriptors = try Self.descriptors
            for _ in 0..<2 { _ = await IdentityDoctor.examine() }
            // A session that was invalidated may close its own later, and libdispatch ends an idle worker, which has its
            // run loop's, after five seconds: nobody tells when, and turns alone would take the processor meanwhile.
            let end = ContinuousClock.now + .seconds(120)
            while try Self.descriptors > descriptors, .now < end { try await Task.sleep(for: .milliseconds(100)) }
            let left = try Self.descriptors
            #expect(left <= descriptors)
            #expect(Self.disposition == before)
            let child = waitpid(-1, nil, WNOHANG)
            #expect(child == -1)
            #expect(IdentityLevels.shared.process?.name == "service@contoso.com")
            #expect(IdentityLevels.shared.ui == nil)
        }
    }

    private static var descriptors: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    }

    private static var disposition: Int {
        var disposition = sigaction()
        sigaction(SIGURG, nil, &disposition)
        return unsafeBitCast(disposition.__sigaction_handler.sa_handler, to: Int.self)
    }
}
#endif
