"""A peer of the channel made of other people's Noise, speaking over its standard input and output.

    noise_peer.py LIBRARY ROLE PSK STATIC MESSAGES INTERVAL

LIBRARY is noiseprotocol or dissononce, ROLE initiator or responder, PSK and STATIC are 32 bytes in
hexadecimal. It exchanges prefaces, runs the handshake, sends the handshake hash and MESSAGES more,
wants as many back, replaces each direction's key after every INTERVAL messages (0: never), and ends
with the peer's CLOSE. Exit code 0 means that everything was as expected.
"""

import os
import signal
import sys

NAME = "Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b"
PING, PONG, CLOSE = 0x22, 0x23, 0x7F


class NoiseProtocolChannel:
    """The package noiseprotocol."""

    def __init__(self, initiator, prologue, psk, static):
        from noise.connection import Keypair, NoiseConnection

        self.noise = NoiseConnection.from_name(NAME.encode())
        self.noise.set_psks(psk=psk)
        self.noise.set_keypair_from_private_bytes(Keypair.STATIC, static)
        self.noise.set_prologue(prologue)
        if initiator:
            self.noise.set_as_initiator()
        else:
            self.noise.set_as_responder()
        self.noise.start_handshake()

    def write(self):
        return bytes(self.noise.write_message())

    def read(self, message):
        assert self.noise.read_message(message) == b""

    def hash(self):
        return self.noise.get_handshake_hash()

    def encrypt(self, plaintext):
        return self.noise.encrypt(plaintext)

    def decrypt(self, ciphertext):
        return self.noise.decrypt(ciphertext)

    def rekey_outbound(self):
        self.noise.rekey_outbound_cipher()

    def rekey_inbound(self):
        self.noise.rekey_inbound_cipher()


class DissononceChannel:
    """The package dissononce; its rekey keeps 48 bytes, so keys are never replaced here."""

    def __init__(self, initiator, prologue, psk, static):
        from dissononce.cipher.chachapoly import ChaChaPolyCipher
        from dissononce.dh.x25519.x25519 import PrivateKey, X25519DH
        from dissononce.extras.processing.handshakestate_guarded import GuardedHandshakeState
        from dissononce.hash.blake2b import Blake2bHash
        from dissononce.processing.handshakepatterns.interactive.XX import XXHandshakePattern
        from dissononce.processing.impl.cipherstate import CipherState
        from dissononce.processing.impl.handshakestate import HandshakeState
        from dissononce.processing.impl.symmetricstate import SymmetricState
        from dissononce.processing.modifiers.psk import PSKPatternModifier

        dh = X25519DH()
        self.initiator = initiator
        self.symmetric = SymmetricState(CipherState(ChaChaPolyCipher()), Blake2bHash())
        self.state = GuardedHandshakeState(HandshakeState(self.symmetric, dh))
        self.state.initialize(
            PSKPatternModifier(0).modify(XXHandshakePattern()),
            initiator,
            prologue,
            s=dh.generate_keypair(PrivateKey(static)),
            psks=(psk,),
        )
        self.ciphers = None

    def write(self):
        message = bytearray()
        self.ciphers = self.state.write_message(b"", message)
        return bytes(message)

    def read(self, message):
        payload = bytearray()
        self.ciphers = self.state.read_message(message, payload)
        assert payload == b""

    def hash(self):
        return self.symmetric.get_handshake_hash()

    def encrypt(self, plaintext):
        return self.ciphers[0 if self.initiator else 1].encrypt_with_ad(b"", plaintext)

    def decrypt(self, ciphertext):
        return self.ciphers[1 if self.initiator else 0].decrypt_with_ad(b"", ciphertext)

    def rekey_outbound(self):
        raise NotImplementedError

    rekey_inbound = rekey_outbound


def read_exactly(count):
    data = sys.stdin.buffer.read(count)
    assert len(data) == count, "the stream ended early"
    return data


def read_frame():
    return read_exactly(int.from_bytes(read_exactly(2), "big"))


def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_frame(payload):
    write(len(payload).to_bytes(2, "big") + payload)


def split(plaintext):
    """The messages of a frame: all but the last have flags 2 and a length in LEB128."""
    messages = []
    while plaintext[0] == 2:
        length, head = plaintext[2], 3
        if length >= 0x80:
            length, head = length & 0x7F | plaintext[3] << 7, 4
        messages.append(bytes([0, plaintext[1]]) + plaintext[head:head + length])
        plaintext = plaintext[head + length:]
    return messages + [plaintext]


def handshake(kind, initiator, psk, static):
    own = b"LNT1" + bytes([1, 1, 0, 0]) + os.urandom(16)
    if initiator:
        write(own)
        other = read_exactly(24)
    else:
        other = read_exactly(24)
        write(own)
    assert other[:8] == own[:8]
    prefaces = own + other if initiator else other + own
    channel = kind(initiator, b"linnet/noise/1" + prefaces, psk, static)
    for index, length in enumerate((48, 96, 64)):
        if (index % 2 == 0) == initiator:
            message = channel.write()
            assert len(message) == length
            write_frame(message)
        else:
            message = read_frame()
            assert len(message) == length
            channel.read(message)
    return channel


def main():
    library, role, psk, static, messages, interval = sys.argv[1:]
    messages, interval = int(messages), int(interval)
    signal.alarm(120)
    kind = {"noiseprotocol": NoiseProtocolChannel, "dissononce": DissononceChannel}[library]
    initiator = {"initiator": True, "responder": False}[role]
    channel = handshake(kind, initiator, bytes.fromhex(psk), bytes.fromhex(static))
    binding = channel.hash()
    sent = received = 0
    waiting = []

    def send(message_type, body):
        nonlocal sent
        write_frame(channel.encrypt(bytes([0, message_type]) + body))
        sent += 1
        if interval and sent % interval == 0:
            channel.rekey_outbound()

    def receive():
        nonlocal received
        if not waiting:
            plaintext = channel.decrypt(read_frame())
            received += 1
            if interval and received % interval == 0:
                channel.rekey_inbound()
            waiting.extend(split(plaintext))
        return waiting.pop(0)

    send(PONG, bytes(binding))
    for number in range(messages):
        send(PING, b"from python %d" % number)
        assert receive() == bytes([0, PING]) + b"from swift %d" % number
    assert receive() == bytes([0, CLOSE, 0, 0])


if __name__ == "__main__":
    main()
