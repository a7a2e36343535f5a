import { isWithin } from './folders.ts';
import { type Finding, parseProject, type Rule, type SourceFile } from './project.ts';

/** Lets a rule off for one file, or for all files of a folder; with `subject` for one name in it alone. */
export type Exception = { rule: string; path: string; subject?: string; reason: string };
export type RuleFinding = Finding & { rule: string; reason: string };

const EXCEPTIONS_PATH = 'tools/check/exceptions.ts';

/** Applies the rules to the files. What an exception covers is left out; an exception that covers nothing is a finding. */
export function check(files: SourceFile[], rules: Rule[], exceptions: Exception[]): RuleFinding[] {
  const project = parseProject(files);
  const used = new Set<Exception>();
  const findings: RuleFinding[] = [];
  for (const rule of rules) {
    for (const finding of rule.find(project)) {
      const matching = exceptions.filter((exception) => covers(exception, rule, finding));
      for (const exception of matching) used.add(exception);
      if (matching.length === 0) findings.push({ ...finding, rule: rule.name, reason: rule.reason });
    }
  }
  const unused = exceptions.filter((exception) => !used.has(exception)).map(unusedException);
  return [...findings, ...unused].sort(byPosition);
}

function covers(exception: Exception, rule: Rule, finding: Finding): boolean {
  if (exception.rule !== rule.name || !isWithin(finding.path, exception.path)) return false;
  return exception.subject === undefined || exception.subject === finding.subject;
}

function unusedException({ rule, path, subject }: Exception): RuleFinding {
  return {
    rule: 'exceptions',
    reason: 'an exception that is no longer needed hides the next finding',
    path: EXCEPTIONS_PATH,
    line: 1,
    message: `the exception from ${rule} for ${path}${subject === undefined ? '' : ` (${subject})`} matches nothing`,
  };
}

function byPosition(left: RuleFinding, right: RuleFinding): number {
  return left.path.localeCompare(right.path) || left.line - right.line || left.rule.localeCompare(right.rule);
}

/** One line for people and editors: `path:line rule message (reason)`. */
export function formatFinding({ path, line, rule, message, reason }: RuleFinding): string {
  return `${path}:${line} ${rule} ${message} (${reason})`;
}
