"use client";

import { type ReactNode, useRef, useState } from "react";

import { useAction } from "@/components/shell/use-action";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { DataTable } from "@/components/ui/data-table";
import { FieldsForm } from "@/components/ui/fields-form";
import { Notice } from "@/components/ui/notice";
import { Problem } from "@/components/ui/problem";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TimeText } from "@/components/ui/time-text";
import { type Role, ROLES } from "@/lib/core/domain/account";
import { readInstant } from "@/lib/core/domain/clock-time";
import type { ActionFailure } from "@/lib/pages/shell/act";

import "./accounts.css";

interface Listed {
  readonly id: string;
  readonly role: Role;
  /** UTC, ISO 8601. */
  readonly expiresAt: string;
}

interface SecretsProps<Row extends Listed> {
  readonly words: {
    readonly form: string;
    readonly make: string;
    readonly copy: string;
    readonly caption: string;
    readonly heading: string;
    readonly none: string;
  };
  readonly rows: readonly Row[];
  readonly label: DataColumn<Row>["cell"];
  readonly more?: readonly DataColumn<Row>[];
  readonly nameOf: (row: Row) => string;
  readonly make: (
    read: (name: string) => string,
    role: Role,
  ) => Promise<{ readonly secret: string } | ActionFailure>;
  readonly revoke: (id: string) => Promise<{ readonly status: string } | ActionFailure>;
  readonly textOf: (secret: string) => string;
  readonly about: () => ReactNode;
  readonly children: ReactNode;
}

/** A form that makes tokens or invitations, the secret of the last one, which is shown once, and a list to revoke them. */
export function Secrets<Row extends Listed>(props: SecretsProps<Row>) {
  const { words, rows, nameOf, make, revoke, textOf, about, children } = props;
  // `older` holds the ids from before, so that the new secret stays visible while others are revoked.
  const [made, setMade] = useState<{ readonly secret: string; readonly older: readonly string[] } | null>(
    null,
  );
  const { problem, isPending, run } = useAction();
  const ended = useEnded();
  const end = (row: Row) =>
    run(
      () => revoke(row.id),
      () => {
        setMade((now) => (now === null || now.older.includes(row.id) ? now : null));
        ended.say(`Revoked: ${nameOf(row)}.`);
      },
    );
  return (
    <>
      <FieldsForm
        className="flow account-row"
        label={words.form}
        onSend={(read, form) => {
          setMade(null);
          run(
            () => make(read, ROLES.find((one) => one === read("role")) ?? "viewer"),
            ({ secret }) => {
              setMade({ secret, older: rows.map(({ id }) => id) });
              form.reset();
            },
          );
        }}
      >
        {children}
        <Button type="submit" aria-disabled={isPending}>
          {words.make}
        </Button>
      </FieldsForm>
      <Problem>{problem}</Problem>
      {made === null ? null : (
        <OnlyOnce title={words.copy} text={textOf(made.secret)}>
          {about()}
        </OnlyOnce>
      )}
      {ended.line}
      {rows.length === 0 ? (
        <p className="muted">{words.none}</p>
      ) : (
        <DataTable
          caption={words.caption}
          className="table-lines"
          columns={listColumns(props, isPending, end)}
          rows={rows}
          rowKey={({ id }) => id}
        />
      )}
    </>
  );
}

function listColumns<Row extends Listed>(
  { words, label, more = [], nameOf }: SecretsProps<Row>,
  isPending: boolean,
  end: (row: Row) => void,
): readonly DataColumn<Row>[] {
  return [
    column(words.heading, label, { className: "name wrap", phone: "first" }),
    column("Role", ({ role }) => role, { phone: "side" }),
    ...more,
    column("Expires", ({ expiresAt }) => <TimeText time={readInstant(expiresAt)} />, { phone: "labelled" }),
    column(
      "Change",
      (row) => (
        <Button
          look="bare"
          aria-disabled={isPending}
          aria-label={`Revoke ${nameOf(row)}`}
          onClick={() => end(row)}
        >
          Revoke
        </Button>
      ),
      { className: "account-act", phone: "end" },
    ),
  ];
}

function OnlyOnce({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Notice
      title={title}
      code={text}
      actions={
        <CopyButton
          text={text}
          label="Copy"
          source={(button) => button.closest(".notice")?.querySelector(".notice-code")}
        >
          Copy
        </CopyButton>
      }
    >
      {children}
    </Notice>
  );
}

export function useEnded() {
  const [words, setWords] = useState("");
  const line = useRef<HTMLParagraphElement>(null);
  return {
    line: (
      <p role="status" tabIndex={-1} ref={line} className="account-ended">
        {words}
      </p>
    ),
    say: (next: string) => {
      setWords(next);
      line.current?.focus();
    },
  };
}

export function RoleField({ roles, initial }: { roles: readonly Role[]; initial: Role }) {
  return (
    <label className="labelled">
      <span className="label">Role</span>
      <select className="input" name="role" defaultValue={initial}>
        {roles.map((role) => (
          <option key={role} value={role}>
            {role === "viewer" ? "viewer (reads only)" : role}
          </option>
        ))}
      </select>
    </label>
  );
}
