import MultiIdentity
import MultiIdentityLease

extension Incident {
    static let globals = [memoisedClosure, lazyGlobal, lastLogin]

    private static let memoisedClosure = Incident(
        name: "memoised-closure",
        title: "A memoised closure",
        symptom: "two people of one name see one menu",
        kind: .closures,
        references: [.issue("apache/superset", 26023)],
        mechanism: """
            A function is memoised by the text of its arguments, and that of a user is first and last name. Two users of one \
            name get one answer: what the first may see.
            """,
        model: "The memo is a dictionary.",
        lesson: "What is worked out for a user is kept for that user: by the identity, not by how it is displayed.",
        keeper: Keeper("`Identity.required()` as the key", see: "Construction.md#what-user-code-can-still-do"),
        asPublished: {
            let menus = Memo<String, Identity?>()
            let menu: @Sendable (Identity) -> Identity? = { user in
                RequestUser.$current.withValue(user) { menus(displayName(of: user)) { RequestUser.current } }
            }
            _ = menu(admin)
            return [Sighting("the other Kim's menu", of: guest, saw: menu(guest))]
        },
        withPackage: {
            let menus = Memo<Identity, Identity?>()
            let menu: @Sendable (Identity) throws -> Identity? = { user in
                try withIdentity(user) { menus(try Identity.required()) { Identity.current } }
            }
            _ = try menu(admin)
            return [Sighting("the other Kim's menu", of: guest, saw: try menu(guest))]
        }
    )

    private static let (admin, guest) = (Users.user("kim.admin@contoso.com"), Users.user("kim.guest@contoso.com"))

    private static func displayName(of user: Identity) -> String { "Kim Lee" }

    private static let lazyGlobal = Incident(
        name: "lazy-global",
        title: "A lazily initialised global under somebody's identity",
        symptom: "everything depends on who came first after the start",
        kind: .closures,
        references: [.issue("apache/gravitino", 12985)],
        mechanism: """
            A client that all share is made when it is first needed. Its first calls go out as the user that happened to come \
            first, and what they may see is what everybody gets.
            """,
        model: "The client only knows as whom it was made.",
        lesson: "What serves everybody is made under nobody, with rights of its own.",
        keeper: Keeper("`IdentityKeyed.Cache(.amongAll)`", see: "Leases.md#caches-single-flights-batches"),
        asPublished: {
            let clients = Memo<String, Identity?>()
            let client: @Sendable (Identity) -> Identity? = { user in
                RequestUser.$current.withValue(user) { clients("the only one") { RequestUser.current } }
            }
            _ = client(Users.ada)
            return [Sighting("the client that Bea is given", of: .nobody, saw: client(Users.bea))]
        },
        withPackage: {
            let clients = IdentityKeyed.Cache<String, Identity?>(.amongAll, limit: 1)
            let client = { @Sendable (user: Identity) in
                try await withIdentity(user) { try await clients.value(for: "the only one") { Identity.current } }
            }
            _ = try await client(Users.ada)
            return [Sighting("the client that Bea is given", of: .nobody, saw: try await client(Users.bea))]
        }
    )

    private static let lastLogin = Incident(
        name: "last-login",
        title: "Nobody's request under the last one who logged in",
        symptom: "a request without a user gets what somebody may see",
        kind: .closures,
        references: [.vulnerability("CVE-2022-21673")],
        mechanism: """
            A query that comes with an API token has no user. The identity that is forwarded with it is looked up without \
            one, and found: that of the last log-in.
            """,
        model: "Logins are an array.",
        lesson: "No user is an answer. Nothing is to be put in its place.",
        keeper: Keeper("`Identity.current`, which is `nil`", see: "Levels.md"),
        asPublished: {
            let logins = [Users.ada, Users.bea]
            let forwarded: @Sendable (Identity?) -> Identity? = { user in logins.last { user == nil || $0 == user } }
            return [
                Sighting("Ada's query", of: Users.ada, saw: forwarded(Users.ada)),
                Sighting("a query with an API token", of: nil, saw: forwarded(nil)),
            ]
        },
        withPackage: {
            let forwarded: @Sendable () -> Identity? = { Identity.current }
            return [
                Sighting("Ada's query", of: Users.ada, saw: withIdentity(Users.ada, forwarded)),
                Sighting("a query with an API token", of: nil, saw: withIdentity(nil, forwarded)),
            ]
        }
    )
}
