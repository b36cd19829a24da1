"""The few functions of libsodium that a member needs, by way of ctypes."""

import ctypes
import hashlib

_library = ctypes.CDLL("libsodium.so.23")
_library.sodium_init()


class Refused(Exception):
    """Something did not open or verify."""


def _call(name, *arguments):
    if getattr(_library, name)(*arguments) != 0:
        raise Refused(name)


def blake(data, size=32, key=b""):
    return hashlib.blake2b(data, digest_size=size, key=key).digest()


def kdf(key, label, data=b""):
    return blake(label.encode() + data, key=key)


def x25519_public(secret):
    out = ctypes.create_string_buffer(32)
    _call("crypto_scalarmult_base", out, secret)
    return out.raw


def box_open(sealed, secret):
    """What `crypto_box_seal` sealed for the public key of `secret`."""
    out = ctypes.create_string_buffer(len(sealed) - 48)
    _call("crypto_box_seal_open", out, sealed, ctypes.c_ulonglong(len(sealed)),
          x25519_public(secret), secret)
    return out.raw


class Signer:
    """An Ed25519 key from its seed."""

    def __init__(self, seed):
        public, secret = ctypes.create_string_buffer(32), ctypes.create_string_buffer(64)
        _call("crypto_sign_seed_keypair", public, secret, seed)
        self.public, self._secret = public.raw, secret.raw

    def sign(self, message):
        out = ctypes.create_string_buffer(64)
        _call("crypto_sign_detached", out, None, message, ctypes.c_ulonglong(len(message)),
              self._secret)
        return out.raw


def _aead(name, key, nonce, text, data, change):
    out = ctypes.create_string_buffer(len(text) + change)
    length = ctypes.c_ulonglong()
    size = ctypes.c_ulonglong
    if change > 0:
        _call(f"crypto_aead_{name}_encrypt", out, ctypes.byref(length), text, size(len(text)),
              data, size(len(data)), None, nonce, key)
    else:
        _call(f"crypto_aead_{name}_decrypt", out, ctypes.byref(length), None, text,
              size(len(text)), data, size(len(data)), nonce, key)
    return out.raw[:length.value]


def xchacha_seal(key, nonce, text, data):
    return _aead("xchacha20poly1305_ietf", key, nonce, text, data, 16)


def xchacha_open(key, nonce, sealed, data):
    return _aead("xchacha20poly1305_ietf", key, nonce, sealed, data, -16)


def chacha_seal(key, nonce, text, data):
    return _aead("chacha20poly1305_ietf", key, nonce, text, data, 16)


def chacha_open(key, nonce, sealed, data):
    return _aead("chacha20poly1305_ietf", key, nonce, sealed, data, -16)
