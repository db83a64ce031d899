import { sh } from "./story";
import type { Story } from "./story";

/** The story of `tls-chain-rotate`. */
export const tlsChainRotate: Story = {
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
