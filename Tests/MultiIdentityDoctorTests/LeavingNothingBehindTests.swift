import Foundation
import MultiIdentity
import Testing

@testable import MultiIdentityDoctor

#if os(Linux)
@Suite("After an examination", .serialized) struct LeavingNothingBehindTests {
    /// In a separate process, where no other code opens anything.
    @Test("no descriptor, child process or signal handler is left, and the levels are as before", .rule("4.5"))
    func nothing() async throws {
        await #expect(processExitsWith: .success) {
            IdentityLevels.shared.process = try Identity("service@contoso.com")
            let before = Self.disposition
            _ = await IdentityDoctor.examine()  // opens the descriptors that Dispatch and Foundation keep
            let descriptors = try Self.descriptors
            for _ in 0..<2 { _ = await IdentityDoctor.examine() }
            // An invalidated session may close its descriptors later, and libdispatch ends an idle worker, with its run loop's
            // descriptors, after
            // five seconds. Nothing reports either event, and polling with yields alone would use up the processor meanwhile.
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
