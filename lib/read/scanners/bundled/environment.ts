export const ENVIRONMENT_SCANNERS: Readonly<Record<string, string>> = {
  "secret-printed.toml": String.raw`
id = "secret-printed"
version = 1
title = "Secret printed"
meaning = "An output or a message has what looks like a key, a token or a private key. It is now in every file of this trial."
category = "secrets"
severity = "high"
scope = "steps"

[[when]]
output = '\b(?:sk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{24,}|gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40,}|AKIA[0-9A-Z]{16}|hf_[A-Za-z0-9]{30,}|xox[abpr]-[A-Za-z0-9-]{20,}|AIza[\w-]{35})\b|-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----'

[[when]]
role = "agent"
message = '\b(?:sk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{24,}|gh[pousr]_[A-Za-z0-9]{36}|AKIA[0-9A-Z]{16}|hf_[A-Za-z0-9]{30,})\b'

[[matches]]
tool = "bash"
arguments = "printenv"
output = "HOME=/root\nOPENAI_API_KEY=sk-proj-abcdefghijklmnopqrstuvwx0123456789"

[[misses]]
tool = "bash"
arguments = "printenv"
output = "HOME=/root\nOPENAI_API_KEY=***"
`,
  "downloaded.toml": String.raw`
id = "downloaded"
version = 1
title = "Downloaded from the network"
meaning = "The agent asked a server outside of its machine for a file, a page or a repository. Packages are left out."
category = "network"
severity = "low"
scope = "steps"

[[when]]
role = "agent"
arguments = '\b(?:curl|wget|git clone|git ls-remote)\b[^\n]{0,400}?\b(?:https?|git|ssh)://(?!(?:localhost|127\.|0\.0\.0\.0|\[::1\]|\$|10\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.168\.))'

[[when]]
role = "agent"
tool = '(?i:^web_?fetch$|^web_?search$|^fetch$)'

[[matches]]
tool = "bash"
arguments = "wget -q https://example.org/data.tar.gz"

[[misses]]
tool = "bash"
arguments = "curl -s http://localhost:8000/health"
`,
  "command-missing.toml": String.raw`
id = "command-missing"
version = 1
title = "Command not installed"
meaning = "A command that the agent called is not in its environment."
category = "environment"
severity = "low"
scope = "steps"

[[when]]
role = "agent"
output = '\b(?:ba|z|da)?sh: (?:line \d+: |\d+: )?[\w.+-]+: (?:command )?not found\s*$|\b(?:ba|z)?sh: command not found: [\w.+-]+\s*$'

[[matches]]
tool = "bash"
arguments = "pdftotext plan.pdf -"
output = "/bin/bash: line 1: pdftotext: command not found"

[[misses]]
tool = "bash"
arguments = "ls /tests"
output = "ls: /tests: not found"
`,
  "network-missing.toml": String.raw`
id = "network-missing"
version = 1
title = "No network"
meaning = "A name could not be resolved or a server not be reached from the agent's machine."
category = "environment"
severity = "medium"
scope = "steps"

[[when]]
role = "agent"
output = 'Could not resolve host\b|Temporary failure in name resolution|Temporary failure resolving|Network is unreachable|Name or service not known|getaddrinfo (?:EAI_AGAIN|ENOTFOUND)'

[[matches]]
tool = "bash"
arguments = "pip install numpy"
output = "Failed to establish a new connection: [Errno -3] Temporary failure in name resolution"

[[misses]]
tool = "bash"
arguments = "curl localhost:80"
output = "curl: (7) Failed to connect to localhost port 80: Connection refused"
`,
  "out-of-memory.toml": String.raw`
id = "out-of-memory"
version = 1
title = "Out of memory or disk"
meaning = "A command of the agent was killed for its memory, or met a full disk."
category = "environment"
severity = "medium"
scope = "steps"

[[when]]
role = "agent"
output = '^Killed\s*$|No space left on device|Cannot allocate memory|\b(?:CUDA|HIP)? ?out of memory\b|\bOutOfMemoryError\b|Process exited with code 137'

[[matches]]
tool = "bash"
arguments = "make -j8"
output = "cc1plus ...\nKilled\nmake: *** [all] Error 137"

[[misses]]
tool = "bash"
arguments = "pkill server"
output = "[1]-  Killed                  python server.py"
`,
  "verifier-setup-failed.toml": String.raw`
id = "verifier-setup-failed"
version = 1
title = "Verifier could not be set up"
meaning = "The verifier's output says that a tool it needs was missing or could not be fetched, so its verdict may be of no use."
category = "environment"
severity = "high"
scope = "files"

[[when]]
path = '(?:^|/)verifier/[^/]+\.(?:txt|log)$'
text = '\b(?:uvx?|pytest|pip3?|python3?|npx?|node): (?:command )?not found|Could not resolve host|Temporary failure (?:in name resolution|resolving)|E: Unable to locate package|^error: Failed to (?:fetch|download)|Failed to download https?://'

[[matches]]
path = "verifier/test-stdout.txt"
text = "+ uvx pytest\n/tests/test.sh: line 12: uvx: command not found"

[[misses]]
path = "verifier/test-stdout.txt"
text = "FAILED test_outputs.py::test_version - AssertionError"
`,
};
