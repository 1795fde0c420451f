/// All boundaries that the workload crosses.
enum BoundaryCatalogue {
    private static let dispatchAndAsync: [any CarriedBoundary] = [
        Async(), AsyncBarrier(), AsyncGroup(), AsyncQoS(), AsyncGivenQueue(), AsyncAfter(), AsyncAfterWall(),
        Sync(), SyncFlags(),
        WorkItem(), WorkItemPerform(), WorkItemNotify(), GroupNotify(),
        ConcurrentPerform(), MainQueue(),
        SnapshotWrap(), SnapshotRestoreAsync(), TaskDetached(),
    ]

    private static let operations: [any CarriedBoundary] = [
        OperationClosure(), OperationBlock(), OperationSubclass(), OperationAsyncSubclass(), OperationDependency(),
        OperationBarrier(), CompletionBlock(), OperationView(), AddOperationsWait(),
    ]

    static let carried = dispatchAndAsync + operations

    static let language: [any Boundary] = [
        PlainTask(), TaskGroupChild(), AsyncLet(), ActorHop(), MainActorHop(),
    ]

    /// The carried ones, then the language's.
    ///
    /// A step names one by its place here.
    static let all: [any Boundary] = carried + language

    static func isOperation(_ place: Int) -> Bool { isCarried(place) && place >= dispatchAndAsync.count }

    static func isCarried(_ place: Int) -> Bool { place < carried.count }

    static func place(of name: String) -> Int? { all.firstIndex { $0.name == name } }
}
