import { ACCOUNT_LIMIT } from "@/lib/core/triage/account-limit";
import type { Signal, SignalKind, SignalPlace } from "@/lib/core/triage/signals";

import { stripTerminal } from "../detail/terminal-text";

export const MAX_SIGNALS = 24;
const MAX_LINE = 400;
export const MAX_TEXT = 2000;
const LONGER: Partial<Record<SignalKind, number>> = { exception: MAX_TEXT, traceback: MAX_TEXT, end: 1000 };

export const ERROR_LINE =
  /\b(?:errors?|exception|failed|failure|failing|fatal|traceback|cannot|could not|couldn't|unable|not found|no such|refused|timed out|timeout|killed|denied|missing|conflict|already exists|not ok|FAIL)\b|\w(?:Error|Exception)\b|[✗✘×]/iu;
/** Matches errors of model service clients, in lines known to come from them. */
export const PROVIDER = new RegExp(
  String.raw`\bapi error\b|\brate.?limit|\b(?:usage|spending) limit\b|\bquota\b|credit balance|\boverloaded\b|too many requests|stream disconnected|unable to connect to (?:the )?(?:api|anthropic|openai)|service unavailable|bad gateway|stream idle timeout|\bapi.?key\b|authentication.?error|context.?(?:length|window|size)|maximum context|prompt is too long|output token maximum|\blitellm\.|provider returned error|${ACCOUNT_LIMIT}`,
  "iu",
);

export class SignalList {
  private readonly kinds = new Map<SignalKind, Map<string, Signal>>();

  add(kind: SignalKind, text: string, place: SignalPlace, cut: "start" | "end" = "start"): void {
    const whole = text.trim();
    const most = LONGER[kind] ?? MAX_LINE;
    const part = cut === "start" ? whole.slice(0, most) : whole.slice(-most);
    const kept = stripTerminal(part).toWellFormed().trim();
    if (kept === "") return;
    const known = this.kinds.get(kind) ?? new Map<string, Signal>();
    this.kinds.set(kind, known);
    if (known.size < MAX_SIGNALS && !known.has(kept)) known.set(kept, { kind, text: kept, place });
  }

  list(): readonly Signal[] {
    return [...this.kinds.values()].flatMap((known) => [...known.values()]);
  }
}
