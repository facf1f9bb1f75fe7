#!/usr/bin/env python3
"""let_in.py PROGRAM: whoever runs a server lets others in and out by its page, and what one person brings is not for the others."""
import os
import re
import subprocess
import sys

from coming_back import log_in, press_enter
from served import Folder, Server, demand, run

CSV = {"Content-Type": "application/octet-stream"}
GIVEN = ("--searches", "team.search", "--users", "team")


def bring(server, name, token, texts=("a late bean", "an early pea")):
    body = "id,text\n" + "".join(f'{n},"{text} {name}"\n' for n, text in enumerate(texts))
    return server.ask("POST", f"/pools?name={name}", body.encode(), token=token, headers=CSV).json()["pool"]


def pools_seen(server, token):
    return {pool["pool"] for pool in server.ask("GET", "/pools", token=token).json()["pools"]}


def demand_hidden(server, pool, token):
    """No address shows that there is such a pool."""
    demand(pool not in pools_seen(server, token), f"{pool} is in the list")
    for rest in ("", "/documents/0", "/words?prefix=b", "/asked?text=bean", "/search?words=bean"):
        said = server.ask("GET", f"/pools/{pool}{rest}", expect=404, token=token).json()
        demand(pool not in said.get("expected", ""), f"the refusal names it: {said}")
    server.ask("DELETE", f"/pools/{pool}", expect=404, token=token)
    server.ask("POST", f"/pools/{pool}/title", {"title": "x"}, 404, token=token)
    server.ask("POST", "/sessions", {"name": "x", "pool": pool}, 404, token=token)
    server.ask("POST", f"/sessions/import?name=x&pool={pool}", b"{}\n", 404, token=token, headers={"Content-Type": "application/x-ndjson"})


def people(server):
    """The first user lets two in; nobody else may."""
    about = server.ask("GET", "/about").json()
    owner = about["user"]
    demand(about["lets_in"] and about["users"] == [owner] and about["takes_records"], f"the first user: {about}")
    tokens = {name: server.ask("POST", "/users", {"name": name}).json()["token"] for name in ("bob", "cléo")}
    demand(server.raw("GET", f"/?once={tokens['bob']}").headers["Set-Cookie"] is None, "a link of another site signs nobody in")
    for name, status in (("bob", 409), (owner, 409), ("a b", 422), (".", 422), ("..", 422), ("#a", 422), ("a\n", 422), ("\u202e", 422), ("x" * 150, 422)):
        server.ask("POST", "/users", {"name": name}, status)
    for path, body in (("/users", {"name": "dan"}), ("/users/cléo/token".replace("é", "%C3%A9"), {})):
        server.ask("POST", path, body, 403, token=tokens["bob"])
    server.ask("DELETE", "/users/bob", expect=403, token=tokens["bob"])
    demand(not server.ask("GET", "/about", token=tokens["bob"]).json()["lets_in"], "bob lets nobody in")
    server.ask("DELETE", f"/users/{owner}", expect=409)
    server.ask("DELETE", "/users/nobody", expect=404)
    return owner, tokens


def pools(server, tokens):
    """A pool is seen by whoever brought it, and by whoever is in a search of it."""
    bob, cleo = tokens["bob"], tokens["cléo"]
    ours, his = bring(server, "ours.csv", None), bring(server, "his.csv", bob)
    demand((pools_seen(server, None), pools_seen(server, bob)) == ({ours}, {his}), "each sees their own")
    demand_hidden(server, ours, bob)
    demand_hidden(server, his, None)
    path = "/sessions/" + server.ask("POST", "/sessions", {"name": "together", "pool": ours}).json()["session"]
    server.ask("POST", path + "/share", {"with": ["bob"]}, 200)
    demand(pools_seen(server, bob) == {ours, his}, "bob is in a search of it")
    server.ask("GET", f"/pools/{ours}/documents/0", token=bob)
    server.ask("POST", f"/pools/{ours}/title", {"title": "mine"}, 403, token=bob)
    server.ask("DELETE", f"/pools/{ours}", expect=403, token=bob)
    server.ask("POST", f"/pools/{his}/title", {"title": "Bob's"}, 200, token=bob)
    demand_hidden(server, ours, cleo)
    pair = server.ask("POST", path + "/pairs", {"readers": ["bob", "cléo"], "count": 1}).json()
    reading = server.ask("GET", "/pairs", token=cleo).json()["pairs"][0]
    demand(reading["pair"] == pair["pair"] and pools_seen(server, cleo) == {ours}, "whoever reads it in twos sees it")
    server.ask("POST", path + "/share", {"with": []}, 200)
    # The same file again is another pool, and a search of it is no way into that of somebody else.
    twins = [server.ask("POST", f"/pools?name={name}", b"id,text\na,a common bean\n", token=token, headers=CSV).json()["pool"]
             for name, token in (("secret.csv", None), ("mine.csv", cleo))]
    begun = server.ask("POST", "/sessions", {"name": "x", "pool": twins[1]}, token=cleo).json()
    demand(begun["pool"] == twins[1], f"her search is of her pool: {begun['pool']}")
    demand_hidden(server, twins[0], cleo)
    for one, token in zip(twins, (None, cleo)):
        server.ask("DELETE", f"/pools/{one}", expect=204 if token is None else 409, token=token)
    return ours, his, path


def main():
    program = sys.argv[1]
    with Folder(program) as folder:
        with Server(program, *GIVEN, cwd=folder.path, stdin=subprocess.PIPE) as server:
            owner, tokens = people(server)
            ours, his, path = pools(server, tokens)
            first = server.token
            login = {name: log_in(server, token) for name, token in tokens.items()}
            demand(server.ask("GET", "/about", token=log_in(server, press_enter(server)[1])).json()["user"] == owner, "the digits are the owner's")
            server.end(9)
        with open(folder.file("team"), encoding="utf-8") as file:
            demand(len(re.findall("(?m)^[^ ]+ [0-9a-f]{64}$", file.read())) == 3, "a line for each")
        with Server(program, *GIVEN, cwd=folder.path, token=first) as server:
            demand((pools_seen(server, first), pools_seen(server, login["bob"])) == ({ours}, {ours, his}), "the same after a kill")
            shown = {pool["title"] for pool in server.ask("GET", "/pools", token=login["bob"]).json()["pools"] if pool["pool"] == his}
            demand(shown == {"Bob's"}, f"with its title: {shown}")
            new = server.ask("POST", "/users/bob/token", {}, 200).json()["token"]
            for old in (tokens["bob"], login["bob"]):
                server.ask("GET", "/about", expect=401, token=old)
            demand(pools_seen(server, new) == {ours, his}, "bob has another token")
            server.ask("DELETE", "/users/cl%C3%A9o", expect=204)
            for old in (tokens["cléo"], login["cléo"]):
                server.ask("GET", "/about", expect=401, token=old)
            server.ask("GET", path)
            server.ask("DELETE", f"/pools/{his}", expect=204, token=new)
            server.end()
        with Server(program, "--searches", "team.search", cwd=folder.path) as server:
            left = os.listdir(folder.file("team.search.files"))
            demand("ours.csv" in left and not any("his" in name for name in left), f"nothing is left of it: {left}")
            about = server.ask("GET", "/about").json()
            demand(pools_seen(server, None) == {ours, "mine.csv.pool"} and about["users"] == [] and not about["lets_in"], "one person alone sees all")
            server.ask("POST", "/users", {"name": "dan"}, 409)
    print("people come and go while the server runs, and see what is theirs")


if __name__ == "__main__":
    run(main)
