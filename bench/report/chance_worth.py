#!/usr/bin/env python3
"""chance_worth.py INKLING FILE...:
how often a document is good if a search calls it "likely good", "may be good" or "unlikely to be good".

A FILE is JSON lines of records that were screened (`title`, `abstract`, `included`: datasets/fetch reviews), each searched three times;
or the archive of 20 Newsgroups, whose every topic is searched once among 2,000 messages, 5 % and 1 % of them good. A search begins with
one good document and reads 400 (300 messages). Prints the table of io/docs/when_to_stop.md.
"""
import collections
import gzip
import json
import pathlib
import random
import subprocess
import sys
import tarfile
import tempfile


def search(program, folder, documents, good, seed, most):
    """Yields (words for the chance, whether it is good) of each document that was not drawn at random."""
    with open(folder / "records.jsonl", "w", encoding="utf-8") as file:
        for name, text in documents:
            file.write(json.dumps({"id": name, "text": text}) + "\n")
    subprocess.run([program, "build", "records.jsonl", "--out", "pool", "--force"], cwd=folder, check=True, capture_output=True)
    (folder / f"{seed}.search").unlink(missing_ok=True)
    started = [program, "search", "pool", "--searches", f"{seed}.search", "--json"]
    with subprocess.Popen(started, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        request = {"rate": 1, "document": random.Random(seed).choice(sorted(good)), "full": True}
        for _ in range(most + 1):
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            offered = json.loads(process.stdout.readline())["next"]
            if offered is None:
                break
            is_good = offered["document"]["id"] in good
            if not offered["choice"]["explored"]:
                yield offered["why"]["chance"], is_good
            request = {"rate": int(is_good), "full": True}
        process.stdin.close()


def searches_of(path, program, folder):
    if not path.endswith(".tar.gz"):
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        good = {record["id"] for record in records if record["included"]}
        texts = [(record["id"], f"{record['title']}\n\n{record['abstract']}") for record in records]
        for seed in range(3):
            yield "systematic reviews", search(program, folder, texts, good, seed, 400)
        return
    topics = collections.defaultdict(list)
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile():
                text = archive.extractfile(member).read().decode("latin-1").split("\n\n", 1)[-1]
                topics[member.name.split("/")[-2]].append((member.name, text))
    drawn = random.Random(1)
    for percent in (5, 1):
        for seed, topic in enumerate(sorted(topics)):
            wanted = drawn.sample(topics[topic], 20 * percent)
            others = [one for other in sorted(topics) if other != topic for one in topics[other]]
            texts = wanted + drawn.sample(others, 2000 - len(wanted))
            drawn.shuffle(texts)
            yield f"newsgroups, {percent} % good", search(program, folder, texts, {name for name, _ in wanted}, seed, 300)


def main():
    program, *paths = sys.argv[1:]
    ratings = collections.defaultdict(lambda: collections.defaultdict(list))
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            for kind, shown in searches_of(path, str(pathlib.Path(program).resolve()), pathlib.Path(folder)):
                for chance, is_good in shown:
                    ratings[kind][chance or "nothing yet"].append(is_good)
    print("| searched | " + " | ".join(words := ["likely good", "may be good", "unlikely to be good", "nothing yet"]) + " |\n|---|---|---|---|---|")
    for kind, said in ratings.items():
        print(f"| {kind} | " + " | ".join(f"{100 * sum(said[one]) / max(len(said[one]), 1):.0f} % of {len(said[one]):,}" for one in words) + " |")


if __name__ == "__main__":
    main()
