/** Paydesk in the process of the test, started as `main.ts` does; for what a process of its own would show no better. */
import { expect } from 'vitest';
import { readConfig } from '../../src/platform/config/config.ts';
import { StartError } from '../../src/platform/config/start-error.ts';
import { createLogger } from '../../src/platform/logging/logger.ts';
import { startService } from '../../src/service.ts';
import { type LogLine, linesOf, makeDataDirectory, sharedKeys } from './process.ts';
import { createCaller } from './request.ts';
import type { TestService } from './service.ts';

export type StartedService = {
  /** Its log so far. */
  logged: () => LogLine[];
  /** Speaks to it; the helpers of `actors.ts` need no more of a service than that. */
  service: TestService;
  stop: () => Promise<void>;
};

/** Starts Paydesk on a port of its own choice, with its data where `endProcesses` removes them. Rejects when it can't start. */
export async function startInProcess(environment: Record<string, string>): Promise<StartedService> {
  const defaults = { PORT: '0', DATA_DIR: makeDataDirectory(), DATABASE_POOL_SIZE: '5', ...sharedKeys(environment) };
  const lines: string[] = [];
  const logger = createLogger('trace', { write: (line: string) => void lines.push(line) });
  const { url, stop } = await startService(readConfig({ ...defaults, ...environment }), logger);
  const service = { url, call: createCaller(url, []) } as unknown as TestService;
  return { logged: () => linesOf(lines.join('')), service, stop };
}

/** What Paydesk says that starts in vain. */
export async function refusalOf(environment: Record<string, string>): Promise<string> {
  const refusal = await startInProcess(environment).catch((error) => error);
  expect(refusal).toBeInstanceOf(StartError);
  return refusal.message;
}
