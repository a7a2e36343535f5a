import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { createPaydesk } from '../../../packages/client/src/index.ts';
import { TerminalError } from '../../paydesk/access.ts';
import { COMPANIES, emailOf, PASSWORD } from './companies.ts';
import { fill } from './fill.ts';
import { isFilled, noteFilled, removeTrial, startTrial, type TrialService, trialFolder } from './service.ts';

/** Removes the trial with all its data. @throws TerminalError while it runs */
export function removeData(environment: NodeJS.ProcessEnv): void {
  const folder = trialFolder(environment);
  console.log(removeTrial(folder) ? `Removed ${folder}` : `There is no demo at ${folder}`);
}

/**
 * Runs a trial with lifelike data until Ctrl-C: a service of its own, filled at its first start.
 *
 * @param companies - how many of the companies it gets
 * @throws TerminalError
 */
export async function runData(
  environment: NodeJS.ProcessEnv,
  { port, companies }: { port: string; companies: number },
): Promise<void> {
  const { GATEWAY = 'sandbox' } = environment;
  if (GATEWAY !== 'sandbox')
    throw new TerminalError(`The demo uses the sandbox only, and GATEWAY is ${GATEWAY}. Unset it to go on.`);
  const folder = trialFolder(environment);
  if (!isFilled(folder) && removeTrial(folder)) console.log('The demo was not complete, and begins again.');
  const service = await startTrial(folder, port);
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      isStopped = true;
      void service.stop();
    });
  }
  try {
    if (!isFilled(folder)) {
      const url = service.url;
      const operatorKey = readFileSync(service.operatorKeyFile, 'utf8').trim();
      const { operator } = createPaydesk({ url, operatorKey });
      await fill({ operator, connect: (credentials) => createPaydesk({ url, ...credentials }) }, companies);
      noteFilled(folder);
    }
    printLogins(service);
    await service.ended;
    if (!isStopped) throw new TerminalError(`The service has ended. Its log is in ${folder}.`);
  } catch (error) {
    await service.stop();
    // A request that the stop has cut off has failed.
    if (!isStopped) throw error;
  }
}

function printLogins({ url, operatorKeyFile }: TrialService): void {
  const [main] = COMPANIES;
  if (main === undefined) return;
  console.log(`
${styleText('bold', 'The demo is ready')}
   The operator   ${url}/console
                  log in with the operator key that is in ${operatorKeyFile}
   A company      ${url}/app
                  log in as ${emailOf(main)} with the password ${PASSWORD}

Ctrl-C stops it, the same command starts it again, and \`npm run demo -- --remove\` deletes it with all its data.`);
}
