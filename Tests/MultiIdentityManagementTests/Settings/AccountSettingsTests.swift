import MultiIdentity
@_spi(Stores) import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityTesting
import Testing

@Suite("An account's own setting") struct AccountSettingsTests {
    private let ada = RegistryScene.account()

    private func scene(in folder: DatabaseFolder? = nil) throws -> RegistryScene {
        let clock = SteppedClock()
        var configuration = try ManagementConfiguration(environment: ["MULTI_IDENTITY_AUTHORITY": "all's"])
        (configuration.jitter, configuration.redirectURI) = (0, "code's")
        return RegistryScene(
            configuration: configuration,
            store: try folder.map { try SQLiteAccountStore($0.database, clock: clock) },
            clock: clock
        )
    }

    @Test("goes to the provider and the service with each later request, and to no other account's", .rule("17.5"))
    func goesToTheProviderAndTheService() async throws {
        let (scene, bob) = (try scene(), RegistryScene.account())
        for account in [ada, bob] {
            try await scene.enroll(account)
        }
        #expect(scene.service.script.withLock { $0.authorities } == ["all's", "all's", "all's", "all's"])
        try scene.registry.overrideSettings(of: ada) { $0.authority = "ada's" }
        scene.service.script.withLock { $0.authorities = [] }
        await scene.pass(hours: 8)
        #expect(Set(scene.service.script.withLock { $0.authorities }) == ["ada's", "all's"])
        #expect(scene.service.script.withLock { $0.authorities.filter { $0 == "ada's" }.count } == 2)
        #expect(try scene.registry.settings(of: ada) == AccountSettings(authority: "ada's", redirectURI: "code's"))
        #expect(try scene.registry.settings(of: bob).authority == "all's")
        try scene.registry.overrideSettings(of: ada) { $0.authority = nil }
        #expect(try scene.registry.settings(of: ada).authority == "all's")
    }

    @Test(
        "outlives the process and is dropped when the account leaves",
        .rule("17.5"),
        .guide("settings in the app's property list"),
        arguments: [false, true]
    )
    func outlivesTheProcess(_ isRemoved: Bool) async throws {
        let folder = try DatabaseFolder()
        let scene = try scene(in: folder)
        try await scene.enroll(ada)
        try scene.registry.overrideSettings(of: ada) { $0.authority = "ada's" }
        try scene.registry.overrideSettings(of: ada) { $0.clientID = "client" }
        let next = try await scene.startedAgain()
        let settings = try next.registry.settings(of: ada)
        #expect(settings.authority == "ada's" && settings.clientID == "client")
        if isRemoved {
            try next.registry.remove(ada, because: "left")
            _ = await next.statuses(until: .wiped)
        } else {
            next.service.script.withLock { $0.authorities = [] }
            try await next.registry.deregister(ada, wiping: false)
            _ = await next.statuses(until: .serviceNotified)
            // The provider and the service, which used them for the enrolment.
            #expect(next.service.script.withLock { $0.authorities } == ["ada's", "ada's"])
        }
        let after = try next.registry.settings(of: ada)
        #expect(after.authority == "all's" && after.clientID == nil)
    }

    @Test("is announced as an event, without its value", .rule("17.5"))
    func isToldAsAnEvent() async throws {
        let scene = try scene()
        try await scene.enroll(ada)
        let events = Locked<[String]>([])
        let subscription = scene.registry.onEvent { event in events.withLock { $0.append(event.description) } }
        try scene.registry.overrideSettings(of: ada) { $0.authority = "ada's" }
        try scene.registry.overrideSettings(of: ada) { $0.authority = nil }
        await eventually { events.withLock { $0.count == 2 } }
        subscription.cancel()
        #expect(
            events.withLock { $0 } == [
                "\(ada): settingOverridden, authority is its own now",
                "\(ada): settingOverridden, authority is the program's again",
            ]
        )
    }

    @Test("is refused if it is invalid, has a wrong value, or the account is not registered", .rule("17.5"))
    func isRefused() async throws {
        let scene = try scene()
        let absent = try #require(throws: ManagementError.self) {
            try scene.registry.overrideSettings(of: ada) { $0.authority = "ada's" }
        }
        #expect(absent.code == .notRegistered)
        try await scene.enroll(ada)
        // A setting in code takes precedence: another one would be announced, but not in force.
        for own in [AccountSettings(authority: "s3cret\n"), AccountSettings(clientID: "c", redirectURI: "ada's")] {
            let error = try #require(throws: ManagementError.self) {
                try scene.registry.overrideSettings(of: ada) { $0 = own }
            }
            #expect(error.code == .wrongValue && !error.message.contains("s3cret"))
        }
        #expect(try scene.registry.account(ada)?.overridesText == nil)
    }

    @Test("is read as earlier releases stored it", .rule("17.5")) func isReadAsEarlierReleasesStoredIt() throws {
        let scene = try scene()
        try scene.store.transaction { [ada] (transaction) throws(ManagementError) in
            var record = AccountRecord(ada, .registered)
            record.overridesText = #"{"multiIdentity": {"authority": "ada's", "clientID": "\u00e9"}}"#
            try transaction.put(record)
        }
        let expected = AccountSettings(authority: "ada's", clientID: "é", redirectURI: "code's")
        #expect(try scene.registry.settings(of: ada) == expected)
        try scene.registry.overrideSettings(of: ada) { $0.clientID = "c" }
        let stored = try scene.registry.account(ada)?.overridesText
        #expect(stored == #"{"multiIdentity": {"authority": "ada's", "clientID": "c"}}"#)
    }
}
