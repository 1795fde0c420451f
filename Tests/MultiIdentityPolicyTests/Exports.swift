// Test traits and shared test support, visible in each file here without an import.
@_exported public import MultiIdentityTestSupport
