@_spi(Catalogue) extension CataloguedBoundary {
    /// All boundaries, each followed by its variants, in the order of a diagnosis.
    public static let all =
        queues + items + sources + channels + operations + threads + files + networking + tasks + setOff + closures

    /// Those that have a row of the doctor's.
    package static var rows: [CataloguedBoundary] { all.filter { !$0.traits.contains(.variant) } }
}
