import { expect, it } from "vitest";

import { collectEnvironment } from "@/lib/core/domain/environment";

import { readEnvironment } from "./environment";
import { parseTrialConfig } from "./trial-files";

/** The facts of one trial with this config. */
function read(config: Readonly<Record<string, unknown>>) {
  const exact = new Map(Object.entries(config).map(([name, value]) => [name, toMap(value)]));
  const { value } = parseTrialConfig(exact);
  const environment = value && readEnvironment(value, (text) => String(text.length));
  return Object.fromEntries(
    Array.from(collectEnvironment([{ environment }], { environment: [] }), ([name, all]) => [name, [...all]]),
  );
}

function toMap(value: unknown): Parameters<typeof parseTrialConfig>[0] {
  if (typeof value !== "object" || value === null) return value as string | number | boolean | null; // Of JSON.
  if (Array.isArray(value)) return value.map(toMap);
  return new Map(Object.entries(value).map(([name, item]) => [name, toMap(item)]));
}

it("tells a limit that is not set from one that is not recorded", () => {
  expect(read({ environment: { type: "modal", override_cpus: 2, override_memory_mb: null } })).toEqual({
    provider: ['"modal"'],
    CPUs: ["2"],
    "memory (MB)": ["null"],
  });
  expect(read({ task: { path: "a" } })).toEqual({});
});

it("reads hosts and limits of verifier and agent, and no variable or secret", () => {
  const facts = read({
    environment: { env: { TOKEN: "x" }, mounts: ["/home/a"], kwargs: { vm: true, api_key: "x" } },
    verifier: { override_timeout_sec: 30, env: { TOKEN: "x" } },
    agent: { extra_allowed_hosts: ["b", "a\nb"] },
  });
  expect(facts).toEqual({
    "environment options": ['{"vm": true}'],
    "verifier timeout": ["30"],
    "agent allowed hosts": ['["b", "a\\nb"]'],
  });
});

it("leaves out nested options that are named like secrets, and the folders of compose files", () => {
  const kwargs = {
    env: { NAME: "x" },
    registry: { host: "a", password: "x", token: "x" },
    secrets: ["x"],
    mirrors: [{ "api-key": "x", port: 1 }],
  };
  expect(read({ environment: { kwargs, extra_docker_compose: ["/home/a/gpu.yml", "b.yml"] } })).toEqual({
    "compose files": ['["gpu.yml", "b.yml"]'],
    "environment options": ['{"mirrors": [{"port": 1}], "registry": {"host": "a"}}'],
  });
});
