import { source } from 'axe-core';
import type { Page } from 'playwright-core';
import { inEachLook, type Look } from './looks.ts';

/** The rules of WCAG 2.2 at the levels A and AA, by the names of axe-core's tags. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

type Finding = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] };
type Axe = { run: (context: Document, options: object) => Promise<{ violations: Finding[] }> };

/** Fails when axe finds something on the page in any look. */
export async function checkAccessibility(page: Page): Promise<void> {
  await inEachLook(page, (look) => checkLook(page, look));
}

/** Fails when axe finds something on the page as it is. */
export async function checkLook(page: Page, { theme, width }: Look): Promise<void> {
  // Evaluated by the debugger, to which the Content-Security-Policy of the page does not apply.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const violations = await page.evaluate(async (rules) => {
    const { axe } = window as unknown as { axe: Axe };
    // A mail has a frame of another origin, which axe can't ask.
    return (await axe.run(document, { runOnly: rules, resultTypes: ['violations'], iframes: false })).violations;
  }, RULES);
  if (violations.length === 0) return;
  const texts = violations.flatMap(({ id, help, nodes }) => [
    `${id}: ${help}`,
    ...nodes.map(({ html, failureSummary }) => `  ${html}\n    ${failureSummary?.replaceAll('\n', '\n    ')}`),
  ]);
  throw new Error(`axe finds on ${new URL(page.url()).pathname}, ${theme}, ${width} px:\n${texts.join('\n')}`);
}
