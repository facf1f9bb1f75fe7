"""A server behind a proxy that speaks TLS: what a browser gets through one that is set up as PROXY.md says, and what others
are told. The proxy here forwards the headers that the lines for nginx make it forward; where nginx is installed, it runs, too.
"""

import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from served import PREFIX, ROOT, Folder, Response, Server, demand, run, tool

NAME = "search.example.org"
PAGE = os.path.join(ROOT, "io", "doors", "serve", "PROXY.md")


def log_in(port, token, headers, source="127.0.0.1"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=(source, 0))
    try:
        body = json.dumps({"token": token}).encode()
        connection.request("POST", PREFIX + "/login", body, {"Content-Type": "application/json", **headers})
        return Response(connection.getresponse())
    finally:
        connection.close()


def headers_of_page():
    """What a browser at https://search.example.org sends, as nginx passes it on by the lines of the page."""
    with open(PAGE, encoding="utf-8") as file:
        lines = re.findall(r"proxy_set_header (\S+) (.*);", file.read())
    values = {"$host": NAME, "$scheme": "https", '""': ""}
    passed = {name: values[value] for name, value in lines}
    return {"Origin": f"https://{NAME}", **{name: value for name, value in passed.items() if value}}


def check_headers(server, token):
    good = headers_of_page()
    demand(set(good) == {"Origin", "Host", "X-Forwarded-Proto"}, f"the page passes on {good}")
    answer = log_in(server.port, token, good)
    cookie = answer.headers["Set-Cookie"]
    demand(answer.status == 204 and cookie.endswith("; Secure"), f"the cookie is for https alone: {cookie}")
    about = server.raw("GET", PREFIX + "/about", headers={"Host": NAME, "Cookie": cookie.split(";")[0]})
    demand(about.json()["user"] == "ada", "the cookie is hers")
    without = log_in(server.port, token, {**good, "X-Forwarded-Proto": "http"}).headers["Set-Cookie"]
    demand("Secure" not in without, f"no https, no Secure: {without}")
    stranger = log_in(server.port, token, good, source="127.0.0.2").headers["Set-Cookie"]
    demand("Secure" not in stranger, f"an address that nobody named is not believed: {stranger}")
    # What nginx passes on where nobody tells it about the Host.
    wrong = log_in(server.port, token, {**good, "Host": f"127.0.0.1:{server.port}"})
    detail = wrong.json()["detail"]
    demand(wrong.status == 403 and "proxy_set_header Host $host" in detail, f"the mend is told: {detail}")
    wrong = log_in(server.port, token, {**good, "Host": "other.example.org", "Origin": "https://other.example.org"})
    detail = wrong.json()["detail"]
    demand(wrong.status == 403 and "--host" in detail, f"the mend is told: {detail}")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def check_nginx(server, token):
    """nginx itself by the lines of the page, but for TLS and its port: it says that it is https."""
    if shutil.which("nginx") is None:
        print("nginx is not installed: its lines are read, and not run")
        return
    with open(PAGE, encoding="utf-8") as file:
        lines = re.search(r"```\n(server \{.*?\n\})\n```", file.read(), re.DOTALL)[1]
    port = free_port()
    lines = re.sub(r" *(listen|ssl_).*;\n", "", lines).replace("server {", f"server {{\nlisten 127.0.0.1:{port};")
    lines = lines.replace("$scheme", "https").replace(":8765", f":{server.port}")
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "nginx.conf")
        with open(config, "w", encoding="utf-8") as file:
            paths = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            file.write(f"daemon off; pid {folder}/pid; error_log {folder}/log; events {{}}\n"
                       f"http {{ access_log off; {paths}\n{lines}\n}}\n")
        nginx = subprocess.Popen(["nginx", "-c", config], stderr=subprocess.PIPE)
        try:
            for _ in range(100):
                with socket.socket() as one:
                    if one.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            answer = log_in(port, token, {"Host": NAME, "Origin": f"https://{NAME}"})
            demand(answer.status == 204 and "Secure" in answer.headers["Set-Cookie"], f"nginx lets her in: {answer.status}")
        finally:
            nginx.terminate()
            nginx.wait()
            nginx.stderr.close()


def main():
    program = sys.argv[1]
    with Folder(program) as folder:
        token = tool(program, "serve", "--users", "users", "--add-user", "ada", cwd=folder.path).strip()
        demand(os.stat(folder.file("users")).st_mode & 0o777 == 0o600, "the file of users is for its owner alone")
        told = ("--users", "users", "--host", NAME, "--proxy", "127.0.0.1")
        with Server(program, "tiny", *told, cwd=folder.path, token=token) as server:
            check_headers(server, token)
            check_nginx(server, token)


run(main)
