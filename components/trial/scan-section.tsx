import { Link } from "@/components/ui/link";
import type { ScanPlace } from "@/lib/core/domain/scanner";
import { nameSuggester } from "@/lib/core/domain/suggestion";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import type { TrialAnswers } from "@/lib/pages/annotations/suggestions";
import { openTrialHref, stepHref } from "@/lib/pages/trial/address";

import { SuggestionAnswers } from "./suggestion-answer";
import { AsideSection, type TrialAt } from "./trial-parts";

const MOST_PLACES = 5;
const MOST_RESULTS = 30;

export function ScanSection({ at, answers }: { at: TrialAt; answers: TrialAnswers | null }) {
  const { scans, trial } = at.page;
  if (trial.folder === "" || scans.extent === "none") return null;
  const { extent, results } = scans;
  return (
    <AsideSection title="Scanners" note="found by rules" id="scanners">
      {results.length > 0 ? (
        <ul className="tags">
          {results.slice(0, MOST_RESULTS).map(({ scanner, version, info, nPlaces, places, stopped }) => (
            <li key={scanner}>
              <span className="row tag-head" title={info.meaning}>
                {info.title}
                <span className="caption">{info.severity} severity</span>
              </span>
              <ul className="scan-places">
                {places.slice(0, MOST_PLACES).map((place, nth) => (
                  <li key={nth}>
                    <PlaceLink place={place} at={at} />
                  </li>
                ))}
              </ul>
              {nPlaces <= MOST_PLACES ? null : (
                <p className="caption">
                  {MOST_PLACES} of {formatCount(nPlaces)} places shown.
                </p>
              )}
              {stopped === null ? null : <p className="caption">Stopped, so there may be more. {stopped}</p>}
              {nPlaces === 0 ? null : (
                <SuggestionAnswers
                  of={answers}
                  suggestion={{ suggester: nameSuggester("scanner", scanner), version: String(version) }}
                  label={info.title}
                />
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p className="caption">
          {extent === null
            ? "Scanners have not looked through this trial yet."
            : `Nothing found${extent === "files" ? " in its files; it has no trajectory" : ""}.`}
        </p>
      )}
      {results.length <= MOST_RESULTS ? null : (
        <p className="caption">
          {MOST_RESULTS} of {formatPlural(results.length, "scanner")} shown.
        </p>
      )}
    </AsideSection>
  );
}

function PlaceLink({ place, at: { page, search } }: { place: ScanPlace; at: TrialAt }) {
  const { step, file, line, match, after } = place;
  const quote = `${match}${after}`.trim();
  return (
    <>
      {step === null ? (
        <Link href={openTrialHref(page.at, { tab: "files", file, line })} mode="stay" title={file}>
          {file.split("/").at(-1)}
          {line === null ? null : `:${String(line)}`}
        </Link>
      ) : (
        <Link href={stepHref(page.at, search, { source: null, step })} mode="stay">
          step {step}
        </Link>
      )}{" "}
      {quote === "" ? null : (
        <code className="cut" title={`${place.before}${match}${after}`}>
          {quote}
        </code>
      )}
    </>
  );
}
