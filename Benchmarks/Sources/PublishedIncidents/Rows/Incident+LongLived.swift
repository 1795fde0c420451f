import Foundation
import MultiIdentity
import MultiIdentityFoundation

extension Incident {
    static let longLived = [openSocket, timer]

    private static let openSocket = Incident(
        name: "open-socket",
        title: "A long-lived connection that captured its first user",
        symptom: "a page that stayed open goes on as the user who has signed out",
        kind: .longLived,
        references: [.issue("basecamp/fizzy", 3093), .issue("scottfwlr/yak", 18)],
        mechanism: """
            A web socket asks who its user is once, when it is opened. The user signs out, and frames that come through the \
            open socket are still handled as theirs.
            """,
        model: "The socket is the closure that handles its frames.",
        lesson: "Being signed in ends while connections live. Whatever captured a user has to hear of it.",
        keeper: Keeper("`IdentityRevocation`", see: "Revocation.md#what-becomes-of-their-work"),
        asPublished: {
            var signedIn: Set = [Users.ada]
            let socket: @Sendable () -> Identity? = { [user = Users.ada] in user }
            signedIn.remove(Users.ada)
            return [Sighting("a frame after Ada has signed out", of: .nobody, saw: socket())]
        },
        withPackage: {
            let ada = Users.user("ada@socket.example")
            IdentityRevocation.isOn = true
            let socket = withIdentity(ada) { IdentitySnapshot.capture().wrap { Identity.current } }
            IdentityRevocation.revoke(ada, for: .signedOut)
            defer { IdentityRevocation.readmit(ada) }
            return [Sighting("a frame after Ada has signed out", of: .nobody, saw: socket())]
        }
    )

    private static let timer = Incident(
        name: "timer",
        title: "A timer that lives longer than its user",
        symptom: "a log line each minute names a user who left long ago",
        kind: .longLived,
        references: [.issue("aspnet/HttpClientFactory", 199), .issue("dotnet/corefx", 26067)],
        mechanism: """
            A library makes its clean-up timer when it is first used, inside somebody's request, and the timer captures that \
            request's context. Every tick is that user's, in the log and elsewhere, for as long as the process lives.
            """,
        model: "The library's timer is a task that waits for ticks: a `Task { }` captures as a timer of .NET does.",
        lesson: "Make what serves everybody under nobody. What serves one user ends, or is nobody's, with that user.",
        keeper: Keeper("`Timer.propagatingIdentity` and `IdentityRevocation`", see: "Revocation.md"),
        asPublished: {
            let (ticks, library) = AsyncStream<Void>.makeStream()
            let cleaning = RequestUser.$current.withValue(Users.ada) {
                Task {
                    for await _ in ticks { return RequestUser.current }
                    return nil
                }
            }
            library.yield()
            let own = RequestUser.$current.withValue(Users.ada) {
                let user = RequestUser.current
                return tick { seen in Timer(timeInterval: 3_600, repeats: true) { _ in seen.note(user) } }
            }
            return ticking(saw: await cleaning.value, try own.only)
        },
        withPackage: {
            let ada = Users.user("ada@timer.example")
            IdentityRevocation.isOn = true
            let (ticks, library) = AsyncStream<Void>.makeStream()
            let cleaning = withIdentity(ada) {
                withIdentity(.nobody) {
                    Task {
                        for await _ in ticks { return Identity.current }
                        return nil
                    }
                }
            }
            library.yield()
            defer { IdentityRevocation.readmit(ada) }
            let own = tick { seen in
                defer { IdentityRevocation.revoke(ada, for: .signedOut) }
                return withIdentity(ada) {
                    Timer.propagatingIdentity(timeInterval: 3_600, repeats: true) { _ in seen.note(Identity.current) }
                }
            }
            return ticking(saw: await cleaning.value, try own.only)
        }
    )

    /// Has a timer tick, as its run loop would.
    private static func tick(_ make: (Seen) -> Timer) -> Seen {
        let seen = Seen()
        let timer = make(seen)
        timer.fire()
        timer.invalidate()
        return seen
    }

    private static func ticking(saw library: Identity?, _ own: Identity?) -> [Sighting] {
        [
            Sighting("a tick of the library's clean-up", of: .nobody, saw: library),
            Sighting("a tick of Ada's timer after she has signed out", of: .nobody, saw: own),
        ]
    }
}
