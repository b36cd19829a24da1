"""The canonical CBOR of docs/protocol.md, as far as an attacker needs it."""


class Raw(bytes):
    """An item that is encoded already."""


def _head(major, number):
    for size, code in ((0, None), (1, 24), (2, 25), (4, 26), (8, 27)):
        if size == 0 and number < 24:
            return bytes([major << 5 | number])
        if size and number < 1 << 8 * size:
            return bytes([major << 5 | code]) + number.to_bytes(size, "big")
    raise ValueError(number)


def encode(item):
    """Integers, bytes, text, booleans, lists, None, and maps in the order of their keys."""
    if isinstance(item, Raw):
        return bytes(item)
    if item is None:
        return b"\xf6"
    if isinstance(item, bool):
        return b"\xf5" if item else b"\xf4"
    if isinstance(item, int):
        return _head(0, item) if item >= 0 else _head(1, -1 - item)
    if isinstance(item, bytes):
        return _head(2, len(item)) + item
    if isinstance(item, str):
        return _head(3, len(item.encode())) + item.encode()
    if isinstance(item, dict):
        pairs = sorted((encode(key), encode(value)) for key, value in item.items())
        return _head(5, len(pairs)) + b"".join(key + value for key, value in pairs)
    return _head(4, len(item)) + b"".join(encode(part) for part in item)


def _item(data, at):
    major, number, at = data[at] >> 5, data[at] & 31, at + 1
    if major == 7:
        return {20: False, 21: True, 22: None}[number], at
    if number > 23:
        size = 1 << number - 24
        number, at = int.from_bytes(data[at:at + size], "big"), at + size
    if major < 2:
        return (number if major == 0 else -1 - number), at
    if major < 4:
        text = data[at:at + number]
        return (text if major == 2 else text.decode()), at + number
    parts = []
    for _ in range(number * (major - 3)):
        part, at = _item(data, at)
        parts.append(part)
    return parts if major == 4 else dict(zip(parts[::2], parts[1::2])), at


def decode(data):
    """The item that `data` begins with; lists and maps as Python has them."""
    return _item(data, 0)[0]
