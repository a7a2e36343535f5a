/** How long a failing property searches for a smaller case. */
const TIMEOUT_MS = 180_000;

/**
 * Returns how many cases a property is tried with: `PROPERTY_CASES`, or else the usual number. With `PROPERTY_CASES` it also gets
 * the time to search for a small case that fails.
 */
export function propertyCases(usual: number) {
  const asked = Number(process.env.PROPERTY_CASES);
  if (!(asked > 0)) return { numRuns: usual, endOnFailure: true };
  return { numRuns: asked, endOnFailure: false, interruptAfterTimeLimit: TIMEOUT_MS + asked * 2_000 };
}
