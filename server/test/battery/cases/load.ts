import { globSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RouteCases } from '../battery.ts';

const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url));

/** The cases of all features. @throws Error when a file has none, or when a route has two */
export async function loadCases(): Promise<RouteCases> {
  const all: RouteCases = {};
  for (const path of globSync('**/*.test-cases.ts', { cwd: SOURCES }).sort()) {
    const { CASES } = (await import(pathToFileURL(SOURCES + path).href)) as { CASES?: RouteCases };
    if (CASES === undefined) throw new Error(`server/src/${path} exports no CASES`);
    for (const [route, entry] of Object.entries(CASES)) {
      if (route in all) throw new Error(`server/src/${path} has a second case of ${route}`);
      all[route] = entry;
    }
  }
  return all;
}
