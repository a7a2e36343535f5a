/** How long a smaller case that fails is looked for. */
const PATIENCE_MS = 180_000;

/**
 * How many cases a property is tried with: so many as usual, unless `PROPERTY_CASES` says another number. Asked for more, it also
 * takes the time to look for a small case that fails.
 */
export function propertyCases(usual: number) {
  const asked = Number(process.env.PROPERTY_CASES);
  if (!(asked > 0)) return { numRuns: usual, endOnFailure: true };
  return { numRuns: asked, endOnFailure: false, interruptAfterTimeLimit: PATIENCE_MS + asked * 2_000 };
}
