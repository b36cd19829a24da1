/// Bytes of links as strangers send them to a whole replica.
func fuzz(_ input: [UInt8]) { FuzzedStranger.play(input) }

func seeds() -> [[UInt8]] { FuzzedRuns.strangers }
