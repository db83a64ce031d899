import { Link } from "@/components/ui/link";
import type { ScanPlace } from "@/lib/core/domain/scanner";
import { nameSuggester } from "@/lib/core/domain/suggestion";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { openTrialHref, stepHref } from "@/lib/pages/trial/address";

import { AsideSection, type ShownTrial, Tag } from "./trial-parts";

const MOST_PLACES = 5;
const MOST_RESULTS = 30;

export function ScanSection({ page }: { page: ShownTrial }) {
  const { scans, trial } = page;
  if (trial.folder === "" || scans.extent === "none") return null;
  const { extent, results } = scans;
  return (
    <AsideSection title="Scanners" note="found by rules" id="scanners">
      {results.length > 0 ? (
        <ul className="tags">
          {results.slice(0, MOST_RESULTS).map(({ scanner, version, info, nPlaces, places, stopped }) => (
            <Tag
              key={scanner}
              page={page}
              name={info.title}
              source={`${info.severity} severity`}
              title={info.meaning}
              suggestion={
                nPlaces === 0
                  ? null
                  : { suggester: nameSuggester("scanner", scanner), version: String(version) }
              }
            >
              <ul className="scan-places">
                {places.slice(0, MOST_PLACES).map((place, nth) => (
                  <li key={nth}>
                    <PlaceLink place={place} page={page} />
                  </li>
                ))}
              </ul>
              {nPlaces <= MOST_PLACES ? null : (
                <p className="caption">
                  {MOST_PLACES} of {formatCount(nPlaces)} places shown.
                </p>
              )}
              {stopped === null ? null : (
                <p className="caption">Stopped early, so there may be more. {stopped}</p>
              )}
            </Tag>
          ))}
        </ul>
      ) : (
        <p className="caption">
          {extent === null
            ? "This trial has not been scanned yet."
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

function PlaceLink({ place, page: { at, search } }: { place: ScanPlace; page: ShownTrial }) {
  const { step, file, line, match, after } = place;
  const quote = `${match}${after}`.trim();
  return (
    <>
      {step === null ? (
        <Link href={openTrialHref(at, { tab: "files", file, line })} mode="stay" title={file}>
          {file.split("/").at(-1)}
          {line === null ? null : `:${String(line)}`}
        </Link>
      ) : (
        <Link href={stepHref(at, search, { source: null, step })} mode="stay">
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
