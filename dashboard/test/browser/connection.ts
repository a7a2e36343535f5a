import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';

let connecting: Promise<Browser> | undefined;

/** Connects this worker to the browser of the run, once. */
export function useBrowser(): Promise<Browser> {
  connecting ??= chromium.connect(inject('browserEndpoint'));
  return connecting;
}
