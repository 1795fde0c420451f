import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityTesting
import Testing

@Suite("A setting of an account's own") struct OverriddenSettingTests {
    private let ada = RegistryScene.account()

    private func scene(store: any AccountStore = SQLiteAccountStore()) throws -> RegistryScene {
        RegistryScene(
            settings: try IdentitySettings(
                code: [.spread: .number(0), .redirectURI: .text("code's")],
                environment: ["MULTI_IDENTITY_AUTHORITY": "all's"]
            ),
            store: store
        )
    }

    @Test("goes to the provider and the service with each request after that, and to nobody else's", .rule("17.5"))
    func goesToTheProviderAndTheService() async throws {
        let (scene, bob) = (try scene(), RegistryScene.account())
        for account in [ada, bob] {
            try scene.registry.register(account)
            _ = await scene.statuses(until: .restartWanted)
        }
        #expect(scene.service.script.withLock { $0.authorities } == ["all's", "all's", "all's", "all's"])
        try scene.registry.override(.authority, with: .text("ada's"), of: ada)
        scene.service.script.withLock { $0.authorities = [] }
        await scene.pass(hours: 8)
        #expect(Set(scene.service.script.withLock { $0.authorities }) == ["ada's", "all's"])
        #expect(scene.service.script.withLock { $0.authorities.filter { $0 == "ada's" }.count } == 2)
        #expect(try scene.registry.settings(of: ada).explanation(of: .authority).hidden == [.environment])
        #expect(try scene.registry.settings(of: bob).authority == "all's")
        try scene.registry.override(.authority, with: nil, of: ada)
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
        let scene = try scene(store: SQLiteAccountStore(folder.database))
        try scene.registry.register(ada)
        _ = await scene.statuses(until: .restartWanted)
        try scene.registry.override(.authority, with: .text("ada's"), of: ada)
        try scene.registry.override(.clientID, with: .text("client"), of: ada)
        let next = scene.restarted()
        try await next.registry.start()
        let settings = try next.registry.settings(of: ada)
        #expect(settings.authority == "ada's" && settings.clientID == "client")
        if isRemoved {
            try next.registry.remove(ada, because: "left")
            _ = await next.statuses(until: .wiped)
        } else {
            next.service.script.withLock { $0.authorities = [] }
            try await next.registry.deregister(ada, wiping: false)
            _ = await next.statuses(until: .serviceTold)
            // The provider and the service, which enrolled it by them.
            #expect(next.service.script.withLock { $0.authorities } == ["ada's", "ada's"])
        }
        let after = try next.registry.settings(of: ada)
        #expect(after.authority == "all's" && after.clientID == nil)
    }

    @Test("is announced as an event, without its value", .rule("17.5"))
    func isToldAsAnEvent() async throws {
        let scene = try scene()
        try scene.registry.register(ada)
        _ = await scene.statuses(until: .restartWanted)
        let events = Locked<[String]>([])
        let subscription = scene.registry.onEvent { event in events.withLock { $0.append(event.description) } }
        try scene.registry.override(.authority, with: .text("ada's"), of: ada)
        try scene.registry.override(.authority, with: nil, of: ada)
        await eventually { events.withLock { $0.count == 2 } }
        subscription.cancel()
        #expect(
            events.withLock { $0 } == [
                "\(ada): settingOverridden, authority is its own now",
                "\(ada): settingOverridden, authority is the program's again",
            ]
        )
    }

    @Test("is refused where it can be none, has a wrong value, or the account is not registered", .rule("17.5"))
    func isRefused() async throws {
        let scene = try scene()
        let absent = try #require(throws: AccountRegistryError.self) {
            try scene.registry.override(.authority, with: .text("ada's"), of: ada)
        }
        #expect(absent.code == .notRegistered)
        try scene.registry.register(ada)
        _ = await scene.statuses(until: .restartWanted)
        for (setting, value) in [
            (IdentitySetting.policyRequired, IdentitySetting.Value.boolean(true)), (.authority, .boolean(true)),
            (.authority, .text("s3cret\n")), (.spread, nil),
            // The code's comes first: it would be announced, and not in force.
            (.redirectURI, .text("ada's")),
        ] as [(IdentitySetting, IdentitySetting.Value?)] {
            let error = try #require(throws: AccountRegistryError.self) {
                try scene.registry.override(setting, with: value, of: ada)
            }
            #expect(error.code == .invalidSetting && !error.message.contains("s3cret"))
        }
        #expect(try scene.registry.account(ada)?.overridesText == nil)
    }
}
