import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openTemporaryFolder } from '../../server/test/harness/database/temporary-folder.ts';
import { launchBrowser } from './browser/launch.ts';
import { type ServiceAccess, startService } from './service/start.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of the run listens. */
    browserEndpoint: string;
    service: ServiceAccess;
  }
}

/** Builds the dashboard, and starts one browser and one service for the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  build();
  await using undo = new AsyncDisposableStack();
  const folder = await openTemporaryFolder();
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const browser = await launchBrowser();
  undo.defer(() => browser.close());
  const service = await startService();
  undo.defer(service.stop);
  project.provide('browserEndpoint', browser.wsEndpoint());
  project.provide('service', service.access);
  const started = undo.move();
  return () => started.disposeAsync();
}

/** As `npm start` does. */
function build(): void {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, '../../tools/dashboard.mjs')], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The dashboard could not be built; the reason stands above.');
}
