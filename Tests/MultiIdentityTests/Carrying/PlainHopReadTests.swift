import CMultiIdentity
import MultiIdentityDiagnostics
import Synchronization
import Testing

@testable import MultiIdentity

@Suite("Work behind a plain hop that automatic mode lists") struct PlainHopReadTests {
    @TaskLocal private static var companion = 0

    /// A place's number of reads, which is never freed, and always found.
    private struct Place: Sendable {
        private static let all = Mutex<[UInt]>([])
        let address: UInt

        init() {
            let count = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
            count.initialize(to: 0)
            let address = UInt(bitPattern: count)
            self.address = address
            Self.all.withLock { $0.append(address) }
        }

        var reads: UInt64 { UnsafePointer<UInt64>(bitPattern: address)?.pointee ?? .max }

        /// Runs `work` as automatic mode does; returns whether it took a hop from what is bound here.
        @discardableResult
        func hop(_ work: () -> Void = {}) -> Bool {
            var isListed = false
            let word = CapturedWord.captured(at: { .async }, of: { nil }) {
                isListed = true
                return address
            }
            withIdentity(nil) { CapturedWord.run(word, at: { .async }, work) }
            return isListed
        }
    }

    private func whileListed(_ body: @Sendable () -> Void) async {
        await ProcessWideSwitch.exclusively {
            BindingFeatures.set(.plainHops, to: true)
            defer { BindingFeatures.set(.plainHops, to: false) }
            body()
        }
    }

    @Test("counts each question for the identity, and keeps it") func reads() async {
        await whileListed {
            withIdentity(ada) {
                let place = Place()
                place.hop { #expect(Identity.current == ada) }
                place.hop { #expect((try? Identity.required()) == ada) }
                place.hop { #expect(EffectiveIdentity.current(for: .files).identity == ada) }
                place.hop { #expect(OwnerHere.current?.owner.identity == ada) }
                #expect(place.reads == 4)
                place.hop { #expect(Identity.shownHere == ada) }
                place.hop { withIdentity(grace) { _ = Identity.current } }
                #expect(place.reads == 4, "What is shown is not asked for, and a scope has an identity of its own.")
            }
        }
    }

    @Test("counts for each of the last 32 places before it, once") func chains() async {
        await whileListed {
            let places = (0..<33).map { _ in Place() }
            func hop(_ left: ArraySlice<Place>) {
                guard let next = left.first else { return _ = Identity.current }
                next.hop { hop(left.dropFirst()) }
            }
            withIdentity(ada) { hop(places + places.suffix(2)) }
            #expect(places.map(\.reads) == [0] + Array(repeating: 1, count: 32))
        }
    }

    @Test("is listed if there was an identity, custom levels or a companion to lose") func losses() async {
        await #expect(processExitsWith: .success) {
            BindingFeatures.set(.plainHops, to: true)
            #expect(!Place().hop())
            #expect(withIdentity(.nobody) { Place().hop() })
            #expect(withIdentityLevels { Place().hop() })
            IdentityCompanions.carry(Self.$companion)
            #expect(!Place().hop())
            #expect(Self.$companion.withValue(1) { Place().hop() })
        }
    }

    @Test("that reads where nothing is bound is noted, unless it is exempt or shows an identity") func unbound() async {
        await #expect(processExitsWith: .success) {
            mi_unbound_reads_note { mi_count_shared(Self.unboundReads.address) }
            func read() { _ = (Identity.current, try? Identity.required(), EffectiveIdentity.current(for: .files)) }
            read()
            #expect(Self.unboundReads.reads == 0, "Nothing is noted before plain hops are recorded.")
            BindingFeatures.set(.plainHops, to: true)
            read()
            #expect(Self.unboundReads.reads == 3)
            withIdentity(ada, read)
            IdentityDiagnostics.exempting(read)
            _ = Identity.shownHere
            #expect(Self.unboundReads.reads == 3)
        }
    }
    private static let unboundReads = Place()

    @Test("is captured again for a hop that is only known when it runs") func again() async {
        await whileListed {
            let place = Place()
            withIdentity(ada) {
                let word = CapturedWord.captured(at: { .sync }, of: { nil })
                let listed = CapturedWord.captured(word) { place.address }
                withIdentity(nil) { CapturedWord.runKept(listed, at: { .sync }) { #expect(Identity.current == ada) } }
                CapturedWord.release(listed)
                CapturedWord.release(word)
            }
            #expect(place.reads == 1)
        }
    }
}
