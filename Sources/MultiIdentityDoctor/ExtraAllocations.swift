extension ExaminedBoundary {
    var extraAllocations: Int? { nil }
}
