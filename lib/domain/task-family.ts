/** A marker at the end of a name, such as `-001`; the lookbehind keeps the search from starting over in a run. */
const INSTANCE_MARKER = /(?<=[^-_/])[-_]+\d+$/u;

/**
 * The family of instances of one template, whose verifiers mean the same by a dimension's name.
 * `electrical/voltage-drop/submain` is an instance of all but its last name; of any other name the marker at its end is
 * left out (`cable-001` is `cable`).
 */
export function findTaskFamily(taskName: string): string {
  const names = taskName.split("/").filter((name) => name !== "");
  if (names.length >= 3) return names.slice(0, -1).join("/");
  return taskName.replace(INSTANCE_MARKER, "");
}
