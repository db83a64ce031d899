import type { Gathered } from "./gather";
import type { ImportPlan } from "./plan-import";

export function listNotes(
  { judgments, decisions, nUnreadable, isDamaged }: Gathered,
  { nRenamed, nOfLostQueues }: ImportPlan,
  now: Date,
): readonly string[] {
  const times = [...judgments, ...decisions].map(({ fields }) => fields.timestamp);
  const nFuture = times.filter((time) => Date.parse(time) > now.getTime()).length;
  const notes: string[] = [];
  if (nFuture > 0)
    notes.push(
      `${nFuture.toLocaleString("en-US")} of them ${nFuture === 1 ? "states a time" : "state times"} that is still to come. Times are kept as stated; versions count in the order of their numbers.`,
    );
  if (nRenamed > 0)
    notes.push(
      `${nRenamed.toLocaleString("en-US")} ${nRenamed === 1 ? "name of a category does" : "names of categories do"} not fit the id beside it. The id counts, by the name that its category has here.`,
    );
  if (nOfLostQueues > 0)
    notes.push(
      `${nOfLostQueues.toLocaleString("en-US")} ${nOfLostQueues === 1 ? "line is" : "lines are"} of a queue that is not here. The files lack it too, so no corrected score counts these judgments. Import an export of the whole queue.`,
    );
  if (nUnreadable > 0)
    notes.push(
      `${nUnreadable.toLocaleString("en-US")} lines are about rows that could not be read where they come from, and are left out.`,
    );
  if (isDamaged) notes.push("The files come from a damaged store and do not have everything that was in it.");
  return notes;
}
