import Foundation
import Hummingbird
import MultiIdentity
import MultiIdentityManagement
import Synchronization

/// A service that enrolls accounts, as an administrator has set it up.
final class FakeEnrollment: Sendable {
    /// The policies, and who has them; what each account has been sent is not kept.
    struct State {
        var policies = ""
        var targeted: Set<String> = []
        var calls: [String] = []
    }

    let state = Mutex(State())

    var application: Application<RouterResponder<BasicRequestContext>> {
        let router = Router()
        router.on("accounts/:name", method: .put) { request, context in
            self.answer(request, context, to: "enroll") { state, name in
                state.targeted.contains(name) ? (.ok, state.policies) : (.forbidden, "")
            }
        }
        router.get("accounts/:name/policies") { request, context in
            self.answer(request, context, to: "check") { state, name in
                state.targeted.contains(name) ? (.ok, state.policies) : (.gone, "it left the group")
            }
        }
        router.get("accounts/:name/configuration") { request, context in
            self.answer(request, context, to: "configuration") { _, _ in
                (
                    .ok,
                    #"{"version": 1, "parts": [{"audience": "targeted", "values": {"theme": "dark"}}, {"audience": "standard", "values": {"theme": "light"}}]}"#
                )
            }
        }
        router.delete("accounts/:name") { request, context in
            self.answer(request, context, to: "unenroll") { _, _ in (.noContent, "") }
        }
        return Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0))
        )
    }

    private func answer(
        _ request: Request,
        _ context: BasicRequestContext,
        to call: String,
        _ answer: (inout State, String) -> (HTTPResponse.Status, String)
    ) -> Response {
        let name = context.parameters.get("name")?.removingPercentEncoding ?? ""
        guard request.headers[.authorization] == "Bearer service-token" else { return Response(status: .unauthorized) }
        let (status, text) = state.withLock { state in
            state.calls.append("\(call) \(name)")
            return answer(&state, name)
        }
        return Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

/// The time of day, some time later; who sleeps wakes when it has come.
final class ShiftedClock: Clock, Sendable {
    private let shift = Mutex(Duration.zero)

    var now: WallInstant { SystemWallClock().now.advanced(by: shift.withLock { $0 }) }
    var minimumResolution: Duration { .milliseconds(1) }

    func advance(by duration: Duration) { shift.withLock { $0 += duration } }

    func sleep(until deadline: WallInstant, tolerance: Duration?) async throws {
        while now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    }
}
