/// Messages of somebody who has the group's key and whose membership nobody knows yet.
func fuzz(_ input: [UInt8]) { FuzzedSession.play(input, isMember: false) }

func seeds() -> [[UInt8]] { FuzzedRuns.sessions }
