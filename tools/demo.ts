/**
 * A tour of a running service: `npm run demo`. It signs up a new admin each time and leaves everyone else's data alone.
 * PAYDESK_URL says where the service is (http://127.0.0.1:3000), OPERATOR_KEY holds the operator's key; without it, the
 * key is read from the data directory (DATA_DIR, or ./data).
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { styleText } from 'node:util';
import { createClient, DemoError } from './demo/client.ts';
import {
  fillBillingInformation,
  issueInvoice,
  listInvoices,
  logOut,
  manageLabels,
  pay,
  recoverFromDecline,
  type Setting,
  saveAddressAndCard,
  signUp,
} from './demo/steps.ts';

const { PAYDESK_URL = 'http://127.0.0.1:3000', OPERATOR_KEY, DATA_DIR = 'data' } = process.env;

try {
  const url = PAYDESK_URL.replace(/\/+$/, '');
  console.log(styleText('bold', `A tour of Paydesk at ${url}`));
  await tour({ call: createClient(url), operatorKey: readOperatorKey() });
  console.log(`\nThat was the tour. Every operation is described at ${url}/docs`);
} catch (error) {
  if (!(error instanceof DemoError)) throw error;
  console.error(`\n${styleText('red', error.message, { stream: process.stderr })}`);
  process.exitCode = 1;
}

async function tour(setting: Setting): Promise<void> {
  const admin = await signUp(setting);
  const saved = await saveAddressAndCard(setting, admin);
  await fillBillingInformation(setting, admin);
  const invoice = await issueInvoice(setting, admin);
  await pay(setting, admin, invoice);
  await listInvoices(setting, admin);
  await recoverFromDecline(setting, admin, saved);
  await manageLabels(setting, admin);
  await logOut(setting, admin);
}

function readOperatorKey(): string {
  if (OPERATOR_KEY) return OPERATOR_KEY.trim();
  const path = join(resolve(DATA_DIR), 'operator-key');
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new DemoError(
      `There is no operator's key at ${path}. The first start of the service writes it: start it with \`npm start\`. ` +
        'For a service elsewhere, set OPERATOR_KEY.',
    );
  }
}
