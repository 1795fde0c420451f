import Dispatch
import Foundation
import OpenCombine
import OpenCombineDispatch
import OpenCombineFoundation

extension LibraryCase {
    /// OpenCombine: queues as schedulers.
    static let openCombine: [LibraryCase] = [
        LibraryCase("OpenCombine: receive(on: a dispatch queue)") { work in
            Just(1).receive(on: DispatchQueue(label: "values").ocombine).sink { _ in work() }
        },
        LibraryCase("OpenCombine: subscribe(on: a dispatch queue)") { work in
            Just(1).subscribe(on: DispatchQueue(label: "values").ocombine).sink { _ in work() }
        },
        LibraryCase("OpenCombine: delay on a dispatch queue") { work in
            Just(1).delay(for: .milliseconds(1), scheduler: DispatchQueue(label: "values").ocombine)
                .sink { _ in work() }
        },
        LibraryCase("OpenCombine: schedule on a dispatch queue") { work in
            DispatchQueue(label: "values").ocombine.schedule(work)
            return nil
        },
        LibraryCase("OpenCombine: schedule repeatedly on a dispatch queue") { work in
            let scheduler = DispatchQueue(label: "values").ocombine
            return scheduler.schedule(after: scheduler.now, interval: .milliseconds(1), work)
        },
        LibraryCase("OpenCombine: receive(on: an operation queue)") { work in
            let queue = OperationQueue()
            // Else the end could overtake the value, on another thread.
            queue.maxConcurrentOperationCount = 1
            return Just(1).receive(on: queue.ocombine).sink { _ in work() }
        },
    ]
}
