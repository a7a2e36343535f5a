/**
 * Shows the way from usage to a paid invoice on a running service: `npm run demo`, or `npm run demo -- where/to/save.pdf`. It signs up a
 * new admin each time and sets prices only for that company. But billing runs are for all companies: on a service in use, the demo's run
 * also bills the others for last month, unless that is done. PAYDESK_URL is the address of the service (http://127.0.0.1:3000), and
 * OPERATOR_KEY the operator's key. Without it, the key is read from the data directory (DATA_DIR, or ./data).
 *
 * `npm run demo -- --data` instead runs a service of its own with lifelike data, and `npm run demo -- --remove` deletes it.
 */
import { parseArgs, styleText } from 'node:util';
import { createPaydesk } from '../packages/client/src/index.ts';
import { inviteColleague, readAuditLog, resumeSession, useApiKey, verifyEmail } from './demo/access.ts';
import {
  fillBillingInformation,
  logOut,
  manageLabels,
  type Setting,
  saveAddressAndCard,
  signUp,
} from './demo/company.ts';
import {
  findInvoice,
  listInvoices,
  pay,
  payWithConfirmation,
  readUpcoming,
  readUsage,
  recoverFromDecline,
  savePdf,
} from './demo/invoices.ts';
import { lastMonth, reportUsage, runBilling, setPrices, setUpBilling } from './demo/operator.ts';
import { printAnswer } from './demo/output.ts';
import { removeData, runData } from './demo/trial/trial.ts';
import { readOperatorKey, readServiceUrl, reportTerminalError, TerminalError } from './paydesk/access.ts';

try {
  await run();
} catch (error) {
  reportTerminalError(error);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const { values, positionals } = readParameters();
  if (values.remove) return removeData(process.env);
  if (values.data) return runData(process.env, { port: values.port, companies: Number(values.companies) });
  const url = readServiceUrl(process.env);
  console.log(styleText('bold', `A tour of Paydesk at ${url}`));
  const operatorKey = readOperatorKey(process.env);
  const setting = {
    operator: createPaydesk({ url, operatorKey, onAnswer: printAnswer }).operator,
    quietOperator: createPaydesk({ url, operatorKey }).operator,
    connect: (credentials: Parameters<Setting['connect']>[0]) =>
      createPaydesk({ url, ...credentials, onAnswer: printAnswer }),
  };
  await tour(setting, positionals[0]);
  console.log(`\nThat was the tour. Every operation is described at ${url}/docs`);
}

function readParameters() {
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    ...{ data: flag, remove: flag },
    port: { type: 'string', default: '3100' },
    companies: { type: 'string', default: '12' },
  } as const;
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new TerminalError(error instanceof Error ? error.message : String(error));
  }
}

async function tour(setting: Setting, target: string | undefined): Promise<void> {
  const now = new Date();
  const month = lastMonth(now);
  const signedUp = await signUp(setting);
  await verifyEmail(setting, signedUp);
  const admin = await resumeSession(setting, signedUp);
  const saved = await saveAddressAndCard(admin);
  await fillBillingInformation(admin);

  await setUpBilling(setting, admin);
  await setPrices(setting, admin, month);
  await reportUsage(setting, admin, month, now);
  await readUsage(admin, month);
  await readUpcoming(admin);
  await runBilling(setting, month);

  const invoice = await findInvoice(admin, month);
  await pay(admin, invoice);
  await savePdf(admin, invoice, target);
  await listInvoices(admin);
  await recoverFromDecline(setting, admin, saved);
  await payWithConfirmation(setting, admin, saved);

  await manageLabels(admin);
  await inviteColleague(setting, admin);
  await useApiKey(setting, admin);
  await readAuditLog(admin);
  await logOut(admin);
}
