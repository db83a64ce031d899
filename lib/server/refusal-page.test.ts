import { createHash } from "node:crypto";

import { expect, it } from "vitest";

import { writeRefusal } from "./refusal-page";

const refusal = { status: 403, message: "Not <here> & now.\n\nGo elsewhere.\n" } as const;

it("gives a browser a page with a title, and every word as text", () => {
  const { type, body, policy } = writeRefusal({ headers: { accept: "text/html,*/*;q=0.8" } }, refusal);
  expect(type).toBe("text/html");
  expect(body).toMatch(/<title>[^<]*Forbidden[^<]*<\/title>/);
  expect(body).toContain('name="viewport"');
  expect(body).toContain("<p>Not &lt;here> &amp; now.</p>\n<p>Go elsewhere.</p>");
  expect(body).not.toContain("script");
  // A browser applies the style only if the policy has its hash.
  const [, style = ""] = /<style>([^<]*)<\/style>/.exec(body) ?? [];
  expect(policy).toContain(`style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`);
});

it.each([
  [400, "invalid"],
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "not_found"],
  [503, "service_unavailable"],
] as const)("returns API errors as JSON: %s", (status, code) => {
  for (const accept of ["text/html", "*/*"]) {
    const { type, body } = writeRefusal(
      { url: "/api/v1/jobs?limit=1", headers: { accept } },
      { ...refusal, status },
    );
    expect([type, JSON.parse(body)]).toEqual([
      "application/json",
      { error: { code, message: refusal.message.trim() } },
    ]);
  }
  expect(writeRefusal({ url: "/jobs", headers: {} }, { ...refusal, status }).type).toBe("text/plain");
});

it.each(["application/json", "*/*", undefined])(
  "gives a program that accepts %s the words alone",
  (accept) => {
    expect(writeRefusal({ headers: { accept } }, refusal)).toMatchObject({
      type: "text/plain",
      body: refusal.message,
    });
  },
);
