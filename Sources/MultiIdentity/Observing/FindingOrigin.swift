import CMultiIdentity

extension FindingOrigin {
    /// What each address is, since naming one reads the program's file.
    private static let known = Locked<[UInt: Caller]>([:])
    private static let limit = 10_000

    private struct Caller {
        let name: String?
        let isPackage: Bool
        let isDispatch: Bool
    }

    /// Names the code that asks, on this thread.
    static func here() -> FindingOrigin {
        let callers = withUnsafeTemporaryAllocation(of: UInt.self, capacity: 256) { addresses in
            guard let first = addresses.baseAddress else { return [Caller]() }
            return addresses.prefix(mi_callers(first, addresses.count)).map(caller)
        }
        let names = callers.compactMap(\.name).reduce(into: [String]()) { names, name in
            if names.last != name { names.append(name) }  // a closure, and its own thunk
        }
        // Beyond a boundary of this package is what ran the work, such as a companion's closure.
        let work = callers.drop { $0.name == nil }.prefix { !$0.isPackage }
        let isInTask = mi_task_runs()
        // A thread outside of Dispatch would be said to be on the default queue.
        let isOnQueue = !isInTask && callers.contains(where: \.isDispatch)
        return FindingOrigin(
            callers: Array(names.prefix(3)),
            entry: work.last { $0.name != nil }?.name,
            queue: isOnQueue ? String(cString: mi_queue_label()) : nil,
            isInTask: isInTask,
            thread: mi_thread_number()
        )
    }

    private static func caller(at address: UInt) -> Caller {
        if let known = known.withLock({ $0[address] }) { return known }
        let found = mi_caller_at(address)
        defer { free(found.name) }
        let name = found.name.map { String(cString: $0) }
        let caller = Caller(name: name, isPackage: found.is_package, isDispatch: found.is_dispatch)
        known.withLock { known in
            if known.count >= limit { known.removeAll() }
            known[address] = caller
        }
        return caller
    }
}
