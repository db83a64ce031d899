import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { withBasePath } from "@/lib/core/domain/base-path";
import type { FileWindow } from "@/lib/core/domain/file-preview";
import type { FileContent, FileForm, TrialFileView } from "@/lib/core/domain/file-view";
import { formatBytes } from "@/lib/core/format/number";
import { openTrialHref } from "@/lib/pages/trial/address";

import { WrapSwitch } from "../wrap-switch";
import { bytesHref, type FilePlace, keepPlace } from "./file-place";
import { FilePreview } from "./file-preview";
import { FileText } from "./file-text";
import { FileWindowNav } from "./file-window-nav";

type OpenFile = Extract<TrialFileView, { kind: "file" }>;

const FORM_NAMES: Readonly<Record<FileForm, string>> = { preview: "Preview", text: "Text", hex: "Hex" };

export function FileView({ view, place }: { view: TrialFileView; place: FilePlace }) {
  if (view.kind === "problem") {
    return (
      <Notice title="This file cannot be shown" tone="error" code={`${view.issue.code}: ${view.path}`}>
        {view.issue.detail} Files outside the trial folder are never opened. Choose another file.
      </Notice>
    );
  }
  const window = findWindow(view.content);
  return (
    <section className="file-view" aria-label={view.path} data-evidence="artifact" data-place={view.path}>
      <FileHead view={view} place={place} />
      {view.note === null ? null : <p className="caption file-note">{view.note}</p>}
      {window === null ? null : <FileWindowNav view={view} window={window} place={place} />}
      <Content view={view} place={place} />
    </section>
  );
}

function findWindow(content: FileContent): FileWindow | null {
  if (content.kind === "text") return content.text;
  if (content.kind === "preview") return "window" in content.preview ? content.preview.window : null;
  return content.kind === "hex" ? content.hex : null;
}

function FileHead({ view: { path, sizeBytes, forms, form }, place }: { view: OpenFile; place: FilePlace }) {
  const { search } = place;
  return (
    <div className="file-head">
      <code className="cut grow" title={path}>
        {path}
      </code>
      <span className="muted nowrap">{formatBytes(sizeBytes)}</span>
      {forms.length < 2 || sizeBytes === 0 ? null : (
        <nav className="file-forms" aria-label="Shown as">
          {forms.map((one) => (
            <Link
              key={one}
              href={openTrialHref(place, { ...keepPlace(search), file: path, form: one })}
              mode="stay"
              aria-current={one === form ? "true" : undefined}
            >
              {FORM_NAMES[one]}
            </Link>
          ))}
        </nav>
      )}
      {form === "text" ? <WrapSwitch /> : null}
      {forms.includes("text") ? (
        <a
          className="button button-bare"
          href={withBasePath(bytesHref(place, path, "text"))}
          target="_blank"
          rel="noreferrer"
          title="The whole file in a tab of its own, as plain text"
        >
          Raw
        </a>
      ) : null}
      <a className="button button-bare" href={withBasePath(bytesHref(place, path, "file"))} download>
        Download
      </a>
      <CopyButton text={path} label="Copy path" />
    </div>
  );
}

function Content({ view: { path, sizeBytes, content }, place }: { view: OpenFile; place: FilePlace }) {
  if (sizeBytes === 0) return <p className="muted file-empty">The file is empty. Empty logs are common.</p>;
  switch (content.kind) {
    case "text":
      return <FileText content={content} />;
    case "preview":
      return <FilePreview preview={content.preview} />;
    case "hex":
      return (
        <pre className="file-text file-hex" tabIndex={0}>
          {content.hex.rows.join("\n")}
        </pre>
      );
    case "image":
      return (
        // oxlint-disable-next-line nextjs/no-img-element -- the optimiser would fetch and rewrite evidence
        <img className="file-image" src={withBasePath(bytesHref(place, path))} alt={path} />
      );
    case "audio":
    case "video": {
      const Player = content.kind;
      // Loads nothing before playback, then in parts.
      return (
        <Player
          className="file-media"
          src={withBasePath(bytesHref(place, path))}
          controls
          preload="none"
          aria-label={path}
        />
      );
    }
    case "closed":
      return (
        <Notice title={`This is ${content.what}`}>
          It is not opened here. Download it, or see its bytes under Hex.
        </Notice>
      );
  }
}
