import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

@Suite("A callback from C") struct CallbackTests {
    static let creators: [Identity?] = [Users.ada, .nobody, nil]

    @Test("that is called once, on a thread of the C library, runs as its creator", .rule("4.5"), arguments: creators)
    func once(_ creator: Identity?) async {
        let seen = Notes<Identity?>()
        await withCheckedContinuation { continuation in
            let callback = withIdentity(creator) {
                IdentityCallback { (_: Void) in
                    seen.add(.current)
                    seen.add(IdentitySnapshot.bound.get().identity)
                    continuation.resume()
                }
            }
            withIdentity(grace) {
                CThread.start(callback.retainedContext(), Self.callOnce)
                #expect(Identity.current == grace)
            }
        }
        #expect(seen.all == [creator, creator])
    }

    private static let callOnce: CThread.Body = { context in
        IdentityCallback<Void, Void>.callOnce(context)
        return nil
    }

    @Test("is released with its captures after its only call, outside its scope", .rule("6.2"))
    func releasedOnce() {
        let gone = Notes<Identity?>()
        let context = withIdentity(ada) { Self.context(of: gone) }
        withIdentity(grace) {
            #expect(gone.all.isEmpty)
            IdentityCallback<Void, Void>.callOnce(context)
            #expect(gone.all == [grace])
        }
    }

    @Test("that C can call repeatedly stays until it is released, called or not", .rule("6.2"), arguments: [0, 1, 3])
    func released(_ calls: Int) {
        let gone = Notes<Identity?>()
        let context = withIdentity(ada) { Self.context(of: gone) }
        for _ in 0..<calls { IdentityCallback<Void, Void>.call(context) }
        #expect(gone.all.isEmpty)
        IdentityCallback<Void, Void>.release(context)
        #expect(gone.all == [nil])
    }

    @Test("that is released in its own call is freed when the call has ended, and stays bound until then", .rule("6.2"))
    func releasedByItself() {
        let (gone, seen) = (Notes<Identity?>(), Notes<String?>())
        // Like a listener that removes itself; nothing else retains this identity.
        let context = withIdentity(try? Identity("passing@contoso.com")) {
            let farewell = Farewell { gone.add($0) }
            return IdentityCallback<UnsafeMutableRawPointer, Void> { context in
                withExtendedLifetime(farewell) {
                    IdentityCallback<UnsafeMutableRawPointer, Void>.release(context)
                    #expect(gone.all.isEmpty)
                    seen.add(Identity.current?.name)
                }
            }.retainedContext()
        }
        IdentityCallback<UnsafeMutableRawPointer, Void>.call(context, context)
        #expect(seen.all == ["passing@contoso.com"])
        #expect(gone.all == [nil])
    }

    /// Returns a context with a callback that alone retains an object which notes its release.
    private static func context(of gone: Notes<Identity?>) -> UnsafeMutableRawPointer {
        let farewell = Farewell { gone.add($0) }
        return IdentityCallback { (_: Void) in withExtendedLifetime(farewell) {} }.retainedContext()
    }

    @Test("can have several contexts, each released separately, and runs as its creator", .rule("4.5", "6.2"))
    func severalContexts() {
        weak var gone: IdentityCallback<Int, Int>?
        do {
            let callback = withIdentity(ada) { IdentityCallback { Identity.current == Users.ada ? $0 + 1 : 0 } }
            gone = callback
            let (first, second) = (callback.retainedContext(), callback.retainedContext())
            #expect(IdentityCallback<Int, Int>.callOnce(first, 1) == 2)
            #expect(IdentityCallback<Int, Int>.call(second, 2) == 3)
            #expect(IdentityCallback<Int, Int>.callOnce(second, 3) == 4)
        }
        #expect(gone == nil)
    }
}
