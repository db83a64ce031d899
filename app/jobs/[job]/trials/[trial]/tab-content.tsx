import { FilesAside } from "@/components/trial/files/files-aside";
import { ChosenFiles, FilesPanel } from "@/components/trial/files/files-panel";
import { StepsPanel } from "@/components/trial/steps-panel";
import { StepList, type StepListLinks } from "@/components/trial/trajectory/step-list";
import { TrialFacts } from "@/components/trial/trial-facts";
import { NoTrajectory } from "@/components/trial/trial-notes";
import { ShowAllOf } from "@/components/trial/trial-parts";
import { EvaluationPanel } from "@/components/trial/verifier/evaluation-panel";
import { TestsPanel } from "@/components/trial/verifier/tests-panel";
import { VerifierRow } from "@/components/trial/verifier/verifier-notes";
import { ALL_LANES } from "@/lib/core/domain/trajectory";
import { openArtifactHref, stepHref, stepImageHref, type TrialParams } from "@/lib/pages/trial/address";
import { hideFile, hideFileList, hideFilesPanel } from "@/lib/pages/trial/blind";
import { getEarlierAttempts, getFileList, getFilesPanel, getFoundInFiles } from "@/lib/pages/trial/files";
import type { TrialPage } from "@/lib/pages/trial/page";

const NO_FILTER = { roles: [], tools: [], paths: [], range: null, only: [] };

export async function drawTab(page: TrialPage, search: TrialParams) {
  const place = { ...page.at, search };
  const own = { ...findKeys(page), attempt: null };
  switch (search.tab) {
    case "trajectory": {
      if (page.trajectory.nAll === 0) return <NoTrajectory page={page} />;
      const links: StepListLinks = {
        step: (step) => stepHref(page.at, search, { step }),
        from: (from) => stepHref(page.at, search, { step: search.step, from }),
        lane: (name, starter) => changeLanes(page, search, name, starter),
        unfiltered: stepHref(page.at, search, { ...NO_FILTER, step: search.step }),
        artifact: (file) => openArtifactHref(page.at, file),
        image: (step, nth) => stepImageHref(page.at, step, nth, search.source),
      };
      const end = <VerifierRow page={page} />;
      return <StepList panel={page.trajectory} links={links} named={search} end={end} />;
    }
    case "steps":
      return <StepsPanel page={page} />;
    case "tests":
      return <TestsPanel at={{ page, search }} />;
    case "evaluation":
      return <EvaluationPanel shown={page.evaluation} place={place} />;
    case "files":
      return (
        <FilesPanel
          panel={hideFilesPanel(
            await getFilesPanel({ ...own, attempt: search.attempt }, hideFile(search, page.hidden)),
            page.hidden,
          )}
          place={place}
        />
      );
    case "log": {
      const panel = await getFilesPanel(own, { ...search, selection: "logs" });
      return <ChosenFiles panel={panel} place={place} none="This trial left no log" />;
    }
    case "config": {
      const panel = await getFilesPanel(own, { ...search, selection: "records" });
      return (
        <>
          <ShowAllOf page={page} file={page.recordFile} />
          <TrialFacts page={page} tab={search.tab} />
          <ChosenFiles panel={panel} place={place} none="This trial left no result.json or config.json" />
        </>
      );
    }
  }
}

/** A queue's page does not name its job in file URLs. */
function findKeys({ queueItem, job, trial }: TrialPage) {
  const place = queueItem?.place ?? null;
  return place === null
    ? { jobKey: job.key, trialKey: trial.key }
    : { jobKey: place.jobKey, trialKey: place.key };
}

/** Returns the URL of the list with one more subagent, or without one, in the same window. */
function changeLanes(
  { at, trajectory }: TrialPage,
  search: TrialParams,
  name: string,
  starter: string | null,
) {
  const { offset: from, steps, started } = trajectory;
  if (starter === null)
    return stepHref(at, search, { step: search.step, from, lanes: [...search.lanes, name] });
  const above = new Map(started);
  const asked = search.lanes.includes(ALL_LANES) ? [...above.keys()].slice(0, MOST_NAMED) : search.lanes;
  const lanes = asked.filter((one) => one !== name && one !== ALL_LANES);
  // A step of a subagent, or of one below it, keeps it open.
  let lane = steps.find(({ isCurrent }) => isCurrent)?.lane;
  while (lane !== undefined && lane !== name) lane = above.get(lane);
  return stepHref(at, search, { step: lane === name ? starter : search.step, from, lanes });
}

/** Most subagents that a URL names when one of all is closed. */
const MOST_NAMED = 50;

export async function drawFilesAside(page: TrialPage, search: TrialParams) {
  const { jobKey, trialKey } = findKeys(page);
  const of = { jobKey, trialKey, attempt: search.attempt };
  const isSought = search.find !== "" && page.hidden.length === 0;
  return (
    <FilesAside
      page={page}
      search={search}
      list={hideFileList(await getFileList(of), page.hidden)}
      attempts={page.hidden.length > 0 ? [] : await getEarlierAttempts(jobKey, trialKey)}
      found={isSought ? await getFoundInFiles(of, { ...search, text: search.find }) : null}
    />
  );
}
