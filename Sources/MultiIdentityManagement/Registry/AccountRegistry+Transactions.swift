import MultiIdentity

// A registry's access to its store: a call that throws has changed nothing, and after the registry's end all calls throw.
extension AccountRegistry {
    /// Runs `body` as one transaction, after storing pending departures; one with a damaged row stays pending.
    func changing<Value: Sendable>(
        _ body: (any AccountTransaction) throws -> Value
    ) throws(ManagementError) -> Value {
        let owed = state.takeOwed()
        do {
            let (value, written, unwritten) = try inStore(isReading: false) { transaction in
                var unwritten: [Departure] = []
                let written = try owed.map { departure in
                    do {
                        return (departure, try write(departure, transaction))
                    } catch let error as ManagementError where error.code == .damaged {
                        unwritten.append(departure)
                        return (departure, nil)
                    }
                }
                let value = try body(transaction)
                let left = try written.map { ($0, $1, try $1.flatMap { try transaction.account($0.identity) }) }
                return (value, left, unwritten)
            }
            state.wrote(owed, butFor: unwritten)
            for case (let departure, let written?, let record) in written {
                // It may have been readmitted meanwhile, or removed by an alias that was unknown here.
                if departure.status.revokes { revoke(written.identity, leftAt: written.number, record) }
                if let left = written.left { requestInBackground(left) }
            }
            return value
        } catch {
            state.wrote(owed, butFor: owed)
            throw error
        }
    }

    /// Runs `body`, which only reads, on one state of the store.
    func reading<Value: Sendable>(
        _ body: (any AccountTransaction) throws -> Value
    ) throws(ManagementError) -> Value { try inStore(isReading: true, body) }

    /// Runs `body` in the store; the first time, records where this process's events begin.
    private func inStore<Value: Sendable>(
        isReading: Bool,
        _ body: (any AccountTransaction) throws -> Value
    ) throws(ManagementError) -> Value {
        if state.hasEnded { throw ManagementError(.storeFailed, "The registry has ended. Create another one.") }
        func run(_ transaction: any AccountTransaction) throws(ManagementError) -> Value {
            if !state.hasBegun { state.began(at: try EventPosition(transaction)) }
            do { return try body(transaction) } catch {
                throw error as? ManagementError ?? ManagementError(.storeFailed, Self.words(error))
            }
        }
        do { return try isReading ? store.reading(run) : store.transaction(run) } catch { throw error.ofRegistry }
    }

    /// Returns the account that a name belongs to.
    static func resolved(_ name: Identity, _ transaction: any AccountTransaction) throws -> Identity {
        try transaction.account(ofAlias: name) ?? name
    }
}
