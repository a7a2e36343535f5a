import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Reads a document of the repository, such as `docs/tour.md`. */
export function readDocument(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

/** Returns the text between this heading and the next one of the same or a higher level. */
export function sectionOf(document: string, heading: string): string {
  const level = '#'.repeat(heading.indexOf(' '));
  const start = document.indexOf(`\n${heading}\n`);
  if (start === -1) throw new Error(`There is no heading ${heading}`);
  const rest = document.slice(start + heading.length + 2);
  const end = rest.search(new RegExp(`^#{1,${level.length}} `, 'm'));
  return end === -1 ? rest : rest.slice(0, end);
}

/** Returns the rows of a section's table without its head, each cell trimmed. */
export function rowsOf(section: string): string[][] {
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

export type Step = { commands: string; printed: string };

/** Returns the bash blocks of a section, each with the output that is printed below it, if any. */
export function stepsOf(section: string): Step[] {
  const blocks = section.matchAll(/^```bash\n([\s\S]*?)^```\n(?:```(?:text|json)\n([\s\S]*?)^```\n)?/gm);
  return [...blocks].map(([, commands = '', printed = '']) => ({ commands, printed }));
}

/**
 * Runs all blocks in one bash in this folder, as a reader would paste them one after the other. @returns what each of
 * them printed, and the whole standard error
 */
export async function runSteps(
  steps: readonly Step[],
  environment: Record<string, string>,
  folder: string,
): Promise<{ outputs: string[]; errors: string }> {
  const mark = '--- the next block ---';
  const child = spawn('bash', [], { cwd: folder, env: { PATH: process.env.PATH, ...environment } });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdin.end(steps.map(({ commands }) => `${commands}\necho '${mark}'\n`).join(''));
  await new Promise((resolve) => child.on('close', resolve));
  return { outputs: output.split(`${mark}\n`).slice(0, -1), errors };
}

/** Makes a pattern from printed output: `…` matches anything on the line. */
export function patternOf(printed: string): RegExp {
  const parts = printed.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
