/**
 * A marker of one instance at the end of a task's name, behind something to be an instance of: `-001`, `_12`, `__3`.
 * The character before it keeps the search from starting over in a run of separators.
 */
const INSTANCE_MARKER = /(?<=[^-_/])[-_]+\d+$/u;

/**
 * The family a task belongs to: instances of one template, whose verifiers mean the same by a dimension's name.
 * Dimensions of different families are never put together, even when they are called the same.
 *
 * A path of three or more names, as in `electrical/voltage-drop/submain`, is an instance of all but its last name. Any
 * other name is taken without the instance marker at its end (`cable-001` and `cable-002` are both `cable`), and a name
 * without one is a family of its own.
 *
 * @param taskName - as result.json states it
 * @returns never empty for a name that is not
 */
export function findTaskFamily(taskName: string): string {
  const names = taskName.split("/").filter((name) => name !== "");
  if (names.length >= 3) return names.slice(0, -1).join("/");
  return taskName.replace(INSTANCE_MARKER, "");
}
