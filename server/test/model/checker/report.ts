import type { Configuration, Label, Result } from './model.ts';

/** A configuration that was checked. */
export type Report = Configuration & { result: Result; durationMs: number };

/** Checks a configuration, and measures the time. */
export function run(configuration: Configuration): Report {
  const startedMs = performance.now();
  const result = configuration.check();
  return { ...configuration, result, durationMs: performance.now() - startedMs };
}

/** Whether the checker found what it had to find. */
export function isAsExpected({ fails, result }: Report): boolean {
  return (result.failure?.property ?? null) === fails;
}

/** The result in words: `holds`, or what fails and after how many steps. */
function describeResult({ failure }: Result): string {
  return failure === null ? 'holds' : `${failure.property} fails after ${failure.trace.length} steps`;
}

/** The steps of a trace, one a line, numbered from 1. */
export function describeTrace(trace: readonly Label[]): string[] {
  return trace.map((label, index) => `${String(index + 1).padStart(4)}. ${describeLabel(label)}`);
}

/** A step in one line: its name, then what it is about. */
function describeLabel({ step, ...about }: Label): string {
  const parts = Object.entries(about).map(([name, value]) => `${name} ${Array.isArray(value) ? listOf(value) : value}`);
  return parts.length === 0 ? step : `${step}: ${parts.join(', ')}`;
}

function listOf(entries: readonly (readonly [number, string])[]): string {
  return entries.length === 0 ? 'nothing' : entries.map(([object, status]) => `${object} ${status}`).join(' and ');
}

/** Properties are named `R1 owed once`: by then the number says enough. */
function shortNameOf(property: string): string {
  return /^[A-Z]\d+/.exec(property)?.[0] ?? property;
}

/** A table of what was checked. */
export function tableOf(reports: readonly Report[]): string {
  const rows = reports.map((report) => [
    report.name,
    report.properties.map(shortNameOf).join(', '),
    describeResult(report.result),
    report.result.states.toLocaleString('en'),
    String(report.result.depth),
    `${(report.durationMs / 1000).toFixed(1)} s`,
  ]);
  const all = [['configuration', 'checked', 'result', 'states', 'depth', 'time'], ...rows];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}
