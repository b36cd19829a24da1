/// Messages of a member, with batches and membership records that it signs, whatever they say.
func fuzz(_ input: [UInt8]) { FuzzedSession.play(input, isMember: true) }

func seeds() -> [[UInt8]] { FuzzedRuns.sessions }
