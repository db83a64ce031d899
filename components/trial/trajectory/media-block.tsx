import { withBasePath } from "@/lib/core/domain/base-path";
import { formatBytes } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import type { StepBlock, StepView } from "@/lib/read/trial-reading";

import type { StepLinks } from "./step-links";

type Media = Extract<StepBlock, { kind: "image" | "audio" }>;

/** Served unchanged by a route that verifies the type; otherwise says why it is not shown. */
export function MediaBlock({
  block,
  step,
  links,
}: {
  block: Media;
  step: Pick<StepView, "key" | "file">;
  links: StepLinks;
}) {
  if (block.kind === "image" && block.embedded !== null) {
    const { nth, type, sizeBytes } = block.embedded;
    const name = `${type}, ${formatBytes(sizeBytes)}, in the trace`;
    return <Picture href={links.image(step, nth)} name={name} />;
  }
  if (block.path === null) return <p className="step-label caption">{block.note}</p>;
  const href = links.artifact(block.path);
  if (block.kind === "image") return <Picture href={href} name={block.path} />;
  return (
    <figure className="step-audio">
      {/* Nothing is loaded before it is played, and then part by part. */}
      <audio src={withBasePath(href)} controls preload="none" aria-label={block.path} />
      <figcaption className="caption">
        {block.path}
        {block.durationSec === null ? "" : `, ${formatDuration(block.durationSec * 1000)}`}
      </figcaption>
    </figure>
  );
}

function Picture({ href, name }: { href: string; name: string }) {
  return (
    <figure className="step-image">
      {/* oxlint-disable-next-line nextjs/no-img-element -- the optimiser would fetch and rewrite evidence */}
      <img src={withBasePath(href)} alt={`Image ${name}`} loading="lazy" />
      <figcaption className="caption">
        <a href={withBasePath(href)} target="_blank" rel="noreferrer">
          {name}
        </a>
      </figcaption>
    </figure>
  );
}
