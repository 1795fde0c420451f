@main
struct DatabaseCost {
    static func main() async throws {}
}
