#!/usr/bin/env python3
"""search_walk.py PROGRAM: runs whole searches on `inkling serve`, and checks every answer against openapi.json.

`inkling search` makes the same search on a pipe. Both must choose the same documents, even after the server was killed and
started again, and after the search was evicted from memory.
"""

import base64
import hashlib
import json
import os
import signal
import subprocess
import sys

from served import PREFIX, Folder, Server, demand, run, tool


class Twin:
    """The same search by `inkling search`."""

    def __init__(self, program, folder, *arguments):
        self.process = subprocess.Popen(
            [os.path.abspath(program), "search", "tiny", "--searches", "twin.search", "--json", *arguments], cwd=folder.path,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, **request):
        self.process.stdin.write((json.dumps(request) + "\n").encode())
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        demand("error" not in answer, f"inkling search: {answer}")
        return answer

    def end(self):
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.stdout.close()
        demand(self.process.wait(timeout=30) == 0, "inkling search ends well")


class Walk:
    """A search on the server and its twin on a pipe. Both get the same requests and must show the same documents."""

    def __init__(self, server, twin):
        self.server, self.twin, self.number, self.last = server, twin, 0, None
        made = server.ask("POST", "/sessions", {"name": "walk", "pool": "tiny", "words": ["soil", {"word": "ferry", "rate": -1}],
                                                "question": "Soil & <compost>", "rule": {"rated": 3, "good": 1}})
        session = made.json()
        self.path = f"/sessions/{session['session']}"
        demand(made.headers["Location"] == PREFIX + self.path, "Location is the new search")
        demand(session["question"] == "Soil & <compost>" and session["rule"] == {"rated": 3, "good": 1}, "aim is kept")
        self.compare(server.ask("GET", self.path + "/next").json(), twin.ask(next=True))

    def compare(self, shown, twin):
        if shown is None or twin["document"] is None:
            demand(shown is None and twin["document"] is None, "one has documents left, the other none")
            return
        for name in ("explored", "mean", "width"):
            demand(shown["choice"][name] == twin[name], f"{name}: {shown['choice'][name]} is not {twin[name]}")
        demand(shown["document"]["document"] == twin["document"], f"{shown['document']} is not {twin}")
        demand("".join(run[0] for run in shown["document"]["runs"]) == twin["text"], "runs are the text")
        parts = sum(word["contribution"] for word in shown["why"]["words"]) + shown["why"]["base"]
        demand(abs(parts - shown["why"]["mean"]) < 1e-9, "contributions add up to the mean")

    def say(self, what, body, **twin):
        self.number += 1
        self.last = {"request": f"r{self.number}", **body}
        answered = self.server.ask("POST", f"{self.path}/{what}", self.last).json()
        self.compare(answered["next"], self.twin.ask(**twin))
        return answered

    def rate(self, document, reward, words=()):
        return self.say("ratings", {"document": document, "reward": reward, "words": list(words)}, rate=reward,
                        document=document, words=list(words))

    def offered(self):
        return self.server.ask("GET", self.path + "/next").json()["document"]

    def rate_some(self, count):
        for _ in range(count):
            document = self.offered()
            reward = 1 if document["label"] == "gardening" else 0
            words = [document["words"][0]["word"]] if reward else []
            self.rate(document["document"], reward, words)


def check_reads(server, path):
    for what in ("", "/next", "/words?limit=5", "/ranking?top=3", "/progress", "/found", "/tags", "/events?after=2&limit=3",
                 "/documents/3/why", "/copies?limit=5&after=0", "/report", "/report?as=html", "/report?as=csv"):
        server.ask("GET", path + what)
    lines = server.ask("GET", path + "/events", headers={"Accept": "application/x-ndjson"}).body.decode().splitlines()
    demand("pool" in json.loads(lines[0]) and len(lines) > 3, "the events file names its pool")
    for form, accepted in (("csv", "text/csv"), ("jsonl", "application/x-ndjson"),
                           ("ris", "application/x-research-info-systems"),
                           ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")):
        for which in ("all", "good", "unread", "everything", "all&columns=decision"):
            address = f"{path}/export?format={form}&which={which}"
            text = server.ask("GET", address).json()["text"]
            told = base64.b64decode(text, validate=True) if form == "xlsx" else text.encode()
            demand(server.ask("GET", address, headers={"Accept": accepted}).body == told, f"the same file as {form}")
    for what in ("/about", "/pools", "/pools/tiny", "/pools/tiny/documents/0", "/pools/tiny/words?prefix=co",
                 "/pools/tiny/search?words=soil%2C%20compost%20zzz", "/sessions", "/healthz", "/metrics"):
        server.ask("GET", what)
    server.ask("GET", "/openapi.json")
    words = server.ask("GET", "/pools/tiny/words?prefix=so&limit=1").json()["words"]
    demand(len(words) == 1 and words[0]["word"].startswith("so"), f"words that begin so: {words}")
    hits = server.ask("GET", "/pools/tiny/search?words=soil,zzz").json()
    demand(hits["unknown"] == ["zzz"] and hits["documents"][0]["words"] == ["soil"], f"search: {hits}")
    asked = server.ask("GET", "/pools/tiny/asked?text=Soil,%20-zzz").json()
    soil, other = asked["words"]
    demand(soil["word"] == "soil" and soil["documents"] > 0 and soil["wanted"], f"asked: {asked}")
    demand(not other["wanted"] and other["why_not"] == "in no document" and asked["proposed"] == [0], f"asked: {asked}")
    server.ask("GET", "/pools/tiny/asked", expect=422)
    server.ask("GET", "/pools/tiny/asked?text=" + "x" * 10001, expect=422)
    page = server.raw("GET", "/")
    demand(page.status == 200 and b"<!doctype html>" in page.body.lower(), "the page is there")
    demand("default-src 'self'" in page.headers["Content-Security-Policy"], "the page has a policy")


def check_mistakes(server, path, walk):
    offer = server.ask("GET", path + "/next").json()["document"]["document"]
    good = {"request": "m1", "document": offer, "reward": 1}
    before = server.ask("GET", path).json()["sequence"]
    for body in ({**good, "reward": "1"}, {**good, "document": 10**6}, {**good, "more": 1}, {"request": "m1"},
                 {**good, "words": ["zzz"]}, {**good, "words": [{"word": "soil", "rate": 2}]}, b"{", b"[]", b'{"a":1,"a":1}',
                 b'{"request":"m1","document":0,"reward":1e999}', b"[" * 5000, b"\xff", b"", {**good, "request": ""},
                 {**good, "note": "x" * 20000}):
        problem = server.ask("POST", path + "/ratings", body, 422).json()
        demand(problem["where"] and problem["expected"], f"a problem has where and expected: {problem}")
    server.ask("POST", path + "/ratings", json.dumps(good).encode(), 415, {"Content-Type": "text/plain"})
    server.ask("POST", path + "/ratings", b" " * 70000, 413)
    server.ask("POST", path + "/ratings", good, 409, {"If-Match": '"1"'})
    server.ask("POST", path + "/undo", {"request": "m2", "sequence": 10**9}, 422)
    server.ask("POST", path + "/undo", {"request": "m2", "sequence": 1, "count": 1}, 422)
    server.ask("POST", path + "/redo", {"request": "m2"}, 422)
    server.ask("POST", path + "/samples", {"request": "m2", "count": 0}, 422)
    server.ask("POST", path + "/aim", {"request": "m2", "rule": {}}, 422)
    server.ask("POST", path + "/marks", {"request": "m2", "words": []}, 422)
    server.ask("DELETE", path + "/words/0", expect=422)
    server.ask("DELETE", path + "/words/99999999?request=x", expect=404)
    server.ask("GET", path + "/ranking?top=0", expect=422)
    server.ask("GET", path + "/documents/999/why", expect=404)
    for what in ("/pools/none", "/sessions/none", "/pools/tiny/documents/20", "/pools/tiny/documents/-1", "/none"):
        server.ask("GET", what, expect=404)
    server.ask("POST", "/about", {}, 405)
    server.ask("POST", "/sessions", {"name": "x", "pool": "none"}, 404)
    server.ask("POST", "/sessions", {"name": "x", "pool": "tiny", "policy": "none"}, 422)
    server.ask("POST", "/sessions", {"name": "x", "pool": "tiny", "options": {"zzz": 1}}, 422)
    demand(server.raw("GET", PREFIX + "/pools").status == 401, "a request without a token is refused")
    demand(server.raw("GET", f"/?once={server.once}").headers["Set-Cookie"] is None, "the printed token works once")
    server.ask("POST", "/login", {"token": "zzz"}, 401)
    demand(server.ask("GET", path).json()["sequence"] == before, "mistakes change nothing")
    server.ask("POST", path + "/ratings", walk.last)
    demand(server.ask("GET", path).json()["sequence"] == before, "the same request again is not done again")


def search_everything(server, walk):
    """Rates all remaining documents."""
    path = walk.path
    while True:
        response = server.raw("GET", PREFIX + path + "/next", headers={"Authorization": f"Bearer {server.token}"})
        server.api.check("GET", PREFIX + path + "/next", response)
        if response.status == 410:
            return
        walk.rate_some(1)


def users_apart(program, folder):
    """Two users: each sees only their own searches."""
    with open(folder.file("users"), "w", encoding="utf-8") as file:
        for name in ("ada", "bob"):
            file.write(f"{name} {hashlib.sha256((name + '-token').encode()).hexdigest()}\n")
    arguments = ("tiny", "--searches", "users.search", "--users", "users")
    with Server(program, *arguments, cwd=folder.path, token="ada-token") as server:
        path = "/sessions/" + server.ask("POST", "/sessions", {"name": "hers", "pool": "tiny"}).json()["session"]
        server.ask("GET", path)
        server.ask("GET", path, expect=404, token="bob-token")
        server.ask("POST", path + "/notes", {"request": "x", "note": "x"}, 404, token="bob-token")
        server.ask("GET", path, expect=401, token="ada")
        demand(not server.ask("GET", "/sessions", token="bob-token").json()["sessions"], "bob has no searches")
        cookie = server.ask("POST", "/login", {"token": "bob-token"}, 204).headers["Set-Cookie"]
        demand("HttpOnly" in cookie and "SameSite=Strict" in cookie, f"the cookie is safe: {cookie}")
        about = server.raw("GET", PREFIX + "/about", headers={"Cookie": cookie.split(";")[0]}).json()
        demand(about["user"] == "bob" and about["users"] == ["ada", "bob"], f"the cookie is bob's: {about}")
        bearer = cookie.split(";")[0].split("=")[1]
        left = server.ask("POST", "/logout", {}, 204, token=bearer).headers["Set-Cookie"]
        demand("Max-Age=0" in left, f"the cookie is taken away: {left}")
        server.ask("GET", "/about", expect=401, token=bearer)
        server.ask("GET", "/about", token="bob-token")
        pair_up(server, path)
        demand(server.end(signal.SIGINT) == 0, "SIGINT ends it well")
        return server.api.seen


def pair_up(server, path):
    """Asks every address for several people once; shared_search.py and blind_pair.py test them in full."""
    server.ask("POST", path + "/share", {"with": ["bob"]}, 200)
    server.ask("GET", path + "/next", token="bob-token")
    pair = server.ask("POST", path + "/pairs", {"readers": ["ada", "bob"], "count": 1}).json()["pair"]
    server.ask("GET", f"/pairs/{pair}/export", expect=409)
    server.ask("POST", f"/pairs/{pair}/decisions", {}, 409)
    for name, reward in (("ada", 1), ("bob", 0)):
        token = f"{name}-token"
        reading = "/sessions/" + server.ask("GET", "/pairs", token=token).json()["pairs"][0]["session"]
        document = server.ask("GET", reading + "/next", token=token).json()["document"]["document"]
        server.ask("POST", reading + "/ratings", {"request": "a", "document": document, "reward": reward}, token=token)
    demand(server.ask("GET", f"/pairs/{pair}").json()["agreement"]["kappa"] == 0, "they differ in all")
    server.ask("POST", f"/pairs/{pair}/decisions", {})
    server.ask("GET", f"/pairs/{pair}/export")
    server.ask("POST", f"/pairs/{pair}/end", {}, 200)
    server.ask("POST", "/users", {"name": "dan"})
    server.ask("POST", "/users/dan/token", {}, 200)
    server.ask("DELETE", "/users/dan", expect=204)


def main():
    program = sys.argv[1]
    with Folder(program) as folder:
        serve = ("tiny", "--searches", "served.search")
        twin = Twin(program, folder, "--words", "soil,-ferry")
        with Server(program, *serve, cwd=folder.path) as server:
            walk = Walk(server, twin)
            walk.rate_some(3)
            answered = walk.say("skips", {"document": walk.offered()["document"]}, skip=True)
            walk.say("undo", {}, undo=1)
            demand(server.ask("GET", walk.path).json()["redo"] == answered["sequence"], "redo brings the skip back")
            walk.say("redo", {}, redo=1)
            rated = server.ask("GET", walk.path + "/found").json()["documents"]
            walk.rate_some(2)
            walk.say("undo", {"count": 2}, undo=2)
            walk.say("queries", {"words": [{"word": "compost", "rate": 0.5}]}, query=[{"word": "compost", "rate": 0.5}])
            walk.say("samples", {"count": 2}, sample=2)
            walk.rate_some(1)
            if rated:
                walk.say("marks", {"document": rated[0]["document"], "words": ["week"]}, mark=["week"],
                         document=rated[0]["document"])
            feature = server.ask("GET", "/pools/tiny/words?prefix=compost").json()["words"][0]["feature"]
            answer = server.ask("DELETE", f"{walk.path}/words/{feature}?request=forget").json()
            walk.compare(answer["next"], twin.ask(unmark="compost"))
            server.ask("POST", walk.path + "/notes", {"request": "note", "note": "\u2028<b>\u0000"})
            twin.ask(note="x")
            aim = server.ask("POST", walk.path + "/aim", {"request": "aim", "rule": None})
            demand(aim.json()["progress"]["rule_reached"] is None, "the rule is gone")
            twin.ask(note="x")
            walk.rate_some(1)
            check_reads(server, walk.path)
            check_mistakes(server, walk.path, walk)
            late = b"id,text\nx,a late bean\ny,a later pea\n"
            brought = server.ask("POST", "/pools?name=late.csv", late, headers={"Content-Type": "application/octet-stream"})
            demand(brought.json()["documents"] == 2, "a file of records is searched at once")
            two = server.ask("POST", f"/pools?name=a.csv%2Fb.ris&sizes={len(late)},29", late + b"TY  - JOUR\nTI  - Bean\nER  - \n",
                             headers={"Content-Type": "application/octet-stream"}).json()
            demand([one["documents"] for one in two["sources"]] == [2, 1], f"two files are one pool: {two}")
            same = server.ask("POST", "/pools?name=same.csv", b"id,text,included\nx,a late bean,1\ny,a  late bean,0\nz,a pea,0\n",
                              headers={"Content-Type": "application/octet-stream"}).json()
            demand(same["ratings"] == {"field": "included", "good": 1, "bad": 1, "disputed": 1}, f"ratings are offered: {same}")
            begun = server.ask("POST", "/sessions", {"name": "same", "pool": same["pool"], "rated_by": "included"}, 201).json()
            own = "/sessions/" + begun["session"]
            [copy] = server.ask("GET", own + "/copies").json()["documents"]
            demand(begun["progress"]["rated"] == 2 and copy["original"]["id"] == "x", f"one of three is a copy: {copy}")
            apart = server.ask("POST", own + "/separations", {"request": "s", "document": copy["document"]}).json()
            demand(apart["progress"]["documents"] == 3 and apart["next"]["document"]["id"] == "y", "a copy is offered by itself")
            ratings = server.ask("GET", own + "/events", headers={"Accept": "application/x-ndjson"}).body
            brought = server.ask("POST", f"/sessions/import?name=apart&pool={same['pool']}", ratings,
                                 headers={"Content-Type": "application/x-ndjson"}).json()
            demand(brought["progress"] == apart["progress"], f"a file of events takes it apart, too: {brought}")
            server.ask("POST", own + "/undo", {"request": "u"})
            demand(server.ask("GET", own + "/copies").json()["hidden"] == 1, "and joined again")
            titled = server.ask("POST", f"/pools/{two['pool']}/title", {"title": "Two <b>files</b>"}, 200).json()
            demand(titled["title"] == "Two <b>files</b>" and titled["pool"] == two["pool"], "a title changes no name")
            in_use = server.ask("DELETE", f"/pools/{same['pool']}", expect=409).json()
            demand("same" in in_use["detail"] and server.ask("GET", own).json()["pool"] == same["pool"], "what a search reads stays")
            for method, path, body in (("DELETE", "/pools/tiny", None), ("POST", "/pools/tiny/title", {"title": "x"})):
                server.ask(method, path, body, 403)
            server.ask("POST", f"/pools/{two['pool']}/title", {"title": "x" * 201}, 422)
            once = server.ask("POST", "/pools?name=once.csv", late, headers={"Content-Type": "application/octet-stream"}).json()["pool"]
            server.ask("POST", f"/pools/{once}/title", {"title": "gone soon"}, 200)
            server.ask("DELETE", f"/pools/{once}", expect=204)
            server.ask("GET", f"/pools/{once}", expect=404)
            server.ask("DELETE", f"/pools/{once}", expect=404)
            with open(os.path.join(folder.path, "served.search.files", ".removed-twice.csv.pool"), "w", encoding="utf-8") as file:
                file.write("removed")  # as where a disk failed before the end
            twice = server.ask("POST", "/pools?name=twice.csv", late, headers={"Content-Type": "application/octet-stream"}).json()["pool"]
            demand(os.path.exists(os.path.join(folder.path, "served.search.files", twice)), f"a removal before takes no new file along: {twice}")
            seen = server.api.seen
            server.process.kill()
        with Server(program, *serve, cwd=folder.path) as server:
            kept = sorted(os.listdir(os.path.join(folder.path, "served.search.files")))
            demand(not any("once" in name or "partial" in name for name in kept), f"nothing of it is left: {kept}")
            walk.server = server
            again = server.ask("POST", walk.path + "/ratings", walk.last).json()
            demand(again["sequence"] < again["last"], "a request from before the kill is known")
            walk.rate_some(2)
            server.ask("POST", walk.path + "/close", {}, 204)
            walk.rate_some(2)
            exported = server.ask("GET", walk.path + "/events", headers={"Accept": "application/x-ndjson"}).body
            titles = {one["pool"]: one["title"] for one in server.ask("GET", "/pools").json()["pools"]}
            demand(titles["late.csv.pool"] == "late.csv" and titles[two["pool"]] == "Two <b>files</b>" and once not in titles,
                   f"what was brought is there after a kill, with its title, and what was removed is not: {titles}")
            copy = server.ask("POST", "/sessions/import?name=copy&pool=tiny", exported,
                              headers={"Content-Type": "application/x-ndjson"}).json()
            demand(copy["progress"]["rated"] == server.ask("GET", walk.path).json()["progress"]["rated"], "import")
            search_everything(server, walk)
            demand(server.ask("GET", walk.path).json()["progress"]["rated"] == 20, "everything is rated")
            server.ask("POST", walk.path + "/undo", {"request": "last"})
            demand(server.end(signal.SIGTERM) == 0, "SIGTERM ends it well")
            seen |= server.api.seen
        twin.end()
        tool(program, "sessions", "--searches", "served.search", "--verify", cwd=folder.path)
        seen |= users_apart(program, folder)
        missed = [f"{method} {path}" for path, operations in server.api.api["paths"].items() for method in operations
                  if not any(one[:2] == (method, path) and one[2] < 300 for one in seen)]
        demand(not missed, f"never answered by 2xx: {missed}")
    print("the same choices as inkling search, before and after a kill; every answer as openapi.json says")


if __name__ == "__main__":
    run(main)
