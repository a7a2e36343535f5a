/** What a `User-Agent` says, in the order in which they are looked for: Edge and Opera call themselves Chrome, too. */
const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/(?:Headless)?Chrom(?:e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** The program and system of a session, such as `Firefox, Windows`; null for a text that is no browser's. */
export function deviceOf(userAgent: string): string | null {
  const find = (of: [RegExp, string][]) => of.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined) return null;
  return system === undefined ? browser : `${browser}, ${system}`;
}
