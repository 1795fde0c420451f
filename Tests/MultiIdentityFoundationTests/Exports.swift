// The marks of tests and what several test modules share: available in each file here without its own import.
@_exported public import MultiIdentityTestSupport
