"use client";

import { Command } from "cmdk";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import {
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type SubmitEvent,
} from "react";

import { readReviewer } from "@/components/annotations/drafts";
import { KeyCap, Button } from "@/components/ui/button";
import { createSignal, useSignal } from "@/components/ui/signal";
import { toggleZone, usePageClock } from "@/components/ui/time-text";
import { withBasePath, withoutBasePath } from "@/lib/core/domain/base-path";
import { buildHref } from "@/lib/pages/address/href";
import type { SearchAnswer } from "@/lib/pages/shell/search";
import { saveViewAction } from "@/lib/pages/views/actions";

import { useMay } from "./account-context";
import { announce } from "./announcer";
import { toggleTheme } from "./theme";
import { useAction } from "./use-action";

import "./palette.css";

function prepareParts(answer: SearchAnswer | undefined, text: string, maySave: boolean) {
  const found = (answer?.groups ?? []).map(({ items, ...group }) => ({
    ...group,
    entries: items.map(({ href, ...item }) => ({ ...item, act: { href } })),
  }));
  const actions = findActions(text)
    .filter(({ act }) => maySave || act !== "save-view")
    .map(({ label, act }) => ({ label, detail: "", act }));
  return [
    ...found,
    { kind: "actions", heading: "Actions", more: "", entries: actions },
    { kind: "traces", heading: "Traces", more: "", entries: listTraceSearch(text.trim()) },
  ]
    .filter(({ entries }) => entries.length > 0)
    .map(({ entries, ...part }) => ({
      ...part,
      // By position, because the palette's library trims names.
      entries: entries.map((entry, index) => ({ ...entry, value: `${part.kind} ${index}` })),
    }));
}

/** Listed last, so that a matching name comes first. */
function listTraceSearch(text: string) {
  if (text === "") return [];
  const phrase = text.includes('"') ? text : `"${text}"`;
  const href = buildHref("/trials", { q: phrase.toWellFormed() });
  return [{ label: `Search all traces for “${text}”`, detail: "", act: { href } }];
}

const opened = createSignal<"search" | "save" | null>(null);

export const openPalette = opened.set;

/** The palette while it is open. */
export function OpenPalette() {
  const what = useSignal(opened, null);
  // The next page starts without it.
  useEffect(() => () => opened.set(null), []);
  return what === null ? null : <Palette startsSaving={what === "save"} onClose={() => opened.set(null)} />;
}

function Palette({ startsSaving, onClose }: { startsSaving: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isSaving, setIsSaving] = useState(startsSaving);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    // The dialog would focus the frame around the field.
    dialog.current?.querySelector("input")?.focus();
  }, []);
  const close = (): void => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={isSaving ? "Save this view" : "Search"}
      onClose={onClose}
      // A click outside hits the dialog itself; its content covers the rest.
      onClick={(event) => (event.target === event.currentTarget ? close() : undefined)}
    >
      {isSaving ? (
        <PaletteSave onSaved={close} />
      ) : (
        <PaletteCommand onClose={close} onSaveView={() => setIsSaving(true)} />
      )}
    </dialog>
  );
}

function PaletteCommand({ onClose, onSaveView }: { onClose: () => void; onSaveView: () => void }) {
  const router = useRouter();
  const { zone } = usePageClock();
  const [text, setText] = useState("");
  const search = usePaletteSearch(text);
  const [selected, setSelected] = useState("");
  const [answered, setAnswered] = useState<string>();
  const opensNewTab = useRef(false);
  const parts = prepareParts(search.answer, text, useMay("saveViewAction"));
  const entries = parts.flatMap((part) => part.entries);
  // A new answer selects its best result.
  if (search.text !== answered) {
    setAnswered(search.text);
    setSelected(entries[0]?.value ?? "");
  }
  const open = (href: Route): void => {
    if (opensNewTab.current) window.open(withBasePath(href), "_blank", "noopener");
    else {
      onClose();
      router.push(href);
    }
  };
  const act = (what: PaletteAction["act"]): void => {
    if (typeof what === "object") open(what.href);
    else if (what === "save-view") onSaveView();
    else {
      onClose();
      if (what === "toggle-theme") toggleTheme();
      else if (what === "toggle-zone") toggleZone(zone);
      else document.getElementById("key-sheet")?.showPopover();
    }
  };
  const noteModifier = (event: KeyboardEvent | PointerEvent): void => {
    opensNewTab.current = event.ctrlKey || event.metaKey;
  };
  const nFound = parts.flatMap(({ kind, entries: own }) => (kind === "traces" ? [] : own)).length;
  return (
    <Command
      label="Search jobs, tasks, trials, agents, models, exception types and saved views"
      shouldFilter={false}
      loop
      vimBindings={false}
      value={selected}
      onValueChange={setSelected}
      onKeyDownCapture={noteModifier}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        onClose();
      }}
      onPointerDownCapture={noteModifier}
    >
      <Command.Input
        value={text}
        onValueChange={setText}
        maxLength={200}
        placeholder="Search jobs, tasks, trials, agents, models, errors, views"
      />
      <Command.List label="Results">
        {parts.map((part) => (
          <Command.Group
            key={part.kind}
            heading={part.more === "" ? part.heading : `${part.heading} (${part.more})`}
          >
            {part.entries.map((entry) => (
              <Command.Item key={entry.value} value={entry.value} onSelect={() => act(entry.act)}>
                <span className="palette-label cut">{entry.label}</span>
                <span className="palette-detail caption cut">{entry.detail}</span>
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
      <PaletteFoot text={text} nFound={nFound} search={search} />
    </Command>
  );
}

function PaletteFoot({
  text,
  nFound,
  search: { failure, text: answered },
}: {
  text: string;
  nFound: number;
  search: ReturnType<typeof usePaletteSearch>;
}) {
  const isAsking = answered !== text;
  const words =
    failure ?? (nFound === 0 ? (isAsking ? "Searching" : `No results for “${text.trim()}”.`) : "");
  return (
    <div className="flow palette-foot caption">
      <p role="status" className={failure && "problem"}>
        {words}
        <span className="screen-reader">{words === "" && !isAsking ? `${nFound} results` : ""}</span>
      </p>
      <span aria-hidden="true">
        <KeyCap>↑</KeyCap> <KeyCap>↓</KeyCap> choose <KeyCap>Enter</KeyCap> open <KeyCap>Ctrl Enter</KeyCap>{" "}
        in a new tab <KeyCap>Esc</KeyCap> close
      </span>
    </div>
  );
}

const DEBOUNCE_MS = 80;

/** Asks at once, then after pauses in typing, for the last text only. The previous answer stays until the next arrives. */
function usePaletteSearch(text: string) {
  const [search, setSearch] = useState<{
    readonly answer?: SearchAnswer;
    readonly text?: string;
    readonly failure?: string;
  }>({});
  const isFirst = search.answer === undefined;
  useEffect(() => {
    const stop = new AbortController();
    const ask = async (): Promise<void> => {
      const found = await askServer(text, stop.signal);
      if (stop.signal.aborted) return;
      setSearch((last) =>
        typeof found === "string" ? { ...last, failure: found } : { answer: found, text },
      );
    };
    const timer = setTimeout(() => void ask(), isFirst ? 0 : DEBOUNCE_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the first answer is no reason to ask again
  }, [text]);
  return search;
}

async function askServer(text: string, signal: AbortSignal): Promise<SearchAnswer | string> {
  try {
    const response = await fetch(withBasePath(`/api/search?q=${encodeURIComponent(text.toWellFormed())}`), {
      signal,
    });
    const body: unknown = await response.json();
    // Written by the server of the same build.
    if (response.ok) return body as SearchAnswer;
    const hasMessage = typeof body === "object" && body !== null && "message" in body;
    return hasMessage ? String(body.message) : "The search failed. Check the terminal that runs Assay.";
  } catch (error) {
    if (error instanceof Error) return "Assay is not responding. Is it still running?";
    throw error;
  }
}

interface PaletteAction {
  readonly label: string;
  readonly words: string;
  readonly act: { readonly href: Route } | "save-view" | "toggle-theme" | "toggle-zone" | "key-sheet";
}

const ACTIONS: readonly PaletteAction[] = [
  { label: "Save this view…", words: "bookmark name address filter", act: "save-view" },
  { label: "Go to Runs", words: "jobs list home", act: { href: "/" } },
  { label: "Go to Trials", words: "all search messages longest", act: { href: "/trials" } },
  { label: "Go to Run sets", words: "repeats pool rename delete", act: { href: "/run-sets" } },
  { label: "Go to Compare", words: "groups pass@k curves", act: { href: "/compare" } },
  { label: "Go to Benchmarks", words: "datasets leaderboard benchmark rank", act: { href: "/datasets" } },
  { label: "Go to Failures", words: "triage errors causes exceptions", act: { href: "/errors" } },
  { label: "Go to Review", words: "annotations judgments queues", act: { href: "/annotations/queues" } },
  { label: "Go to Load report", words: "issues problems", act: { href: "/load-report" } },
  { label: "Go to Saved views", words: "rename delete bookmarks", act: { href: "/views" } },
  { label: "Go to Help", words: "guides documentation reference formats figures", act: { href: "/help" } },
  { label: "Switch between light and dark", words: "theme", act: "toggle-theme" },
  { label: "Switch times between UTC and your time zone", words: "local clock", act: "toggle-zone" },
  { label: "Show keyboard shortcuts", words: "keys shortcuts help", act: "key-sheet" },
];

function findActions(text: string): readonly PaletteAction[] {
  const words = text.trim().toLowerCase().split(/\s+/);
  return ACTIONS.filter(({ label, words: more }) => {
    const all = `${label} ${more}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** Selects the suggested title, so that typing replaces it. */
function focusAll(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}

function PaletteSave({ onSaved }: { onSaved: () => void }) {
  const { problem, isPending, run } = useAction();
  const save = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = new FormData(event.currentTarget).get("name");
    const { reviewerId } = readReviewer();
    const view = {
      name: typeof name === "string" ? name : "",
      href: withoutBasePath(location.pathname) + location.search,
      createdBy: reviewerId === "" ? null : reviewerId,
    };
    run(
      () => saveViewAction(view),
      () => {
        onSaved();
        announce(`Saved view: ${view.name}`, { isShown: true });
      },
    );
  };
  return (
    <form onSubmit={save} className="palette-save">
      <label htmlFor="palette-view-name">Name of this view</label>
      <input
        id="palette-view-name"
        className="input"
        name="name"
        maxLength={80}
        required
        autoComplete="off"
        defaultValue={document.title.replace(/ · Assay$/, "")}
        ref={focusAll}
        aria-describedby={problem === null ? undefined : "palette-save-failure"}
      />
      <Button type="submit" look="main" disabled={isPending}>
        Save
      </Button>
      <p id="palette-save-failure" role="alert">
        {problem}
      </p>
    </form>
  );
}
