/** One example for a rule: the files of a small tree, and the places (`path:line`) where the rule must find something. */
export type Case = { rule: string; title: string; files: Record<string, string>; findings: string[] };

/** Joins the lines of an example's file. */
export function lines(...content: string[]): string {
  return `${content.join('\n')}\n`;
}
