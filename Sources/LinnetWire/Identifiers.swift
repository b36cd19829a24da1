/// A device: its Ed25519 public key.
package typealias DeviceID = Bytes32
/// A group of devices: the id of its genesis record.
package typealias GroupID = Bytes32
/// A sealed batch: the hash of its header and ciphertext.
package typealias BatchID = Bytes32
/// An epoch of group keys.
package typealias EpochID = Bytes32
/// A membership record: the hash of its signed bytes.
package typealias MemberRecordID = Bytes32
/// An author, that is one incarnation of one device: a truncated hash of both.
public typealias AuthorID = Bytes16
/// A scope under its opaque name.
public typealias ScopeID = Bytes16
/// An application transaction, which may span several batches.
package typealias CommitID = Bytes16
/// A random number that tells apart the lives of one device.
package typealias Incarnation = Bytes8
