/** Writes the command that runs trials with these exceptions again. All versions of Harbor know `jobs resume -f`. */
export function formatResumeCommand(folder: string, types: readonly string[]): string {
  const filters = types.map((type) => `-f ${quote(type)}`);
  return ["harbor jobs resume", `-p ${quote(folder)}`, ...filters].join(" \\\n  ");
}

/** Quotes for POSIX shells if the text has any character that may be special to one. */
function quote(text: string): string {
  return /^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
