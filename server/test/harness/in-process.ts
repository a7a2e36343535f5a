/** Starts Paydesk in the process of the test, as `main.ts` does, for tests that need no process of its own. */

import { expect } from 'vitest';
import { GATEWAYS } from '../../src/gateways/gateways.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { StartError } from '../../src/platform/config/start-error.ts';
import { createLogger } from '../../src/platform/logging/logger.ts';
import { startService } from '../../src/service.ts';
import { type LogLine, linesOf, makeDataDirectory, sharedKeys } from './process.ts';
import { createCaller } from './request.ts';
import type { TestService } from './service.ts';

export type StartedService = {
  /** The log so far. */
  logged: () => LogLine[];
  /** Calls the service; the helpers of `actors.ts` need nothing else of it. */
  service: TestService;
  stop: () => Promise<void>;
};

/** Starts Paydesk on a free port, with a data directory that `endProcesses` deletes. Rejects when it cannot start. */
export async function startInProcess(environment: Record<string, string>): Promise<StartedService> {
  const defaults = { PORT: '0', DATA_DIR: makeDataDirectory(), DATABASE_POOL_SIZE: '5', ...sharedKeys(environment) };
  const lines: string[] = [];
  const logger = createLogger('trace', { write: (line: string) => void lines.push(line) });
  const { url, stop } = await startService(readConfig(GATEWAYS, { ...defaults, ...environment }), logger);
  const service = { url, call: createCaller(url, []) } as unknown as TestService;
  return { logged: () => linesOf(lines.join('')), service, stop };
}

/** Returns the message with which Paydesk refuses to start. */
export async function refusalOf(environment: Record<string, string>): Promise<string> {
  const refusal = await startInProcess(environment).catch((error) => error);
  expect(refusal).toBeInstanceOf(StartError);
  return refusal.message;
}
