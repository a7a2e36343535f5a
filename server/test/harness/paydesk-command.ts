import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { COMPILE_CACHE } from './compile-cache.ts';
import type { TestService } from './service.ts';

type Ended = { code: number; stdout: string; stderr: string };

/**
 * Runs `npm run paydesk -- …` for a service. Asynchronous, because the service that the command calls runs in this process.
 * @returns its exit code and what it printed
 */
export function runPaydesk(
  { url, operatorKey }: Pick<TestService, 'url' | 'operatorKey'>,
  words: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  const command = join(import.meta.dirname, '../../../tools/paydesk.ts');
  const access = { PAYDESK_URL: url, OPERATOR_KEY: operatorKey };
  const env = { ...COMPILE_CACHE, PATH: process.env.PATH, ...access, ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [command, ...words], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
