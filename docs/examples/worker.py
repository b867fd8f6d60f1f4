#!/usr/bin/env python3
"""A worker for Speedwell's laboratory: Python's hashlib and hmac. docs/workers.md has the protocol.

    speedwell speed sha256 --vs 'worker=python3 docs/examples/worker.py'
"""

import hashlib
import hmac
import json
import ssl
import sys
import time

DIGESTS = {
    "md5": "md5",
    "sha1": "sha1",
    "sha224": "sha224",
    "sha256": "sha256",
    "sha384": "sha384",
    "sha512": "sha512",
    "sha512-224": "sha512_224",
    "sha512-256": "sha512_256",
}


def say(reply):
    print(json.dumps(reply), flush=True)


def filled(length, x):
    """The bytes that every worker gets for the same case."""
    made = bytearray(length)
    for place in range(length):
        x = (6364136223846793005 * x + 1442695040888963407) % 2**64
        made[place] = x >> 56
    return bytes(made)


def answer(output):
    checksum = 0xCBF29CE484222325
    for byte in output:
        checksum = (checksum ^ byte) * 0x100000001B3 % 2**64
    return {"length": len(output), "start": output[:16].hex(), "checksum": f"{checksum:016x}"}


def prepare(case):
    """A function that does the case once, or None."""
    name, operation = case["algorithm"], case["operation"]
    hashed = DIGESTS.get(name.removeprefix("hmac-"))
    if hashed not in hashlib.algorithms_available:
        return None
    messages = [filled(case["bytes"], 1 + 3 * number) for number in range(case["messages"])]
    if operation == "hash":
        return lambda: b"".join([hashlib.new(hashed, message).digest() for message in messages])
    if operation == "mac" and name.startswith("hmac-") and case["messages"] == 1:
        key = filled(hashlib.new(hashed).digest_size, 2)
        if case["whole"]:
            return lambda: hmac.new(key, messages[0], hashed).digest()
        ready = hmac.new(key, digestmod=hashed)

        def tag():
            mac = ready.copy()
            mac.update(messages[0])
            return mac.digest()

        return tag
    return None


def main():
    facts = {"name": f"python-{sys.version.split()[0]}", "version": f"hashlib with {ssl.OPENSSL_VERSION}", "build": None}
    say({"hello": {"protocol": 1, "facts": facts}})
    call = None
    for line in sys.stdin:
        request = json.loads(line)
        if "prepare" in request:
            call = prepare(request["prepare"])
            if call:
                say({"prepared": {"answer": answer(call()), "kernel": None}})
            else:
                say({"skip": "hashlib does not offer this"})
        elif "visit" in request and call:
            visit = request["visit"]
            for _ in range(visit["warm_up"]):
                call()
            samples = []
            for _ in range(visit["samples"]):
                begin = time.perf_counter_ns()
                for _ in range(visit["calls"]):
                    call()
                samples.append((time.perf_counter_ns() - begin) / visit["calls"])
            say({"samples": samples})
        else:
            say({"skip": "nothing is prepared"})


if __name__ == "__main__":
    main()
