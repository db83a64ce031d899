/** A number at the end of a name, such as `-001`; the lookbehind keeps the search from restarting in a run. */
const INSTANCE_MARKER = /(?<=[^-_/])[-_]+\d+$/u;

/**
 * Returns the family of instances of one template, whose verifiers mean the same by a dimension's name.
 * `electrical/voltage-drop/submain` gives all but its last name; any other name loses the number at its end (`cable-001` gives
 * `cable`).
 */
export function findTaskFamily(taskName: string): string {
  const names = taskName.split("/").filter((name) => name !== "");
  if (names.length >= 3) return names.slice(0, -1).join("/");
  return taskName.replace(INSTANCE_MARKER, "");
}
