"""A server behind a proxy with TLS: what a browser and other clients get if the proxy is set up as PROXY.md says. First without
a proxy, with the headers that nginx would forward; then through nginx and Caddy, if they are installed, with their own certificate.
"""

import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time

from served import PREFIX, ROOT, Folder, Response, Server, Wrong, demand, run

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
    """The headers of a browser at https://search.example.org, as nginx forwards them with the lines of the page."""
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
    demand("Secure" not in stranger, f"an address that --proxy does not name is not trusted: {stranger}")
    # What nginx forwards without the line about the Host.
    wrong = log_in(server.port, token, {**good, "Host": f"127.0.0.1:{server.port}"})
    detail = wrong.json()["detail"]
    demand(wrong.status == 403 and "proxy_set_header Host $host" in detail, f"the refusal says how to fix it: {detail}")
    wrong = log_in(server.port, token, {**good, "Host": "other.example.org", "Origin": "https://other.example.org"})
    detail = wrong.json()["detail"]
    demand(wrong.status == 403 and "--host" in detail, f"the refusal says how to fix it: {detail}")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def certificate(folder):
    """Makes a self-signed certificate for a reserved name, and returns the paths of the certificate and its key."""
    paths = [os.path.join(folder, name) for name in ("fullchain.pem", "privkey.pem")]
    made = subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                           "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-out", paths[0], "-keyout", paths[1]],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    demand(made.returncode == 0, f"a certificate: {made.stderr.decode(errors='replace')}")
    return paths


class Browser:
    """A client that uses https and keeps the cookie as a browser does."""

    def __init__(self, port, trusted):
        self.port, self.cookie, self.context = port, None, ssl.create_default_context(cafile=trusted)

    def ask(self, method, target, body=None, expect=200):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        connection.sock = self.context.wrap_socket(plain, server_hostname=NAME)
        headers = {"Host": NAME, "Origin": f"https://{NAME}", "Content-Type": "application/json"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        try:
            connection.request(method, target, json.dumps(body) if body is not None else None, headers)
            response = Response(connection.getresponse())
        finally:
            connection.close()
        demand(response.status == expect, f"{method} {target}: {response.status}, expected {expect}: {response.body!r:.300}")
        return response


def walk(port, trusted, token):
    """Signs in, reads, rates and signs out."""
    for _ in range(200):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    browser = Browser(port, trusted)
    demand(b"<!doctype html>" in browser.ask("GET", "/").body.lower(), "the page is there")
    browser.ask("GET", PREFIX + "/about", expect=401)
    browser.ask("POST", PREFIX + "/login", {"token": "wrong"}, 401)
    cookie = browser.ask("POST", PREFIX + "/login", {"token": token}, 204).headers["Set-Cookie"]
    demand(cookie.endswith("; Secure") and "HttpOnly" in cookie and "SameSite=Strict" in cookie, f"the cookie is safe: {cookie}")
    browser.cookie = cookie.split(";")[0]
    session = browser.ask("POST", PREFIX + "/sessions", {"name": "far", "pool": "tiny"}, 201).json()["session"]
    path = f"{PREFIX}/sessions/{session}"
    document = browser.ask("GET", path + "/next").json()["document"]["document"]
    browser.ask("POST", path + "/ratings", {"request": "a", "document": document, "reward": 1}, 201)
    gone = browser.ask("POST", PREFIX + "/logout", {}, 204).headers["Set-Cookie"]
    demand("Max-Age=0" in gone and gone.endswith("; Secure"), f"the browser forgets it: {gone}")
    browser.ask("GET", path, expect=401)  # even a copy of the old cookie is invalid now


def lines_of_page(begin):
    """The lines for a proxy, as PROXY.md has them."""
    with open(PAGE, encoding="utf-8") as file:
        return re.search(r"```\w+\n(" + begin + r".*?\n\})\n```", file.read(), re.DOTALL)[1]


def run_proxy(command, port, trusted, token, folder):
    proxy = subprocess.Popen(command, env={**os.environ, "HOME": folder}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        walk(port, trusted, token)
    except (OSError, http.client.HTTPException) as error:
        proxy.terminate()
        raise Wrong(f"{command[0]}: {error}: {proxy.stderr.read().decode(errors='replace')[-2000:]}") from error
    finally:
        proxy.terminate()
        proxy.wait()
        proxy.stderr.close()


def check_nginx(server, token, folder):
    """nginx with the lines of the page, except for ports and the paths of the certificate."""
    port, (chain, key) = free_port(), certificate(folder)
    lines = lines_of_page(r"server \{").replace("    listen [::]:443 ssl;\n", "").replace("listen 443", f"listen 127.0.0.1:{port}")
    lines = lines.replace("/etc/ssl/search.example.org/fullchain.pem", chain).replace("/etc/ssl/search.example.org/privkey.pem", key)
    config = os.path.join(folder, "nginx.conf")
    with open(config, "w", encoding="utf-8") as file:
        paths = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        file.write(f"daemon off; pid {folder}/pid; error_log {folder}/log; events {{}}\n"
                   f"http {{ access_log off; {paths}\n{lines.replace(':8765', f':{server.port}')}\n}}\n")
    run_proxy(["nginx", "-c", config], port, chain, token, folder)


def check_caddy(server, token, folder):
    """Caddy with the lines of the page, except for ports and a certificate that it need not fetch."""
    port, (chain, key) = free_port(), certificate(folder)
    lines = lines_of_page(r"search\.example\.org \{").replace(":8765", f":{server.port}")
    config = os.path.join(folder, "Caddyfile")
    with open(config, "w", encoding="utf-8") as file:
        file.write(f"{{\n admin off\n http_port {free_port()}\n https_port {port}\n auto_https disable_redirects\n"
                   f" storage file_system {folder}\n}}\n{lines[:-1]}    tls {chain} {key}\n}}\n")
    run_proxy(["caddy", "run", "--adapter", "caddyfile", "--config", config], port, chain, token, folder)


def check_proxies(server, token):
    for name, check in (("nginx", check_nginx), ("caddy", check_caddy)):
        if shutil.which(name) is None or shutil.which("openssl") is None:
            print(f"{name} or openssl is not installed: the lines for it are not run")
            continue
        with tempfile.TemporaryDirectory() as folder:
            check(server, token, folder)
        print(f"{name} lets ada in by https, and she reads, rates and signs out")


def main():
    program = sys.argv[1]
    os.environ["PATH"] += os.pathsep + "/usr/sbin"  # where Debian has nginx
    with Folder(program) as folder:
        token = folder.tokens_of(program, "ada")["ada"]
        demand(os.stat(folder.file("users")).st_mode & 0o777 == 0o600, "the file of users is for its owner alone")
        told = ("--users", "users", "--host", NAME, "--proxy", "127.0.0.1")
        with Server(program, "tiny", *told, cwd=folder.path, token=token) as server:
            check_headers(server, token)
            check_proxies(server, token)


run(main)
