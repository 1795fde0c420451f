/// Unicode scalars in canonical order: each run of combining marks is sorted by combining class, stably.
struct CanonicalSequence {
    /// The scalars in their final place; after ``finish()`` all of them.
    private(set) var scalars: [UInt32] = []
    /// The marks since the last starter, as combining class << 56 | position << 24 | scalar: sorting these numbers sorts stably
    /// by class, which `sort()` alone does not promise, and is not quadratic in the length of the run.
    private var marks: [UInt64] = []

    init(capacity: Int) { self.scalars.reserveCapacity(capacity) }

    mutating func append(_ scalar: UInt32, combiningClass: UInt8) {
        guard combiningClass == 0 else {
            return self.marks.append(UInt64(combiningClass) << 56 | UInt64(self.marks.count) << 24 | UInt64(scalar))
        }
        self.finish()
        self.scalars.append(scalar)
    }

    /// Appends the marks of the last run, which no starter follows.
    mutating func finish() {
        guard !self.marks.isEmpty else { return }
        if self.marks.count > 1 { self.marks.sort() }
        for mark in self.marks { self.scalars.append(UInt32(mark & 0xFF_FFFF)) }
        self.marks.removeAll(keepingCapacity: true)
    }
}
