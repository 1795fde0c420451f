import MultiIdentity
import MultiIdentityManagement
import MultiIdentityPolicy
import MultiIdentityTesting
import Testing

@Suite("A scrubber") struct ScrubberTests {
    @Test(
        "removes values wherever they are, and all overlapping ones",
        .rule("18.1"),
        .guide("values kept out of logs", "ValuesToScrubFromLogging"),
        arguments: [
            ("", ""), ("nothing here", "nothing here"), ("hunter22", "[scrubbed]"),
            ("a hunter22, hunter22 and hunter2", "a [scrubbed], [scrubbed] and hunter2"),
            ("hunter22hunter22", "[scrubbed]"), ("abcdef", "[scrubbed]"), ("xabcdefgx", "x[scrubbed]gx"),
            ("naïveté", "[scrubbed]"), ("a naïveté…", "a [scrubbed]…"),
            ("cut off: hunt…", "cut off: [scrubbed]…"), ("cut off: hun…", "cut off: hun…"),
            ("hunter2… hunter22", "[scrubbed]… [scrubbed]"),
        ]
    )
    func takesValuesOut(_ text: String, _ scrubbed: String) {
        let scrubber = Scrubber(values: ["hunter22", "abcd", "cdef", "naïveté"])
        #expect(scrubber.scrubbed(text) == scrubbed)
    }

    @Test("removes a value as messages and JSON write it, and the start of a long one", .rule("18.1"))
    func takesOutWhatIsEscaped() {
        let (strange, long) = ("pa\"ss\nwo\\rd", String(repeating: "0123456789", count: 10))
        let scrubber = Scrubber(values: [strange, long])
        for value in [strange, long] {
            let texts = [value, "\(EscapedText(value))", String(decoding: JSONText.quoted(value), as: UTF8.self)]
            for text in texts {
                let scrubbed = scrubber.scrubbed("x \(text) y")
                #expect(
                    scrubbed.contains("[scrubbed]") && !scrubbed.contains("ss") && !scrubbed.contains("4567"),
                    "\(text)"
                )
            }
        }
    }

    @Test("removes the start of a value that contains an ellipsis", .rule("18.1"))
    func takesOutTheStartBeforeAnEllipsis() {
        let scrubber = Scrubber(values: ["abcd…efgh"])
        let scrubbed = scrubber.scrubbed("abcd…efgh abcd… abcd…e abcd…ef…")
        #expect(scrubbed == "[scrubbed] [scrubbed]… [scrubbed]…e [scrubbed]…")
    }

    @Test("removes the value of a key, in any case of letters", .rule("18.1"))
    func takesOutKeys() {
        let scrubber = Scrubber(values: ["hunter22"], keys: ["Password"])
        #expect(scrubber.scrubbed("x", under: "password") == "[scrubbed]")
        #expect(scrubber.scrubbed("x", under: "PASSWORD") == "[scrubbed]")
        #expect(scrubber.scrubbed("is hunter22", under: "passwords") == "is [scrubbed]")
        #expect(!scrubber.isEmpty && Scrubber().isEmpty && !Scrubber(keys: ["a"]).isEmpty)
    }

    @Test("skips short values with a warning, and shows none itself", .rule("18.1"))
    func passesOverShortValues() throws {
        let scrubber = Scrubber(.with { ($0.valuesToScrub, $0.keysToScrub) = (["abc", "hunter22", "日本"], ["pin"]) })
        #expect(scrubber.scrubbed("abc 日本 hunter22") == "abc 日本 [scrubbed]")
        #expect(
            scrubber.warnings.count == 2 && scrubber.warnings[1].hasPrefix("Value 3 of the values to scrub has fewer")
        )
        let shown = scrubber.warnings.joined() + "\(scrubber)" + String(reflecting: scrubber)
        #expect(!shown.contains("abc") && !shown.contains("日本") && !shown.contains("hunter22"))
    }

    @Test("removes random values from random texts, whole and truncated, and nothing else", .rule("18.1"))
    func takesMadeUpValuesOut() {
        var dice = Dice(24)
        for _ in 0..<3_000 {
            // Two letters and an ellipsis, so that much overlaps, restarts and is truncated.
            let word = { (dice: inout Dice, count: Int) in
                String((0..<count).map { _ in ["a", "a", "b", "b", "…"][dice.below(5)] as Character })
            }
            let values = (0..<(1 + dice.below(3))).map { _ in word(&dice, 4 + dice.below(4)) }
            let text = word(&dice, dice.below(24))
            // A plain search: a letter is removed if it is part of any value, or of the beginning of a value before an ellipsis.
            let letters = Array(text)
            var isOut = [Bool](repeating: false, count: letters.count)
            for value in values {
                for count in 1...value.count where count == value.count || value.prefix(count).utf8.count >= 4 {
                    let begins = value.prefix(count) + (count < value.count ? "…" : "")
                    for start in letters.indices where letters[start...].starts(with: begins) {
                        for place in start..<(start + count) { isOut[place] = true }
                    }
                }
            }
            var expected = ""
            for place in letters.indices {
                if !isOut[place] { expected.append(letters[place]) }
                // Two adjacent values are one stretch.
                if isOut[place], place == 0 || !isOut[place - 1] { expected += "[scrubbed]" }
            }
            #expect(Scrubber(values: values).scrubbed(text) == expected, "\(values) in \(text)")
        }
    }

    @Test("takes no longer if the beginning of a long value fills the text", .rule("18.1"), .timeLimit(.minutes(1)))
    func takesNoLonger() {
        let (scrubber, text) = (
            Scrubber(values: [String(repeating: "a", count: 4_096) + "b"]), String(repeating: "a", count: 1 << 16)
        )
        // The text is the start of the value, as a truncated message would show it.
        #expect(scrubber.scrubbed(text) == "[scrubbed]")
    }

    @Test("keeps values out of a registry's events and audit lines", .rule("18.2"))
    func keepsValuesOutOfEvents() async throws {
        let (ada, sink) = (RegistryScene.account(), RecordingAudit())
        let configuration = ManagementConfiguration.with { $0.valuesToScrub = ["hunter22"] }
        let scene = RegistryScene(configuration: configuration, audit: Scrubber(configuration).scrubbing(sink))
        scene.service.script.withLock {
            $0.enrolling = { _ in throw EnrollmentFailure(.failed, "refused the token hunter22") }
        }
        let events = Locked<[String]>([])
        let subscription = scene.registry.onEvent { event in
            let error = event.error as? EnrollmentFailure
            events.withLock { $0 += [event.text, error?.text ?? "none"] }
        }
        try scene.registry.register(ada)
        await eventually { events.withLock { $0.count == 2 } }
        subscription.cancel()
        #expect(events.withLock { $0 } == ["refused the token [scrubbed]", "refused the token [scrubbed]"])
        Scrubber(configuration).scrubbing(sink).record(AuditEvent(.refused, of: ada, because: "no hunter22"))
        let reasons = sink.events.withLock { $0.map(\.reason) }
        #expect(reasons.contains("no [scrubbed]") && !reasons.contains { $0.contains("hunter22") })
    }
}

/// An audit sink that keeps its events.
final class RecordingAudit: AuditSink, Sendable {
    let events = Locked<[AuditEvent]>([])
    func record(_ event: AuditEvent) { events.withLock { $0.append(event) } }

    /// What the registry's events say.
    var requests: [String] { events.withLock { $0.filter { $0.kind == .registry }.map(\.reason) } }
}
