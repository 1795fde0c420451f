import Dispatch
import Testing

@testable import MultiIdentity

@Suite("A deallocator that carries identity") struct DeallocatorTests {
    @Test(
        "runs once, after the last data that shares the bytes, as who made it",
        .rule("4.5"),
        arguments: [true, false]
    )
    func once(_ hasQueue: Bool) async {
        let seen = await onNewThread { () -> [String?] in
            let notes = Notes<String?>()
            let ran = DispatchSemaphore(value: 0)
            let queue = DispatchQueue(label: "deallocator")
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 1)
            bytes.copyBytes(from: 0..<8)
            var data: [DispatchData] = withIdentity(ada) {
                let deallocator = DispatchData.Deallocator.propagatingIdentity(hasQueue ? queue : nil) {
                    notes.add(Identity.current?.name)
                    ran.signal()
                }
                return [DispatchData(bytesNoCopy: UnsafeRawBufferPointer(bytes), deallocator: deallocator)]
            }
            withIdentity(grace) {
                var joined = data[0].subdata(in: 2..<4)
                joined.append(data[0].subdata(in: 6..<8))
                data = [joined]
                queue.sync { notes.add("\(Array(joined))") }
            }
            withIdentity(grace) { data = [] }
            ran.wait()
            bytes.deallocate()
            queue.sync {}
            return notes.all
        }
        #expect(seen == ["[2, 3, 6, 7]", "ada@contoso.com"])
    }

    @Test("that never gets data to free goes with what it captured, and does not run", .rule("6.2"))
    func unused() async {
        let ran = Notes<Void>()
        let outcome = await Farewell.outcome { farewell in
            withIdentity(ada) {
                _ = DispatchData.Deallocator.propagatingIdentity(nil) { withExtendedLifetime(farewell) { ran.add(()) } }
            }
        }
        #expect(outcome == .released(whileBound: nil))
        #expect(ran.all.isEmpty)
    }
}
