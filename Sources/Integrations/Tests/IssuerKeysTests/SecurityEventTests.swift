import Foundation
import IssuerKeys
import MultiIdentity
import SecurityEvents
import Synchronization
import Testing

@Suite("A security event token") struct SecurityEventTests {
    private func events(
        _ token: String,
        _ receiver: SecurityEventReceiver
    ) async throws -> (outcome: SecurityEventReceiver.Outcome, events: [SecurityEvent]) {
        let events = Mutex<[SecurityEvent]>([])
        let outcome = try await receiver.receive(token) { event in events.withLock { $0.append(event) } }
        return (outcome, events.withLock { $0 })
    }

    /// Returns the code of the error for a token, which must not be processed.
    private func code(_ token: String, _ receiver: SecurityEventReceiver) async -> SecurityEventError.Code? {
        do {
            _ = try await receiver.receive(token) { _ in Issue.record("it was acted on") }
        } catch {
            #expect(!"\(error)".contains("ada") && !"\(error)".contains("contoso"), "nothing of what it says is shown")
            return (error as? SecurityEventError)?.code
        }
        return nil
    }

    @Test("is processed as CAEP, RISC and SCIM say, for each format of a subject") func isActedOn() async throws {
        let issuer = try await EventIssuer()
        let ada = try Identity("ada@contoso.com")
        let subjects = [
            #"{"format": "email", "email": "Ada@contoso.com"}"#,
            #"{"format": "account", "uri": "acct:ada@contoso.com"}"#,
            #"{"format": "account", "uri": "ACCT:ada%40contoso.com"}"#,
            #"{"format": "opaque", "id": "ada@contoso.com"}"#,
            #"{"format": "scim", "uri": "/Users/7", "externalId": "ada@contoso.com"}"#,
            #"{"format": "scim", "uri": "https://scim.example/v2/users/7?a=/b", "externalId": "ada@contoso.com"}"#,
            #"{"format": "scim", "uri": "/%55sers/7%2F8", "externalId": "ada@contoso.com"}"#,
            #"{"format": "iss_sub", "iss": "https://login.example", "sub": "ada@contoso.com"}"#,
            #"{"format": "iss_sub", "iss": "https://login.example/", "sub": "ada@contoso.com"}"#,
            #"{"subject_type": "iss-sub", "iss": "https://login.example", "sub": "ada@contoso.com"}"#,
            #"{"format": "aliases", "identifiers": [{"format": "phone_number", "phone_number": "+1"}, {"format": "email", "email": "ada@contoso.com"}]}"#,
            #"{"format": "complex", "user": {"format": "email", "email": "ada@contoso.com"}, "device": {"format": "opaque", "id": "x"}}"#,
        ]
        let kinds: [(String, SecurityEvent.Kind)] = [
            (EventIssuer.revoked, .signedOut), (EventIssuer.disabled, .left),
            ("https://schemas.openid.net/secevent/risc/event-type/sessions-revoked", .signedOut),
            ("https://schemas.openid.net/secevent/oauth/event-type/tokens-revoked", .signedOut),
            ("https://schemas.openid.net/secevent/risc/event-type/account-purged", .left),
            ("urn:ietf:params:scim:event:prov:delete", .left), ("URN:ietf:params:SCIM:event:prov:deactivate", .left),
            (
                "https://schemas.openid.net/secevent/ssf/event-type/verification",
                .other("https://schemas.openid.net/secevent/ssf/event-type/verification")
            ),
        ]
        var number = 0
        for subject in subjects {
            for (uri, kind) in kinds {
                for isInEvent in [false, true] {
                    number += 1
                    let inEvent = isInEvent ? #"{"subject": \#(subject), "reason_admin": {"en": "x"}}"# : "{}"
                    let token = try issuer.token(
                        #"{"jti": "\#(number)", "sub_id": \#(isInEvent ? "null" : subject), "events": {"\#(uri)": \#(inEvent)}}"#
                    )
                    let (outcome, events) = try await events(token, issuer.receiver)
                    #expect(outcome == .received && events.count == 1)
                    #expect(events.first?.kind == kind && events.first?.id == "\(number)")
                    #expect(events.first?.identities == [ada], "\(subject)")
                }
            }
        }
        let others = SubjectIdentifier.subject("ada@contoso.com", issuer: "https://other.example")
        #expect(others.identities(from: EventIssuer.name) == [], "of another issuer's subjects it knows nothing")
    }

    @Test(
        "that has no consequence for an account is accepted, and does nothing",
        arguments: [
            (#"{"format": "scim", "uri": "/Groups/7", "externalId": "ada@contoso.com"}"#, EventIssuer.deleted),
            (#"{"format": "scim", "uri": "/Groups/Users%2F7", "externalId": "ada@contoso.com"}"#, EventIssuer.deleted),
            (#"{"format": "scim", "uri": "/Users/7"}"#, EventIssuer.deleted), ("null", "https://made.example/up"),
            (#"{"format": "phone_number", "phone_number": "+1"}"#, "https://made.example/up"),
        ],
        ["{}", "null", "7", #"{"state": "x"}"#]
    )
    func hasNoConsequence(_ named: (subject: String, uri: String), _ event: String) async throws {
        let issuer = try await EventIssuer()
        let token = try issuer.token(#"{"sub_id": \#(named.subject), "events": {"\#(named.uri)": \#(event)}}"#)
        let (outcome, events) = try await events(token, issuer.receiver)
        #expect(outcome == .received && events.map(\.kind) == [.other(named.uri)] && events[0].identities.isEmpty)
    }

    @Test("is refused if it is forged, of another type, wrongly addressed, too old or unreadable")
    func isRefused() async throws {
        let issuer = try await EventIssuer()
        let receiver = issuer.receiver
        let good = try issuer.token()
        let parts = good.split(separator: ".").map(String.init)
        let none = Data(#"{"alg": "none", "typ": "secevent+jwt"}"#.utf8).base64URL
        let cases: [(String, String, SecurityEventError.Code)] = [
            ("another's key", try issuer.token(signedBy: try await MadeKey("ES256", id: "one")), .invalidKey),
            ("an unknown key", try issuer.token(signedBy: try await MadeKey("ES256", id: "two")), .invalidKey),
            ("other claims", [parts[0], Data("{}".utf8).base64URL, parts[2]].joined(separator: "."), .invalidKey),
            ("no signature", "\(none).\(parts[1]).", .invalidKey),
            ("no type", try issuer.token(typ: nil), .invalidRequest),
            ("an access token", try issuer.token(typ: "at+jwt"), .invalidRequest),
            ("another issuer", try issuer.token(#"{"iss": "https://other.example"}"#), .invalidIssuer),
            ("another receiver", try issuer.token(#"{"aud": ["https://other.example"]}"#), .invalidAudience),
            ("no receiver", try issuer.token(#"{"aud": null}"#), .invalidRequest),
            ("an old one", try issuer.token(#"{"iat": 1799996000}"#), .stale),
            ("one from the future", try issuer.token(#"{"iat": 1800000100}"#), .stale),
            ("one from before all time", try issuer.token(#"{"iat": -1e300}"#), .stale),
            ("one from after all time", try issuer.token(#"{"iat": 1e300}"#), .stale),
            ("no time", try issuer.token(#"{"iat": null}"#), .invalidRequest),
            ("no id", try issuer.token(#"{"jti": null}"#), .invalidRequest),
            ("an empty id", try issuer.token(#"{"jti": ""}"#), .invalidRequest),
            ("no events", try issuer.token(#"{"events": {}}"#), .invalidRequest),
            (
                "a subject of another format",
                try issuer.token(#"{"sub_id": {"format": "phone_number", "phone_number": "+1"}}"#),
                .invalidRequest
            ),
            ("no subject", try issuer.token(#"{"sub_id": null}"#), .invalidRequest),
            ("an empty name", try issuer.token(#"{"sub_id": {"format": "email", "email": ""}}"#), .invalidRequest),
            (
                "no URI",
                try issuer.token(
                    #"{"sub_id": {"format": "scim", "uri": "https://[/Users/7", "externalId": "ada@contoso.com"}}"#
                ), .invalidRequest
            ),
            (
                "names of which none is known",
                try issuer.token(
                    #"{"sub_id": {"format": "aliases", "identifiers": [{"format": "phone_number", "phone_number": "+1"}]}}"#
                ), .invalidRequest
            ),
            (
                "names without any",
                try issuer.token(#"{"sub_id": {"format": "aliases", "identifiers": []}}"#), .invalidRequest
            ),
            (
                "names that are names",
                try issuer.token(
                    #"{"sub_id": {"format": "aliases", "identifiers": [{"format": "aliases", "identifiers": []}]}}"#
                ), .invalidRequest
            ),
            (
                "an account of another scheme",
                try issuer.token(#"{"sub_id": {"format": "account", "uri": "mailto:ada@contoso.com"}}"#),
                .invalidRequest
            ),
            (
                "a subject with parts that have parts",
                try issuer.token(
                    #"{"sub_id": {"format": "complex", "user": {"format": "complex", "user": {"format": "opaque", "id": "x"}}}}"#
                ), .invalidRequest
            ),
            (
                "two subjects",
                try issuer.token(
                    #"{"events": {"x": {"subject": {"format": "email", "email": "bob@contoso.com"}}}}"#
                ), .invalidRequest
            ),
            ("no token", "", .invalidRequest), ("a sentence", "ada@contoso.com left", .invalidRequest),
            ("two parts", "\(parts[0]).\(parts[1])", .invalidRequest),
            ("too long", String(repeating: "a", count: 70_000), .invalidRequest),
        ]
        for (name, token, code) in cases {
            #expect(await self.code(token, receiver) == code, "\(name)")
        }
        #expect(try await events(good, receiver).outcome == .received, "and the good one is good")
    }

    @Test("is processed once, also after a restart, and again if processing failed") func isActedOnOnce() async throws {
        let issuer = try await EventIssuer()
        let token = try issuer.token()
        struct Broken: Error {}
        await #expect(throws: Broken.self) { try await issuer.receiver.receive(token) { _ in throw Broken() } }
        #expect(try await events(token, issuer.receiver).events.count == 1)
        #expect(try await events(token, issuer.receiver).outcome == .repeated)
        let later = try await issuer.receiver(at: EventIssuer.now.addingTimeInterval(3_000))
        #expect(try await events(token, later).outcome == .repeated)
        #expect(try await events(token, later).events.isEmpty)
        // Forgotten once it would be refused for its age.
        let afterwards = EventIssuer.now.addingTimeInterval(4_000)
        let latest = try await issuer.receiver(at: afterwards)
        let other = try issuer.token(#"{"jti": "2", "iat": 1800004000}"#)
        #expect(try await events(other, latest).outcome == .received)
        #expect(await code(token, latest) == .stale)
        let kept = try ReceivedTokensInFile(at: issuer.file)
        #expect(await kept.contains("2", of: EventIssuer.name))
        #expect(await !kept.contains("1", of: EventIssuer.name))
        try FileManager.default.removeItem(at: issuer.file)
    }
}
