import Testing

@testable import LinnetCLI

@Suite struct BenchTests {
    @Test func `figures are written with three digits after the point`() {
        #expect(Figures.text(0) == "0.000")
        #expect(Figures.text(1.2345) == "1.235")
        #expect(Figures.text(-0.5) == "-0.500")
        #expect(Figures.text(12_345.678) == "12345.678")
    }

    @Test func `a percentile is a sample, whatever the order`() {
        let samples = [5.0, 1, 4, 2, 3]
        #expect(Figures.percentile(0, of: samples) == 1)
        #expect(Figures.percentile(0.5, of: samples) == 3)
        #expect(Figures.percentile(0.99, of: samples) == 5)
        #expect(Figures.percentile(0.5, of: []) == 0)
    }

    @Test func `handshakes complete on both sides`() {
        let figures = HandshakeBench.run(count: 10)
        #expect(figures.values.first { $0.name == "completed" }?.value == 10)
    }
}
