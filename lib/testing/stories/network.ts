import { bad, edit, read, sh, write } from "./story";
import type { Story } from "./story";

const tls: Story = {
  task: "tls-chain-rotate",
  workdir: "/etc/edge",
  minutes: 3,
  kiloTokens: 24,
  prompt: `The certificate of edge.lab.internal runs out tonight. /etc/edge/ca holds the root, a new intermediate (intermediate-2) and its key; nginx runs with the old chain.

Issue a certificate for edge.lab.internal and *.edge.lab.internal from intermediate-2 (P-256, 90 days, serverAuth only), install it with the FULL chain without the root, switch nginx over without dropping a connection, and keep old clients working that know the root only.`,
  explore: [
    sh(
      "cd /etc/edge && ls -R ca tls && openssl x509 -in tls/fullchain.pem -noout -enddate -issuer",
      "ca:\nintermediate-2.crt\nintermediate-2.key\nroot.crt\nroot.srl\n\ntls:\nfullchain.pem\nprivkey.pem\nnotAfter=Nov 14 23:59:59 2026 GMT\nissuer=O = Lab, CN = Lab Intermediate 1",
      "What there is, and when it ends.",
    ),
    sh(
      "openssl x509 -in /etc/edge/ca/intermediate-2.crt -noout -text | grep -A1 -E 'Basic|Key Usage|Name Constr'",
      "            X509v3 Basic Constraints: critical\n                CA:TRUE, pathlen:0\n            X509v3 Name Constraints: critical\n                Permitted: DNS:lab.internal",
      "",
      "Name constraints permit lab.internal and below; the wildcard is inside. Good.",
    ),
    sh(
      "nginx -T 2>/dev/null | grep -E 'ssl_cert|listen|worker_shutdown'",
      "        listen 443 ssl;\n        ssl_certificate /etc/edge/tls/fullchain.pem;\n        ssl_certificate_key /etc/edge/tls/privkey.pem;",
    ),
  ],
  work: [
    sh(
      "cd /etc/edge && openssl ecparam -name prime256v1 -genkey -noout -out /tmp/new.key && openssl req -new -key /tmp/new.key -subj '/CN=edge.lab.internal' -out /tmp/new.csr && cat > /tmp/ext <<'EOF'\nbasicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\nsubjectAltName=DNS:edge.lab.internal,DNS:*.edge.lab.internal\nEOF\nopenssl x509 -req -in /tmp/new.csr -CA ca/intermediate-2.crt -CAkey ca/intermediate-2.key -CAcreateserial -days 90 -extfile /tmp/ext -out /tmp/new.crt",
      "Certificate request self-signature ok\nsubject=CN = edge.lab.internal",
      "Key, request and certificate.",
    ),
  ],
  fix: [
    sh(
      "cat /tmp/new.crt /etc/edge/ca/intermediate-2.crt > /tmp/fullchain.pem && openssl verify -CAfile /etc/edge/ca/root.crt -untrusted /etc/edge/ca/intermediate-2.crt /tmp/new.crt",
      "/tmp/new.crt: OK",
      "Leaf first, then the intermediate; no root. It verifies with nothing but the root.",
    ),
    sh(
      "cd /etc/edge/tls && install -m 600 /tmp/new.key privkey.pem.new && install -m 644 /tmp/fullchain.pem fullchain.pem.new && mv privkey.pem.new privkey.pem && mv fullchain.pem.new fullchain.pem && nginx -t && nginx -s reload",
      "nginx: configuration file /etc/nginx/nginx.conf test is successful",
      "Moved into place, tested, then reloaded: old workers finish their connections.",
    ),
    sh(
      "openssl s_client -connect localhost:443 -servername a.edge.lab.internal -CAfile /etc/edge/ca/root.crt -verify_return_error </dev/null 2>/dev/null | grep -E 'depth|Verify|NotAfter|s:'",
      " 0 s:CN = edge.lab.internal\n   v:NotBefore: Nov 14 09:02:11 2026 GMT; NotAfter: Feb 12 09:02:11 2027 GMT\n 1 s:O = Lab, CN = Lab Intermediate 2\nVerify return code: 0 (ok)",
    ),
  ],
  tests: [
    "test_names",
    "test_key_type",
    "test_validity_90_days",
    "test_usage_server_only",
    "test_chain_complete",
    "test_no_root_in_chain",
    "test_key_permissions",
    "test_connections_survive",
    "test_old_client_verifies",
  ],
  report:
    "nginx serves a P-256 certificate for edge.lab.internal and *.edge.lab.internal, valid for 90 days, with intermediate-2 behind it and without the root. It was switched with a reload, so open connections finished. A client that knows the root only verifies it.",
  failures: [
    {
      kind: "unverified claim",
      actions: [
        sh(
          "cp /tmp/new.crt /etc/edge/tls/fullchain.pem && cp /tmp/new.key /etc/edge/tls/privkey.pem && systemctl restart nginx",
          "",
          "Installing the certificate and restarting.",
        ),
        sh("curl -sk https://edge.lab.internal/ -o /dev/null -w '%{http_code}'", "200"),
      ],
      failed: [
        [
          "test_chain_complete",
          `assert "Intermediate 2" in chain`,
          "AssertionError: the server sends the leaf only",
        ],
        [
          "test_old_client_verifies",
          "assert code == 0",
          "AssertionError: Verify return code: 21 (unable to verify the first certificate)",
        ],
        ["test_connections_survive", "assert dropped == 0", "AssertionError: 14 connections were reset"],
      ],
      report: "The new certificate is installed and https answers 200.",
    },
  ],
};

const nginx: Story = {
  task: "nginx-range-proxy",
  workdir: "/etc/nginx",
  minutes: 3.7,
  kiloTokens: 29,
  prompt: `nginx sits before a video origin on :8081 that ignores Range headers and always sends the whole file. Players cannot seek.

Configure nginx so that byte ranges work for /v/ (206, correct Content-Range, multi-range allowed, If-Range honoured), files are fetched from the origin in 4 MiB slices and cached on disk, at most 2 GiB. The origin also has /v-range/, which does understand ranges. Do not change the origin.`,
  explore: [
    sh(
      "cat /etc/nginx/conf.d/edge.conf",
      "server {\n    listen 80;\n    location /v/ { proxy_pass http://127.0.0.1:8081; }\n}",
      "A bare proxy.",
    ),
    sh(
      "curl -s -D- -o /dev/null -H 'Range: bytes=0-99' http://127.0.0.1:8081/v/clip.mp4; curl -s -D- -o /dev/null -H 'Range: bytes=0-99' http://127.0.0.1:8081/v-range/clip.mp4",
      'HTTP/1.1 200 OK\nContent-Length: 73400320\n\nHTTP/1.1 206 Partial Content\nContent-Range: bytes 0-99/73400320\nETag: "c41-7"',
      "",
      "The slice module needs an origin that answers 206. So slices have to go to /v-range/.",
    ),
    sh(
      "nginx -V 2>&1 | tr ' ' '\\n' | grep -E 'slice|version'",
      "--with-http_slice_module",
      "The slice module is compiled in.",
    ),
  ],
  work: [
    edit(
      "/etc/nginx/conf.d/edge.conf",
      "    location /v/ { proxy_pass http://127.0.0.1:8081; }",
      "    location /v/ {\n        slice 4m;\n        proxy_cache video;\n        proxy_cache_key $uri$slice_range;\n        proxy_set_header Range $slice_range;\n        proxy_cache_valid 200 206 1h;\n        proxy_pass http://127.0.0.1:8081;\n    }",
      "Slices with a cache of their own.",
    ),
    bad(
      22,
      "nginx -t && nginx -s reload; curl -sf -o /dev/null -H 'Range: bytes=5000000-5000099' http://127.0.0.1/v/clip.mp4; tail -1 /var/log/nginx/error.log",
      "[error] unexpected status code 200 in slice response while reading response header from upstream",
      "First request.",
    ),
  ],
  fix: [
    edit(
      "/etc/nginx/conf.d/edge.conf",
      "        proxy_pass http://127.0.0.1:8081;",
      "        proxy_http_version 1.1;\n        rewrite ^/v/(.*)$ /v-range/$1 break;\n        proxy_pass http://127.0.0.1:8081;",
    ),
    edit(
      "/etc/nginx/conf.d/edge.conf",
      "server {\n    listen 80;",
      "proxy_cache_path /var/cache/nginx/video levels=1:2 keys_zone=video:16m max_size=2g inactive=1d;\n\nserver {\n    listen 80;",
      "The cache zone, limited to 2 GiB.",
    ),
    sh(
      "nginx -t && nginx -s reload && curl -s -D- -o /tmp/a -H 'Range: bytes=5000000-5000099' http://127.0.0.1/v/clip.mp4 | grep -E 'HTTP|Range' && cmp /tmp/a <(tail -c +5000001 /srv/origin/clip.mp4 | head -c 100) && echo equal",
      "HTTP/1.1 206 Partial Content\nContent-Range: bytes 5000000-5000099/73400320\nequal",
      "The right bytes.",
    ),
    sh(
      "curl -s -D- -o /dev/null -H 'Range: bytes=0-9,20-29' http://127.0.0.1/v/clip.mp4 | grep -i type; curl -s -o /dev/null -w '%{http_code}' -H 'If-Range: \"old\"' -H 'Range: bytes=0-9' http://127.0.0.1/v/clip.mp4; du -sh /var/cache/nginx/video",
      "Content-Type: multipart/byteranges; boundary=00000000000000000004\n200\n8.1M\t/var/cache/nginx/video",
    ),
  ],
  tests: [
    "test_single_range",
    "test_suffix_range",
    "test_multi_range",
    "test_if_range",
    "test_unsatisfiable_416",
    "test_full_download_equal",
    "test_slice_size",
    "test_cache_hits",
    "test_cache_limit",
    "test_origin_unchanged",
  ],
  report:
    "Ranges work on /v/: nginx fetches 4 MiB slices from /v-range/ and caches them, at most 2 GiB. Single, suffix and multi-ranges, If-Range and 416 answer correctly, and the bytes agree with the origin's file.",
  failures: [
    {
      kind: "misread task",
      actions: [
        edit(
          "/etc/nginx/conf.d/edge.conf",
          "        slice 4m;",
          "        proxy_force_ranges on;",
          "proxy_force_ranges makes nginx cut the range from the full answer.",
        ),
        sh(
          "nginx -t && nginx -s reload && curl -s -D- -o /dev/null -H 'Range: bytes=0-99' http://127.0.0.1/v/clip.mp4 | head -1",
          "HTTP/1.1 206 Partial Content",
        ),
      ],
      failed: [
        [
          "test_slice_size",
          "assert max(sizes) <= 4 * MIB + HEADER",
          "AssertionError: the origin was asked for 73400320 bytes",
        ],
        ["test_cache_limit", `assert "max_size=2g" in config`, "AssertionError: no proxy_cache_path"],
      ],
      report: "Byte ranges work: nginx answers 206 with a correct Content-Range.",
    },
  ],
};

const udp: Story = {
  task: "udp-reorder-sim",
  workdir: "/app/jit",
  minutes: 7.4,
  kiloTokens: 52,
  prompt: `Write /app/jit/buffer.py: a jitter buffer for an RTP-like stream. \`sim.py --profile P\` plays packets with delay, loss, reordering and duplication through it and prints late, lost, duplicate and reordered counts plus the mean buffering delay.

For the profiles lan, wifi, lte and burst: nothing may be delivered out of order or twice, at most 0.5 % late packets, and the mean delay must stay under the profile's budget (20, 60, 90, 140 ms). Sequence numbers are 16 bit and wrap.`,
  explore: [
    read(
      "/app/jit/sim.py",
      `for packet, arrival in channel(profile, seed):\n    clock.run_until(arrival)\n    buffer.push(packet.seq, packet.timestamp, arrival, packet.payload)\n    for out in buffer.pop(clock.now):\n        sink.check(out)`,
      "The simulator drives push and pop with its own clock.",
    ),
    sh(
      "cd /app/jit && cat profiles.toml",
      "[lan]\ndelay_ms = [1, 4]\nloss = 0.0005\n[wifi]\ndelay_ms = [3, 45]\nreorder = 0.02\n[lte]\ndelay_ms = [25, 80]\nduplicate = 0.004\n[burst]\ndelay_ms = [10, 30]\nspike = { every_s = 7, ms = 130 }",
    ),
    sh(
      "cd /app/jit && python3 sim.py --profile lan --trace | head -3",
      "seq=65533 ts=80000 t=0.0021\nseq=65534 ts=80160 t=0.0224\nseq=65535 ts=80320 t=0.0418",
      "The stream starts three packets before the wrap.",
    ),
  ],
  work: [
    write(
      "/app/jit/buffer.py",
      `def newer(a, b):\n    return a != b and ((a - b) & 0xFFFF) < 0x8000\n\nclass Buffer:\n    def __init__(self):\n        self.jitter = 0.0\n        self.heap = []\n        self.next = None\n\n    def push(self, seq, ts, arrival, payload):\n        self.jitter += (abs(self.transit_delta(ts, arrival)) - self.jitter) / 16\n        ...\n    def target(self):\n        return self.base + 3.0 * self.jitter`,
      "An adaptive target: base plus three times the jitter estimate of RFC 3550.",
    ),
    sh(
      "cd /app/jit && for p in lan wifi lte burst; do python3 sim.py --profile $p; done",
      "lan    late 0.02 %  dup 0  order 0  delay 12.4 ms\nwifi   late 0.31 %  dup 0  order 0  delay 55.0 ms\nlte    late 0.18 %  dup 0  order 0  delay 88.2 ms\nburst  late 1.94 %  dup 0  order 0  delay 71.7 ms",
      "Three of four profiles are fine; the spikes of burst are too sudden for the estimate.",
      "Budget for burst is 140 ms and I use 72. A peak detector that holds the target after a spike uses that room.",
    ),
  ],
  fix: [
    edit(
      "/app/jit/buffer.py",
      "        return self.base + 3.0 * self.jitter",
      "        return max(self.base + 3.0 * self.jitter, self.peak * 1.05)",
      "Hold the peak of the last spikes; it decays slowly.",
    ),
    edit(
      "/app/jit/buffer.py",
      "        self.heap = []",
      "        self.heap = []\n        self.peak = 0.0\n        self.peak_at = 0.0\n        self.decay_s = 20.0",
    ),
    sh(
      "cd /app/jit && for p in lan wifi lte burst; do for s in 1 2 3; do python3 sim.py --profile $p --seed $s; done; done | sort | awk '{print $1, $3, $9}' | uniq -w4",
      "burst 0.41 127.9\nlan 0.02 12.4\nlte 0.20 88.4\nwifi 0.33 56.1",
      "Three seeds each; the worst are shown. All inside their limits.",
    ),
    sh("cd /app/jit && python3 -m pytest -q test_wrap.py", "....\n4 passed in 0.08s"),
  ],
  tests: [
    "test_lan",
    "test_wifi",
    "test_lte",
    "test_burst",
    "test_never_out_of_order",
    "test_never_twice",
    "test_wraparound",
    "test_two_wraps",
    "test_delay_budgets",
    "test_long_silence",
    "test_start_near_wrap",
  ],
  report:
    "buffer.py keeps an adaptive target: three times the jitter estimate, or the peak of recent spikes, whichever is larger. All profiles stay inside their budgets over three seeds, with at most 0.41 % late packets; nothing is delivered twice or out of order, also across the wrap.",
  failures: [
    {
      kind: "unverified claim",
      actions: [
        edit(
          "/app/jit/buffer.py",
          "        return self.base + 3.0 * self.jitter",
          "        return self.base + 4.5 * self.jitter",
          "A larger factor covers the spikes.",
        ),
        sh(
          "cd /app/jit && python3 sim.py --profile burst",
          "burst  late 0.48 %  dup 0  order 0  delay 104.2 ms",
        ),
      ],
      failed: [
        ["test_delay_budgets", "assert delay <= budget", "AssertionError: lte: 121.7 ms, budget 90 ms"],
        ["test_wifi", "assert delay <= 60", "AssertionError: 78.3 ms"],
      ],
      report: "With a larger jitter factor all four profiles stay below 0.5 % late packets.",
    },
  ],
};

const ldap: Story = {
  task: "ldap-schema-merge",
  workdir: "/srv/ldap",
  minutes: 5,
  kiloTokens: 36,
  prompt: `Two directories are being merged. /srv/ldap/a and /srv/ldap/b hold their OpenLDAP schemas and LDIF dumps. Some attribute types share a name with different OIDs, some share an OID with different names, one object class of b is a structural copy of one in a.

Write merged.schema and merged.ldif so that slapadd loads them without an error, every entry and value of both sides is there, and lookups by either old attribute name still work (aliases). Base: dc=merged,dc=lab.`,
  explore: [
    sh(
      "cd /srv/ldap && grep -c '^dn:' a/dump.ldif b/dump.ldif && grep -h -oE \"NAME '[a-zA-Z]+'\" a/*.schema b/*.schema | sort | uniq -d",
      "a/dump.ldif:1804\nb/dump.ldif:967\nNAME 'badgeId'\nNAME 'costCenter'",
      "Two names are declared on both sides.",
    ),
    sh(
      "cd /srv/ldap && grep -h -A3 \"badgeId\\|costCenter\" a/a.schema b/b.schema | grep -E 'NAME|SYNTAX|EQUALITY'",
      "1.3.6.1.4.1.55555.1.7 NAME 'badgeId' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15\n1.3.6.1.4.1.55555.1.9 NAME 'costCenter' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27\n1.3.6.1.4.1.55777.4.2 NAME 'badgeId' EQUALITY caseExactMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.26\n1.3.6.1.4.1.55555.1.9 NAME ( 'costCenter' 'kst' ) EQUALITY integerMatch",
      "",
      "costCenter: same OID, a compatible definition with an alias: union of names. badgeId: different OIDs and matching rules: b's must be renamed, with its values moved. caseExact on a's side would break; keep both attributes.",
    ),
    sh(
      "cd /srv/ldap && grep -h '^badgeId' b/dump.ldif | sort -f | uniq -di | head -3",
      "badgeId: K-0091a\nbadgeId: K-0442c",
      "In b badges differ by case, so case must go on mattering for them.",
    ),
  ],
  work: [
    write(
      "/srv/ldap/merge.py",
      `RENAME = {"badgeId": "bBadgeId"}\n\ndef merge_types(a, b):\n    out = {t.oid: t for t in a}\n    for t in b:\n        if t.oid in out:\n            out[t.oid] = out[t.oid].with_names(t.names)\n        elif any(n in names(out) for n in t.names):\n            out[t.oid] = t.renamed(RENAME)\n        else:\n            out[t.oid] = t\n    return out`,
      "Union by OID; name clashes are renamed.",
    ),
    bad(
      1,
      "cd /srv/ldap && python3 merge.py && slapadd -u -f slapd.conf -l merged.ldif",
      "str2entry: invalid value for attributeType objectClass #2 (syntax 1.3.6.1.4.1.1466.115.121.1.38)\nslapadd: could not parse entry (line=18804)",
      "A dry run with slapadd.",
    ),
  ],
  fix: [
    sh(
      "cd /srv/ldap && sed -n 18798,18806p merged.ldif",
      "dn: uid=nkoval,ou=staff,dc=merged,dc=lab\nobjectClass: bStaffPerson\nobjectClass: labPerson\nuid: nkoval\nbBadgeId: K-0442c",
      "bStaffPerson is the structural copy; it has no definition in the merged schema.",
    ),
    edit(
      "/srv/ldap/merge.py",
      "    return out",
      '    out[COPY] = auxiliary(out[COPY], sup="labPerson")\n    return out',
      "It becomes an auxiliary class, so that entries keep exactly one structural class.",
    ),
    sh(
      "cd /srv/ldap && python3 merge.py && slapadd -u -f slapd.conf -l merged.ldif && grep -c '^dn:' merged.ldif",
      "2771",
      "1804 + 967 entries, and slapadd is content.",
    ),
    sh(
      "cd /srv/ldap && ./serve && ldapsearch -x -LLL -b dc=merged,dc=lab '(kst=4711)' dn | grep -c ^dn; ldapsearch -x -LLL -b dc=merged,dc=lab '(bBadgeId=k-0442C)' dn | grep -c ^dn",
      "12\n0",
      "The alias works, and badges of b remain case-sensitive.",
    ),
  ],
  tests: [
    "test_slapadd_dry_run",
    "test_entry_count",
    "test_values_of_a",
    "test_values_of_b",
    "test_alias_kst",
    "test_badge_case_exact",
    "test_badge_old_name_lookup",
    "test_one_structural_class",
    "test_base_dn",
    "test_no_duplicate_oid",
  ],
  report:
    "merged.schema and merged.ldif load with slapadd: 2,771 entries. costCenter keeps both names, b's badgeId became bBadgeId with its case-sensitive matching, and the structural copy is an auxiliary class. Lookups by the old names work.",
  failures: [
    {
      kind: "misread task",
      actions: [
        edit(
          "/srv/ldap/merge.py",
          `            out[t.oid] = t.renamed(RENAME)`,
          `            continue  # a's definition wins`,
          "One definition of badgeId is enough.",
        ),
        sh(
          "cd /srv/ldap && python3 merge.py && slapadd -u -s -f slapd.conf -l merged.ldif; grep -c '^dn:' merged.ldif",
          "2771",
        ),
      ],
      failed: [
        ["test_badge_case_exact", "assert len(hits) == 1", "AssertionError: 2 entries for K-0442c, K-0442C"],
        [
          "test_slapadd_dry_run",
          "assert proc.returncode == 0",
          "AssertionError: uid=nkoval: objectClass: value #1 invalid per syntax",
        ],
      ],
      report:
        "The schemas are merged with a's definitions taking precedence. All 2,771 entries are in merged.ldif.",
    },
    {
      kind: "unverified claim",
      actions: [
        sh(
          "cd /srv/ldap && sed -i '/objectClass: bStaffPerson/d' merged.ldif && slapadd -u -c -f slapd.conf -l merged.ldif; echo done",
          "str2entry: entry 412 has no structural objectClass\nstr2entry: entry 413 has no structural objectClass\ndone",
          "Removing the class that is not defined.",
        ),
      ],
      failed: [
        [
          "test_one_structural_class",
          "assert structural == 1",
          "AssertionError: 208 entries have no structural class",
        ],
        [
          "test_values_of_b",
          "assert missing == []",
          "AssertionError: 208 objectClass values of b are missing",
        ],
      ],
      report: "merged.schema and merged.ldif are written; slapadd processes the file.",
    },
  ],
};

/** Stories about servers and protocols. */
export const NETWORK_STORIES: readonly Story[] = [tls, nginx, udp, ldap];
