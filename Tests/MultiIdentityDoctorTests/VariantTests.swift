import Dispatch
import Foundation
import MultiIdentity
@_spi(Catalogue) import MultiIdentityDoctor
import Testing

@Suite("A variant in the catalogue") struct VariantTests {
    static let elsewhere = CataloguedBoundary.all.filter { boundary in
        boundary.traits.contains(.variant) && boundary.isCarriedByPackage && !boundary.isAwaited
    }

    @Test("loses the identity in plain Swift, so its plain form is really plain", arguments: elsewhere)
    func loses(_ boundary: CataloguedBoundary) async {
        let found = Locked<[Identity?]>([])
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let work: @Sendable () -> Void = {
                    let identity = Identity.current
                    let isFirst = found.withLock { found in
                        found.append(identity)
                        return found.count == 1
                    }
                    if isFirst { continuation.resume() }
                }
                let queue = DispatchQueue(label: "variant")
                withIdentity(ada) { PreparedCrossing.prepare(boundary, carries: false, on: queue, work)() }
            }
        }
        #expect(found.withLock { $0.first } == .some(nil))
    }

    @Test("has its own name, as all boundaries have")
    func names() {
        let names = CataloguedBoundary.all.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
