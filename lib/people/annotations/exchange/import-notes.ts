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
      `${nFuture.toLocaleString("en-US")} of them ${nFuture === 1 ? "has a time" : "have times"} in the future. Times are kept; versions count in the order of their numbers.`,
    );
  if (nRenamed > 0)
    notes.push(
      `${nRenamed.toLocaleString("en-US")} ${nRenamed === 1 ? "category name does" : "category names do"} not match the id. The id counts, with the name of its category here.`,
    );
  if (nOfLostQueues > 0)
    notes.push(
      `${nOfLostQueues.toLocaleString("en-US")} ${nOfLostQueues === 1 ? "line is" : "lines are"} from a queue that is neither here nor in the files. No corrected score counts these judgments. Import an export of the whole queue.`,
    );
  if (nUnreadable > 0)
    notes.push(
      `${nUnreadable.toLocaleString("en-US")} lines are about rows that their source could not read, and are left out.`,
    );
  if (isDamaged) notes.push("The files come from a damaged store and are incomplete.");
  return notes;
}
