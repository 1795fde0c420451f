import MultiIdentity
import Testing

@Suite("A wrapped closure of the main actor") struct MainActorWrapTests {
    private enum Refused: Error, Equatable { case because(Int) }

    @MainActor private final class View {
        var onTap: () -> Void = {}
        var onText: (Int, String) -> String = { _, text in text }
        var shown: [Identity?] = []

        func show() { shown.append(Identity.current) }
    }

    @Test("runs there as the captured identity, whichever identity calls it", arguments: [nil, Identity.nobody])
    @MainActor func runs(_ caller: Identity?) {
        let view = View()
        // Sendable is not required: the view belongs to the actor.
        withIdentity(ada) { view.onTap = IdentitySnapshot.capture().wrapOnMain { [weak view] in view?.show() } }
        withIdentity(caller) {
            view.onTap()
            #expect(Identity.current == caller)
        }
        withIdentity(grace) { view.onTap() }
        #expect(view.shown == [ada, ada])
    }

    @Test("takes arguments and returns values")
    @MainActor func arguments() {
        let view = View()
        withIdentity(ada) {
            view.onText = IdentitySnapshot.capture().wrapOnMain { [weak view] number, text in
                view?.show()
                return "\(text) \(number)"
            }
        }
        #expect(view.onText(7, "page") == "page 7")
        #expect(view.shown == [ada])
    }

    @Test("throws what its work throws, with its type")
    @MainActor func errors() {
        let wrapped = withIdentity(ada) {
            IdentitySnapshot.capture().wrapOnMain { (number: Int) throws(Refused) -> Void in
                #expect(Identity.current == ada)
                throw .because(number)
            }
        }
        do throws(Refused) { try wrapped(3) } catch { #expect(error == .because(3)) }
        #expect(Identity.current == nil)
    }
}
