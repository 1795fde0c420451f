/// All boundaries that the workload crosses.
enum BoundaryCatalogue {
    private static let dispatch: [any CarriedBoundary] = [
        Async(), AsyncBarrier(), AsyncGroup(), AsyncQoS(), AsyncGivenQueue(), AsyncAfter(), AsyncAfterWall(),
        Sync(), SyncFlags(),
        WorkItem(), WorkItemPerform(), WorkItemNotify(), GroupNotify(),
        ConcurrentPerform(), MainQueue(),
    ]

    private static let closuresAndAsync: [any CarriedBoundary] = [
        SnapshotWrap(), SnapshotRestoreAsync(), TaskDetached(), CancellationHandler(), StreamTermination(),
        BatchedAsync(), SequenceElement(),
    ]

    private static let sourcesAndIO: [any CarriedBoundary] = [
        SourceTimer(), SourceData(), SourceRead(), SourceCancel(),
        IORead(), IOWrite(), IOBarrier(), DataDeallocator(),
    ]

    private static let operations: [any CarriedBoundary] = [
        OperationClosure(), OperationBlock(), OperationSubclass(), OperationAsyncSubclass(), OperationDependency(),
        OperationBarrier(), CompletionBlock(), OperationView(), AddOperationsWait(),
    ]

    private static let foundation: [any CarriedBoundary] = [
        ThreadBlock(), RunLoopPerform(), NotificationObserver(), ProgressCancellation(),
    ]

    private static let setOff: [any CarriedBoundary] = [PriorityEscalation(), ObservationTracking()]

    static let carried = dispatch + closuresAndAsync + sourcesAndIO + operations + foundation + setOff

    static let language: [any Boundary] = [
        PlainTask(), TaskGroupChild(), AsyncLet(), ActorHop(), MainActorHop(),
    ]

    /// The carried ones, then the language's.
    ///
    /// A step names one by its place here.
    static let all: [any Boundary] = carried + language

    /// True if a hop costs some ten times as much as a closure on a queue: operations, sources, channels
    /// and what Foundation takes.
    static func isCostly(_ place: Int) -> Bool { isCarried(place) && place >= dispatch.count + closuresAndAsync.count }

    /// True if plain calls go through libdispatch when the work is handed over, so that automatic mode carries it.
    static func isReachedAutomatically(_ place: Int) -> Bool {
        let first = dispatch.count + closuresAndAsync.count
        return place < dispatch.count || (first..<first + sourcesAndIO.count + operations.count).contains(place)
    }

    static func isCarried(_ place: Int) -> Bool { place < carried.count }

    static func place(of name: String) -> Int? { all.firstIndex { $0.name == name } }
}
