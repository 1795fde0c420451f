/// The recording of where scopes and hand-overs stand in the source, for explanations.
///
/// ```swift
/// IdentityProvenance.isRecorded = true
/// print(EffectiveIdentity.current(for: .files).explanation)  // bound where, captured where, by which hops
/// ```
public enum IdentityProvenance: Sendable {
    /// Indicates whether it is recorded; off at first.
    ///
    /// Off, it costs nothing. On, each scope allocates two small objects; work that is handed to a queue waits in the object
    /// that has its way, and other hand-overs allocate one more. It speaks for scopes opened and work handed over from then on.
    public static var isRecorded: Bool {
        get { BindingFeatures.inUse.contains(.provenance) }
        set { BindingFeatures.set(.provenance, to: newValue) }
    }
}
