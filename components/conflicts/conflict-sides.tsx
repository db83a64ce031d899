import { anchorHref, EvidenceLinks, nameAnchor } from "@/components/annotations/evidence-list";
import {
  AnnotationTime,
  describeVerdict,
  JUDGMENT_MARKS,
  JUDGMENT_WORDS,
} from "@/components/annotations/judgment-words";
import { CommandKey } from "@/components/shell/command-key";
import { AgentName } from "@/components/ui/agent-name";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { formatPlural } from "@/lib/core/format/number";
import type { ConflictReview, OpenConflict, SharedAnchor } from "@/lib/pages/conflicts/open-conflict";
import { openTrialHref } from "@/lib/pages/trial/address";

import "./conflict-sides.css";

export function ConflictSides({ conflict }: { conflict: OpenConflict }) {
  const { taskName, attempt, at, reviews, nMoreReviews, anchors, nHiddenAnchors } = conflict;
  return (
    <section className="conflict-sides" aria-label={`Conflict, ${taskName}`}>
      <div className="section-head">
        <h2 id="conflict-name" tabIndex={-1}>
          {taskName}
        </h2>
        {attempt === null ? (
          <span className="muted">trial not in the open folders</span>
        ) : (
          <span className="muted">attempt {attempt}</span>
        )}
        {at === null ? null : (
          <div className="section-actions">
            <ButtonLink look="bare" href={openTrialHref(at)}>
              Open trace
            </ButtonLink>
          </div>
        )}
      </div>
      <Context conflict={conflict} />
      <div className={reviews.length > 2 ? "conflict-reviews conflict-stack" : "conflict-reviews"}>
        {reviews.map((review) => (
          <Review key={review.versionId} review={review} at={at} />
        ))}
      </div>
      {nMoreReviews === 0 ? null : (
        <p className="caption">{formatPlural(nMoreReviews, "more review")} not shown; the export has all.</p>
      )}
      <div className="section-head">
        <h2>What they point at</h2>
        <span className="muted">{formatPlural(anchors.length, "place")}</span>
        {anchors.length < 2 ? null : (
          <span className="section-actions caption conflict-anchor-keys">
            next <CommandKey id="adjudication.nextAnchor" /> previous{" "}
            <CommandKey id="adjudication.previousAnchor" />
          </span>
        )}
      </div>
      {anchors.length === 0 ? (
        <p className="muted">
          No reviewer attached evidence{nHiddenAnchors === 0 ? "" : " that may be shown yet"}.
        </p>
      ) : (
        <ol className="conflict-anchors">
          {anchors.map((anchor, index) => (
            <Anchor key={index} anchor={anchor} at={at} />
          ))}
        </ol>
      )}
      {nHiddenAnchors === 0 ? null : (
        <p className="caption">
          {formatPlural(nHiddenAnchors, "place")} in what the verifier found: hidden until you decide.
        </p>
      )}
    </section>
  );
}

/** Parts that the queue hides are absent. */
function Context({ conflict: { context } }: { conflict: OpenConflict }) {
  const { agent, jobName, verifier } = context;
  if (agent === null && verifier === null) return null;
  return (
    <p className="row conflict-context">
      {agent === null ? null : <AgentName identity={agent.identity} agent={agent.name} model={agent.model} />}
      {verifier === null ? null : (
        <span className="status-word">
          <Mark status={verifier.outcome} />
          Verifier: {describeVerdict(verifier.outcome, verifier.reward)}
        </span>
      )}
      {jobName === null ? null : <span className="muted cut">{jobName}</span>}
    </p>
  );
}

function Review({ review, at }: { review: ConflictReview; at: OpenConflict["at"] }) {
  const { letter, reviewerId, discipline, timestamp, judgment, confidence, isStale } = review;
  const { categories, notes, anchors } = review;
  return (
    <article className="conflict-review" aria-label={`Reviewer ${letter}, ${reviewerId}`}>
      <header className="row">
        <Letter letter={letter} />
        <b className="cut">{reviewerId}</b>
        {discipline === null ? null : <span className="muted cut">{discipline}</span>}
        <AnnotationTime className="caption nowrap conflict-time" timestamp={timestamp} />
      </header>
      <p className="row conflict-verdict">
        <Mark status={JUDGMENT_MARKS[judgment]} size={16} />
        <b>{JUDGMENT_WORDS[judgment]}</b>
        <span className="muted">
          {confidence === null ? "confidence not said" : `${confidence} confidence`}
        </span>
      </p>
      {isStale ? <p className="caption">The trial changed after this judgment.</p> : null}
      {categories.length === 0 ? (
        <p className="muted conflict-categories">no category</p>
      ) : (
        <ul className="conflict-categories" aria-label="Categories">
          {categories.map((category) => (
            <li key={category}>{category}</li>
          ))}
        </ul>
      )}
      {notes === null ? <p className="muted">no note</p> : <p className="conflict-note">{notes}</p>}
      {at === null ? (
        anchors.map((anchor, index) => <p key={index}>{nameAnchor(anchor)}</p>)
      ) : (
        <EvidenceLinks evidence={anchors} at={at} />
      )}
    </article>
  );
}

function Anchor({ anchor, at }: { anchor: SharedAnchor; at: OpenConflict["at"] }) {
  const { letters, quote } = anchor;
  const name = nameAnchor(anchor);
  return (
    <li>
      <p className="row">
        {at === null ? (
          <span className="cut conflict-place">{name}</span>
        ) : (
          <Link href={anchorHref(at, anchor)} className="cut conflict-place" data-anchor="">
            {name}
          </Link>
        )}
        <span className="row conflict-letters">
          {letters.map((letter) => (
            <Letter key={letter} letter={letter} />
          ))}
        </span>
      </p>
      {quote === null ? null : (
        <blockquote className="conflict-quote">
          <span className={letters[0] === "A" ? undefined : "conflict-dashed"}>{quote}</span>
        </blockquote>
      )}
    </li>
  );
}

/** The first letter is solid, others are dashed: colours are reserved for verdicts. */
function Letter({ letter }: { letter: string }) {
  return (
    <span className={letter === "A" ? "conflict-letter" : "conflict-letter conflict-letter-other"}>
      <span className="screen-reader">Reviewer </span>
      {letter}
    </span>
  );
}
