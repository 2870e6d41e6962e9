"""Attacks on the desk: hostile content, other hosts, other pages, other people's links, forms sent again."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from grader.errors import UsageError
from grader.record import Status
from grader.review.app import make_app
from grader.review.security import MOST_BYTES, Address, form_key, new_token, token_hash
from grader.review.serving import Serving, address_of, parse_address
from tests.review.desking import ADDRESS, ATTACK, OTHER, Person

HOSTILE = frozenset({"base", "embed", "iframe", "object", "style", "svg", "template", "video", "audio"})
LOADED = {"/static/htmx.min.js", "/static/desk.js"}


class Parsed(HTMLParser):
    """What of a page would run or be loaded."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.scripts: list[str | None] = []
        self.sources: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag == "script":
            self.scripts.append(dict(attrs).get("src"))
        self.sources += [value or "" for name, value in attrs if name in ("src", "href", "action")]


def is_harmless(page: str) -> None:
    parsed = Parsed(page)
    assert not parsed.tags & HOSTILE
    assert set(parsed.scripts) == LOADED
    assert not [name for name in parsed.attributes if name.startswith("on") or name == "style"]
    allowed = re.compile(r"/[\w/.?-]*|#main|data:(image/svg\+xml;base64,[\w+/=]+|,)")
    assert not [one for one in parsed.sources if not allowed.fullmatch(one)]


def test_script_in_answers_problems_and_names_stays_text(desk):
    name = f"Ada {ATTACK}"
    desk.put("why", "triage", OTHER)
    ada = desk.person(name).next()
    assert "&lt;script&gt;alert(1)" in ada.page
    assert "\u202e" not in ada.page
    is_harmless(ada.page)
    ada.mark("met", quote=ATTACK, reason=ATTACK)
    is_harmless(ada.page)
    assert ada.page.count("&lt;script&gt;") > 6
    is_harmless(ada.get("/").page)
    ada.post(f"/items/{desk.items('units')[0].id}/mark", status=ATTACK)
    is_harmless(ada.page)
    assert re.search(r'alt="The scheme. &lt;script', ada.next().page)


def test_every_answer_tells_browsers_to_refuse_what_is_not_ours(still):
    ada = still.person("Ada")
    paths = ("/", "/help", "/done", "/nowhere", "/static/desk.js", f"/images/{'0' * 64}", "/items/99")
    for path in paths:
        headers = ada.get(path).headers
        assert (
            "default-src 'none'; script-src 'self'; style-src 'self';" in headers["content-security-policy"]
        )
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8765", "127.0.0.1:80", "", "127.0.0.1:8765.evil"]
)
def test_a_forged_host_sees_nothing(still, host):
    """A name that an attacker points at this machine is another origin to browsers, but not to servers."""
    client = still.person("Ada").client
    assert client.get("/", headers={"host": host}).status_code == 421


def test_two_hosts_are_one_too_many(still):
    client = still.person("Ada").client
    hosts = [("host", "127.0.0.1:8765"), ("host", "evil.example")]
    assert client.get("/", headers=hosts).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "https://127.0.0.1:8765"},
        {"referer": "http://evil.example/http://127.0.0.1:8765/"},
        {"referer": "http://127.0.0.1:8765.evil.example/"},
        {"origin": ADDRESS.origin, "sec-fetch-site": "cross-site"},
        {"origin": ADDRESS.origin, "sec-fetch-site": "same-site"},
        {},
    ],
)
def test_a_form_from_elsewhere_does_nothing(still, headers):
    ada = still.person("Ada").next()
    data = {"key": ada.hidden("key"), "form": "n" * 20, "status": "met"}
    sent = ada.client.post(f"/items/{ada.item}/mark", data=data, headers=headers)
    assert sent.status_code == 403
    assert not list(still.archive.marks())


def test_a_form_that_tells_its_page_by_the_referrer_alone_is_ours(desk):
    ada = desk.person("Ada")
    data, headers = {"key": ada.hidden("key")}, {"referer": f"{ADDRESS.origin}/"}
    assert ada.client.post("/next", data=data, headers=headers).url.path.startswith("/items/")


def test_a_form_without_the_sessions_key_does_nothing(desk):
    ada, bo = desk.person("Ada").next(), desk.person("Bo")
    for key in ("", "0" * 64, bo.hidden("key"), "é"):
        assert ada.mark("met", key=key).status == 403
        ada.get(f"/items/{ada.item}" if "/items" in ada.url else "/")
    assert not list(desk.archive.marks())


def test_anothers_token_opens_neither_their_desk_nor_their_items(desk):
    ada, bo = desk.person("Ada").next(), desk.person("Bo")
    for guess in ("", ada.token[:-1], token_hash(ada.token), form_key(ada.token), "é", "x" * 5000):
        stranger = TestClient(desk.app, base_url=ADDRESS.origin)
        assert stranger.get("/enter", params={"token": guess}).status_code == 401
        stranger.cookies.set("argus_session", guess.encode("ascii", "ignore").decode())
        assert stranger.get("/").status_code == 401
    item = ada.item
    for action in ("mark", "undo", "skip", "split", "release"):
        bo.get("/").post(f"/items/{item}/{action}", form="n" * 20, status="met")
        assert bo.status == 409
    assert desk.archive.item(item).holder == "Ada"
    assert not list(desk.archive.marks())


def test_a_link_that_was_ended_opens_nothing_and_one_that_was_renewed_is_another(desk):
    ada = desk.person("Ada").next()
    desk.archive.revoke("Ada")
    assert ada.get("/").status == 401
    assert ada.get(f"/enter?token={ada.token}").status == 401
    assert desk.archive.items("open").__next__().holder is None
    again = desk.person("Ada")
    desk.archive.invite("Ada", token_hash(new_token()))
    assert again.get("/").status == 401


def test_the_token_leaves_the_address_and_no_script_or_other_site_sees_it(desk):
    ada = desk.person("Ada")
    answer = ada.client.get(f"/enter?token={ada.token}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/welcome")
    cookie = answer.headers["set-cookie"].lower()
    assert all(part in cookie for part in ("httponly", "samesite=strict", "path=/"))
    assert ada.token not in ada.get("/").page
    with TestClient(
        make_app(desk.archive, Address("https://x.example")), base_url="https://x.example"
    ) as far:
        answer = far.get(f"/enter?token={ada.token}", follow_redirects=False)
    assert "secure" in answer.headers["set-cookie"].lower()
    assert answer.headers["strict-transport-security"]


def test_who_signs_out_is_out_and_holds_nothing(desk):
    ada = desk.person("Ada").next()
    item = ada.item
    assert ada.post("/leave").get("/").status == 401
    assert desk.archive.item(item).holder is None


def test_a_form_that_is_sent_again_is_one_mark(desk):
    ada = desk.person("Ada").next()
    item, form = ada.item, "n" * 20
    key = ada.hidden("key")
    for status in ("met", "met", "not_met"):
        data = {"key": key, "form": form, "status": status}
        ada.client.post(f"/items/{item}/mark", data=data, headers={"origin": ADDRESS.origin})
    (mark,) = desk.archive.marks()
    assert mark.entry.status is Status.MET
    for _ in range(2):
        ada.post(f"/items/{item}/undo", form="u" * 20)
    data = {"key": key, "form": form, "status": "met"}
    ada.client.post(f"/items/{item}/mark", data=data, headers={"origin": ADDRESS.origin})
    assert [one.entry.undoes for one in desk.archive.marks()] == [None, mark.id]
    assert desk.stands("why")[0][0] == "undetermined"


def test_the_number_of_anothers_form_is_no_obstacle(desk):
    """The numbers of forms are kept by person and item: nobody blocks a mark by guessing one."""
    ada, bo = desk.person("Ada").next(), desk.person("Bo").next()
    ada.mark("met", form="n" * 20)
    bo.mark("met", form="n" * 20)
    assert [one.entry.reviewer for one in desk.archive.marks()] == ["Ada", "Bo"]
    assert ada.mark("not_met", form="short").status == 422


@pytest.mark.parametrize(
    "path",
    [
        "/images/../../../../etc/passwd",
        "/images/..%2f..%2f..%2fetc%2fpasswd",
        "/images/%2e%2e%2fargus.db",
        "/images/scheme.png",
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/%2e%2e/pages.py",
        "/static/README.md",
        "/items/..%2f1",
        "/items/1e3",
        "/items/99999999999999999999",
    ],
)
def test_no_address_reaches_a_file(still, path):
    client = still.person("Ada").client
    answer = client.get(path)
    assert answer.status_code in (404, 409)
    assert "root:" not in answer.text
    assert "import" not in answer.text


def test_images_are_for_who_is_signed_in_and_only_as_images(desk):
    ada = desk.person("Ada").next()
    images = re.findall(r"/images/[0-9a-f]{64}", ada.page)
    assert len(set(images)) == 2
    for path in images:
        assert ada.client.get(path).headers["content-type"] == "image/png"
        assert TestClient(desk.app, base_url=ADDRESS.origin).get(path).status_code == 401


def test_what_is_too_large_or_no_form_is_refused_unread(desk):
    ada = desk.person("Ada").next()
    path, headers = f"/items/{ada.item}/mark", {"origin": ADDRESS.origin}
    large = {"key": ada.hidden("key"), "reason": "x" * MOST_BYTES}
    assert ada.client.post(path, data=large, headers=headers).status_code == 413
    files = {"reason": ("name.txt", b"text")}
    assert ada.client.post(path, files=files, headers=headers).status_code == 415
    assert ada.client.post(path, json={"status": "met"}, headers=headers).status_code == 415
    assert ada.client.put(path, data={}, headers=headers).status_code == 405
    many = {f"field{number}": "x" for number in range(50)} | {"key": ada.hidden("key")}
    assert ada.client.post(path, data=many, headers=headers).status_code == 400
    assert not list(desk.archive.marks())


def test_cookies_that_were_written_by_somebody_else_say_nothing(desk):
    ada = desk.person("Ada")
    for name in ("argus_filters", "argus_last", "argus_said"):
        ada.client.cookies.set(name, "run=%3Cscript%3E&tag=x&unknown=1")
    is_harmless(ada.get("/").page)
    assert ada.status == 200
    assert ada.post("/next").status == 200


@pytest.mark.parametrize(
    ("serving", "said"),
    [
        (Serving(host="0.0.0.0"), "without encryption"),
        (Serving(host="192.0.2.7"), "without encryption"),
        (Serving(host="::"), "without encryption"),
        (Serving(tls_cert=Path("cert.pem")), "certificate and its key"),
        (Serving(host="0.0.0.0", behind_proxy=True), "isn't known"),
        (Serving(host="0.0.0.0", behind_proxy=True, address="http://review.example"), "without encryption"),
        (Serving(address="http://review.example"), "without encryption"),
        (Serving(address="https://ada@review.example"), "no address"),
        (Serving(address="https://review.example/desk"), "no address"),
        (Serving(address="https://review.example:no"), "no address"),
        (Serving(address="ftp://review.example"), "no address"),
    ],
)
def test_the_desk_is_not_opened_to_others_without_encryption(serving, said):
    with pytest.raises(UsageError, match=said):
        address_of(serving)


def test_the_address_is_what_people_open():
    assert address_of(Serving()).hosts == {"127.0.0.1:8765", "localhost:8765", "[::1]:8765"}
    tls = Serving(host="192.0.2.7", tls_cert=Path("c"), tls_key=Path("k"))
    assert address_of(tls).origins == {"https://192.0.2.7:8765"}
    proxied = Serving(host="0.0.0.0", behind_proxy=True, address="https://review.example:443/")
    assert address_of(proxied).origin == "https://review.example"
    assert parse_address("https://[2001:db8::1]:8443").hosts == {"[2001:db8::1]:8443"}


def test_a_person_is_who_the_cookie_says_and_nothing_in_a_form_changes_it(desk):
    ada: Person = desk.person("Ada").next()
    ada.mark("met", reviewer="Bo", name="Bo", after_seen="1", adjudicated="1")
    (mark,) = desk.archive.marks()
    assert (mark.entry.reviewer, mark.entry.after_seen) == ("Ada", False)
    assert desk.stands("why")[0][2] == "human:Ada"
