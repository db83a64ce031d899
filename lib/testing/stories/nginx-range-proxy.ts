import { bad, edit, sh } from "./story";
import type { Story } from "./story";

/** The story of `nginx-range-proxy`. */
export const nginxRangeProxy: Story = {
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
