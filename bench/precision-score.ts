import { computeWilsonInterval } from "@/lib/core/stats";
import { FAILURE_CLASSES, type FailureClass } from "@/lib/core/triage/classes";

/** A person's label of a failed trial. */
export interface Label {
  /** Folder of the trial below the measured folder. */
  readonly trial: string;
  readonly failureClass: FailureClass;
  /** True where the files allow more than one class; not scored. */
  readonly isAmbiguous: boolean;
}

/** Parses JSON lines of `{trial, class, ambiguous?}`. @throws Error that names the line */
export function parseLabels(text: string): readonly Label[] {
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    const { trial, class: said, ambiguous } = JSON.parse(line) as Record<string, unknown>;
    const failureClass = FAILURE_CLASSES.find((one) => one === said);
    if (typeof trial !== "string" || failureClass === undefined)
      throw new Error(
        `Line ${at + 1}: "trial" must be a path and "class" one of ${FAILURE_CLASSES.join(", ")}.`,
      );
    return { trial, failureClass, isAmbiguous: ambiguous === true };
  });
}

/** Trials to which the rules give a class, and how many of them the labels confirm. */
export interface ClassPrecision {
  readonly name: FailureClass | "all";
  readonly interval: ReturnType<typeof computeWilsonInterval>;
}

/** A comparison of labels with the classes of the rules. */
interface Precision {
  readonly all: ClassPrecision;
  readonly classes: readonly ClassPrecision[];
  readonly wrong: readonly {
    readonly trial: string;
    readonly label: FailureClass;
    readonly rules: FailureClass;
  }[];
  readonly nAmbiguous: number;
  /** Labelled trials that the folder does not have, or that did not fail. */
  readonly absent: readonly string[];
}

/** Compares labels with the classes that the rules give, by trial. */
export function scoreLabels(labels: readonly Label[], classes: ReadonlyMap<string, FailureClass>): Precision {
  const sure = labels.filter(({ isAmbiguous }) => !isAmbiguous);
  const scored = sure.flatMap(({ trial, failureClass: label }) => {
    const rules = classes.get(trial);
    return rules === undefined ? [] : { trial, label, rules };
  });
  const measure = (name: ClassPrecision["name"], own: typeof scored): ClassPrecision => ({
    name,
    interval: computeWilsonInterval(own.filter(({ label, rules }) => label === rules).length, own.length),
  });
  return {
    all: measure("all", scored),
    classes: FAILURE_CLASSES.flatMap((name) => {
      const own = scored.filter(({ rules }) => rules === name);
      return own.length === 0 ? [] : measure(name, own);
    }),
    wrong: scored.filter(({ label, rules }) => label !== rules),
    nAmbiguous: labels.length - sure.length,
    absent: sure.flatMap(({ trial }) => (classes.has(trial) ? [] : trial)),
  };
}
