import { spawnSync } from "node:child_process";

import type { PyValue } from "@/lib/core/scoring";

/** One case a line in base64, one answer a line: the value as `describeValue` writes it, or `!` and the exception. */
const PROGRAM = `
import base64, json, struct, sys
import xml.etree.ElementTree as ET

def describe(value):
    if value is None or isinstance(value, bool): return repr(value)
    if isinstance(value, int): return "i" + str(value)
    if isinstance(value, float): return "nan" if value != value else "d" + struct.pack(">d", value).hex()
    if isinstance(value, str): return json.dumps(value)
    if isinstance(value, list): return "[" + ",".join(map(describe, value)) + "]"
    return "{" + ",".join(json.dumps(key) + ":" + describe(item) for key, item in value.items()) + "}"

def read_text(data): return data.decode("utf-8").replace("\\r\\n", "\\n").replace("\\r", "\\n")

def validate(data):
    value = json.loads(read_text(data))
    # Pydantic cannot be given a text that is no Unicode.
    json.dumps(value, ensure_ascii=False).encode("utf-8")
    return ADAPTER.validate_python(value)

def read_junit(data):
    root = ET.fromstring(data.decode("utf-8"))
    if root.tag not in ("testsuites", "testsuite"): return None
    found = []
    def walk(element):
        if element.tag != "testcase":
            for child in element: walk(child)
            return
        tags = [child.tag for child in element]
        failed = "failure" in tags or "error" in tags
        found.append("failed" if failed else "skipped" if "skipped" in tags else "other")
    walk(root)
    return sorted(found)

WAYS = {
    "json": lambda data: json.loads(read_text(data)),
    "float": lambda data: float(read_text(data)),
    "int": lambda data: int(read_text(data)),
    "rewards": validate,
    "junit": read_junit,
}
way = WAYS[sys.argv[1]]
if sys.argv[1] == "rewards":
    from pydantic import TypeAdapter, ValidationError
    ADAPTER = TypeAdapter(dict[str, float | int] | None)
for line in sys.stdin:
    sys.setrecursionlimit(1000)
    try: value = way(base64.b64decode(line))
    except RecursionError: answer = "!RecursionError"
    except UnicodeEncodeError: answer = "?"
    except ET.ParseError: answer = "!ParseError"
    except ValueError as error:
        answer = "!ValueError"
        if type(error).__name__ == "ValidationError": answer = "!" + describe(list(dict.fromkeys(e["loc"][0] for e in error.errors() if e["loc"])))
    else:
        sys.setrecursionlimit(5000)
        answer = describe(value)
    print(answer)
`;

export type PythonWay = "json" | "float" | "int" | "rewards" | "junit";

/** What the Python of this machine reads from files; null when it has none, or not the packages for it. */
export function askPython(way: PythonWay, files: readonly Uint8Array[]): readonly string[] | null {
  const input = files.map((file) => `${Buffer.from(file).toString("base64")}\n`).join("");
  const { status, stdout } = spawnSync("python3", ["-c", PROGRAM, way], { input, maxBuffer: 2 ** 30 });
  if (status !== 0) return null;
  return stdout.toString().trimEnd().split("\n");
}

/** A value of Python as text, the same for the same type and bits. */
export function describeValue(value: PyValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "bigint") return `i${String(value)}`;
  if (typeof value === "number") return Number.isNaN(value) ? "nan" : `d${readBits(value)}`;
  if (typeof value === "string") return describeText(value);
  if (value instanceof Map)
    return `{${Array.from(value, ([key, item]) => `${describeText(key)}:${describeValue(item)}`).join(",")}}`;
  return `[${value.map(describeValue).join(",")}]`;
}

function readBits(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes.toString("hex");
}

/** The text in ASCII, as Python's `json.dumps` writes it. */
function describeText(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u{10ffff}]/gu, (char) =>
    Array.from(
      { length: char.length },
      (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
