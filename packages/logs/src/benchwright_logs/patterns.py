"""What gives itself away: paths, addresses, keys and identifiers, told by their form."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable

import msgspec
from benchwright.digests import CANARY_ID

PUBLIC = frozenset("usr bin sbin lib lib32 lib64 dev proc sys etc".split())  # noqa: SIM905
"""Top folders that look the same on every machine."""
ROOTS = [
    "home",
    "root",
    "Users",
    "mnt",
    "media",
    "data",
    "data1",
    "data2",
    "disk",
    "disks",
    "srv",
    "opt",
    "var",
    "tmp",
    "private",
    "Volumes",
    "scratch",
    "nfs",
    "gpfs",
    "lustre",
    "fsx",
    "efs",
    "work",
    "workspace",
    "workspaces",
    "projects",
    "export",
    "storage",
    "ssd",
    "nvme",
    "net",
    "run",
    "users",
    "cluster",
    "shared",
    "app",
    "code",
    "content",
    "kaggle",
    "Library",
    "Applications",
    "System",
    "snap",
    "vol",
    "volume",
    "volumes",
    "raid",
    "datasets",
    "experiments",
    "remote",
    "local",
]
"""Top folders that make a path of whatever follows, wherever it stands."""

_PART = r"(?:[\w.@+~-]*[\w@+~-]|\.{1,2}(?=/))"
_REST = rf"(?:/+{_PART})"

PATHS = re.compile(
    rf"(?:(?<![\w.</~$)\]}}%\ue001-])/|(?<![\w.<:/~$)\]}}%\ue001-])/{{2,}}|(?<=file://)/)(?i:{'|'.join(ROOTS)})\b{_REST}+"
    rf"|(?:^|(?<=[\"'`=(\[{{:,;|>])|(?<=file://))/(?!/)[A-Za-z_.][\w.+-]+{_REST}+"
    rf"|(?<![\w~\ue001])~(?:[a-z_][a-z0-9_-]*)?/[A-Za-z_.][\w.+-]*{_REST}*",
    re.MULTILINE,
)
"""After a placeholder (which ends in U+E001 while a text is worked on) no path begins: what follows it is relative."""
WINDOWS = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]:[\\/]+(?:[^\\/:*?\"<>|\s]+[\\/]+)*[^\\/:*?\"<>|\s]+"
    r"|(?<!\\)\\\\[A-Za-z0-9_.-]+\\[^\\/:*?\"<>|\s]+(?:\\[^\\/:*?\"<>|\s]+)*"
)
UUIDS = re.compile(r"(?<![0-9A-Za-z-])[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?![0-9A-Za-z-])")
_TOP = "com org net edu gov mil int info io ai dev app co me cloud tech xyz biz test local internal corp lan home"
EMAILS = re.compile(
    r"(?<![A-Za-z0-9._%+<-])[A-Za-z0-9][A-Za-z0-9._%+-]*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?\.)+"
    rf"(?i:{_TOP.replace(' ', '|')}|[a-z]{{2}})(?![A-Za-z0-9_(\[-])"
)
HOSTS = re.compile(
    r"(?<![A-Za-z0-9_.-])(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?\.)+"
    r"(?:local|internal|lan|corp|intra|intranet|localdomain|home\.arpa|ts\.net|amazonaws\.com|nvidia\.cluster|cluster)"
    r"(?![A-Za-z0-9_(\[.-]|\.[A-Za-z])"
    # What lies within the domain of a company: `build7.corp.acme.com`.
    r"|(?<![A-Za-z0-9_.-])(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?\.)+(?:corp|internal|intra|intranet|lan)\."
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?\.)+(?:com|net|org|io|dev|ai|cloud|co|de|eu|uk)"
    r"(?![A-Za-z0-9_(\[.-]|\.[A-Za-z])"
    r"|(?<![A-Za-z0-9_.-])ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}(?![A-Za-z0-9-])"
)
SSH = re.compile(r"(?<![A-Za-z0-9._%+<-])[a-z_][a-z0-9_-]*@[A-Za-z0-9][A-Za-z0-9.-]*(?=:[~/])")
IPV4 = re.compile(r"(?<![0-9A-Za-z_.-])(?:\d{1,3}\.){3}\d{1,3}(?![0-9A-Za-z_-]|\.\d)")
IPV6 = re.compile(r"(?<![0-9A-Za-z:.])(?:[0-9a-fA-F]{1,4}:){2,7}(?::|[0-9a-fA-F]{1,4})(?:[0-9a-fA-F:]*[0-9a-fA-F])?(?![0-9A-Za-z:])"
                  r"|(?<![0-9A-Za-z:.])[0-9a-fA-F]{1,4}::(?:[0-9a-fA-F]{1,4}:)*[0-9a-fA-F]{1,4}(?![0-9A-Za-z:])")  # fmt: skip
MAC = re.compile(r"(?<![0-9A-Za-z:-])(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}(?![0-9A-Za-z:-])")
KEYS = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|(?<![A-Za-z0-9_-])(?:sk|pk|rk)-(?:ant|proj|svcacct|or|admin|live|test)-[A-Za-z0-9_-]{8,}"
    r"|(?<![A-Za-z0-9_-])(?:sk|pk|rk|whsec)[-_](?:(?:live|test)_)?(?:[A-Za-z0-9]{20,}|(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{12,})"
    r"|(?<![A-Za-z0-9])(?:ghp|gho|ghu|ghs|ghr|npm|hf|gsk|r8|nvapi|shpat|figd|lin_api|dop_v1)[_-][A-Za-z0-9]{16,}"
    r"|(?<![A-Za-z0-9])(?:glpat|nvapi|xox[abeprs])-(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{12,}"
    r"|(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{20,}"
    r"|(?<![A-Za-z0-9])(?:AKIA|ASIA|AROA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}"
    r"|(?<![A-Za-z0-9])ya29\.[A-Za-z0-9_-]{20,}"
    r"|(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
    r"|(?<![A-Za-z0-9])pypi-[A-Za-z0-9_-]{16,}",
    re.DOTALL,
)
BEARER = re.compile(r"(?i)(?<![A-Za-z])(?:bearer|basic|token)\s+(?P<value>(?=[^\s\"'<>]*\d)[A-Za-z0-9._~+/=-]{16,})")
_NAMES = (
    r"(?:api[_-]?key|access[_-]?key(?:[_-]?id)?|secret(?:[_-]?key)?|auth[_-]?token|access[_-]?token|password|passwd|"
    r"private[_-]?token|client[_-]?secret)"
)
ASSIGNED = re.compile(rf"(?i){_NAMES}[\"']?\s*(?:=|:|=>)\s*[\"']?(?P<value>[^\s\"'<>,;&]{{6,}})")
QUOTED = re.compile(rf"(?i){_NAMES}[\"']?\s*(?:=|:|=>)\s*(?P<quote>[\"'])(?P<value>[^\"'<>\\\s]{{6,}})(?P=quote)")
"""Name and value, which in JSON are two texts; looked for across them as well."""
VARIABLE = re.compile(
    r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)=[\"']?(?P<value>[^\s\"'<>$(){}]{6,})"
)
IN_URL = re.compile(r"(?<=://)[^\s/@:\"'<>]+:(?P<value>[^\s/@\"'<>]+)(?=@)")

_FINE_IP = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("0.0.0.0/32"), ipaddress.ip_network("255.255.255.255/32"),
            ipaddress.ip_network("192.0.2.0/24"), ipaddress.ip_network("198.51.100.0/24"), ipaddress.ip_network("203.0.113.0/24"))  # fmt: skip
_SLICE = re.compile(r"\d{1,4}::\d{1,4}")
"""`1::2` is every second element, and no address."""
_EXAMPLES = ("example.com", "example.org", "example.net")


class Pattern(msgspec.Struct, frozen=True):
    """A form, the kind of placeholder it gets, and how one thing is written in one way. `same` gives None for no hit."""

    kind: str
    form: re.Pattern[str]
    same: Callable[[str], str | None]


def _path(text: str) -> str | None:
    parts = [part for part in text.replace("\\", "/").split("/") if part not in ("", ".")]
    if text.startswith("/") and parts[0] in PUBLIC:
        return None
    return ("/" if text.startswith("/") else "") + "/".join(parts)


def _uuid(text: str) -> str | None:
    return None if text.lower() == CANARY_ID else text.lower()


def _email(text: str) -> str | None:
    return None if text.lower().endswith(_EXAMPLES) else text.lower()


def _ip(text: str) -> str | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if address.version == 6 and (address.is_loopback or address.is_unspecified or _SLICE.fullmatch(text)):
        return None
    return None if any(address in net for net in _FINE_IP if net.version == address.version) else str(address)


def _as_is(text: str) -> str | None:
    return text


ACROSS = Pattern("key", QUOTED, _as_is)
PATTERNS = (
    Pattern("key", KEYS, _as_is),
    Pattern("key", BEARER, _as_is),
    Pattern("key", IN_URL, _as_is),
    ACROSS,
    Pattern("key", VARIABLE, _as_is),
    Pattern("key", ASSIGNED, lambda text: text if _looks_secret(text) else None),
    Pattern("id", UUIDS, _uuid),
    Pattern("email", EMAILS, _email),
    Pattern("host", SSH, str.lower),
    Pattern("host", HOSTS, str.lower),
    Pattern("ip", IPV4, _ip),
    Pattern("ip", IPV6, _ip),
    Pattern("host", MAC, lambda text: text.lower().replace("-", ":")),
    Pattern("path", WINDOWS, _path),
    Pattern("path", PATHS, _path),
)
"""In the order in which they are looked for: what an earlier one took, a later one does not see."""


def _looks_secret(value: str) -> bool:
    """A value behind the word `password` is secret if it is no name, call or placeholder of a program."""
    if any(letter in value for letter in "()[]{}") or value.startswith(("os.", "env", "self.", "$")):
        return False
    return any(letter.isdigit() for letter in value) or any(
        not letter.isalnum() and letter not in "._" for letter in value
    )
