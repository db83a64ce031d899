"use client";

import { useState } from "react";

import { readReviewer, rememberReviewer } from "@/components/annotations/drafts";
import { ForAction } from "@/components/shell/account-context";
import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { FieldsForm } from "@/components/ui/fields-form";
import { Problem } from "@/components/ui/problem";
import { TimeText } from "@/components/ui/time-text";
import { readInstant } from "@/lib/core/domain/clock-time";
import { TRIAGE_LIMITS } from "@/lib/core/domain/triage-note";
import { formatPlural } from "@/lib/core/format/number";
import type { ClusterPage } from "@/lib/pages/clusters/page";
import { nameClusterAction } from "@/lib/pages/triage/actions";

type History = NonNullable<ClusterPage["named"]>["history"];

interface Props {
  readonly clusterKey: string;
  readonly name: string | null;
  readonly base: number;
  readonly history: History;
}

export function ClusterName(props: Props) {
  const [isOpen, setOpen] = useState(false);
  const { name, history } = props;
  const [last] = history;
  return (
    <div className="flow cluster-name">
      {isOpen ? (
        <NameForm {...props} onDone={() => setOpen(false)} />
      ) : (
        <ForAction action="nameClusterAction">
          <Button onClick={() => setOpen(true)}>{name === null ? "Name this cluster" : "Rename"}</Button>
        </ForAction>
      )}
      {last === undefined ? null : (
        <details>
          <summary className="muted">
            {last.text === null ? "Name removed" : "Named"} by {last.author},{" "}
            {formatPlural(history.length, "change")}
          </summary>
          <ol>
            {history.map(({ seq, text, author, createdAt }) => (
              <li key={seq}>
                {text === null ? <span className="muted">name removed</span> : text}{" "}
                <span className="muted">
                  {author}, <TimeText time={readInstant(createdAt)} />
                </span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

function NameForm({ clusterKey, name, base, history, onDone }: Props & { readonly onDone: () => void }) {
  const { problem, isConflict, isPending, run } = useAction();
  const [opened] = useState(base);
  // Saving replaces this change, whether a refusal brought it or the page followed it while the form was open.
  const theirs = base === opened ? undefined : history[0];
  const { reviewerId, reviewerDiscipline } = readReviewer();
  const save = (author: string, typed: string): void => {
    if (author !== "") rememberReviewer({ reviewerId: author, reviewerDiscipline });
    run(() => nameClusterAction({ key: clusterKey, name: typed, base }), onDone);
  };
  return (
    <FieldsForm
      className="flow cluster-name-form"
      onSend={(read) => save(read("author").trim(), read("name"))}
    >
      <label className="row">
        Name
        <input
          className="input"
          name="name"
          defaultValue={name ?? ""}
          maxLength={TRIAGE_LIMITS.name}
          autoFocus
        />
      </label>
      {reviewerId === "" ? (
        <label className="row">
          Your name
          <input className="input" name="author" />
        </label>
      ) : null}
      <Button type="submit" look="main" disabled={isPending}>
        {theirs === undefined ? "Save name" : "Replace theirs"}
      </Button>
      <Button onClick={onDone}>Cancel</Button>
      <Problem>{theirs === undefined ? null : describeTheirs(theirs)}</Problem>
      <Problem>{theirs !== undefined && isConflict ? null : problem}</Problem>
    </FieldsForm>
  );
}

function describeTheirs({ author, text }: History[number]): string {
  const change = text === null ? "removed the name" : `named this cluster “${text}”`;
  return `${author} ${change} meanwhile. Your text is kept; saving replaces theirs.`;
}
