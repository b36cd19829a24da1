#!/usr/bin/env python3
"""Writes a medicine of a home and asks who wrote it, through `linnet api`."""
import json
import subprocess

linnet = subprocess.Popen(
    ["linnet", "api"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
)
print("speaks version", json.loads(linnet.stdout.readline())["linnet"])
count = 0


def ask(do, **members):
    global count
    count += 1
    print(json.dumps({"id": count, "do": do, **members}), file=linnet.stdin, flush=True)
    answer = json.loads(linnet.stdout.readline())
    if "error" in answer:
        raise SystemExit(answer["error"]["message"])
    return answer["ok"]


# The intent names the wish: whoever repeats it writes nothing twice.
tea = {"collection": "medication", "record": "m1"}
receipt = ask("write", **tea, fields={"name": "Camomile tea"}, intent="tea-1")
print("written" if not receipt["repeated"] else "was written before")
for record in ask("query", collection="medication", where="name contains tea")["records"]:
    print(record["id"], record["fields"]["name"])
why = ask("why", **tea, field="name")
print("by", why["winners"][0]["deviceName"], "-", why["rule"])
linnet.stdin.close()
linnet.wait()
