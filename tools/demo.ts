/**
 * From usage to a paid invoice, against a running service: `npm run demo`, or `npm run demo -- where/to/save.pdf`. It signs up a new
 * admin each time and sets prices for that company alone. Billing runs are for all companies, though: on a service that is in
 * use, the demo's run bills the others for last month too, unless that is done.
 * PAYDESK_URL says where the service is (http://127.0.0.1:3000), OPERATOR_KEY holds the operator's key; without it, the
 * key is read from the data directory (DATA_DIR, or ./data).
 */
import { styleText } from 'node:util';
import { createClient } from './demo/client.ts';
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
  readUpcoming,
  readUsage,
  recoverFromDecline,
  savePdf,
} from './demo/invoices.ts';
import { lastMonth, reportUsage, runBilling, setPrices, setUpBilling } from './demo/operator.ts';
import { readOperatorKey, readServiceUrl, TerminalError } from './paydesk/access.ts';

try {
  const url = readServiceUrl(process.env);
  console.log(styleText('bold', `A tour of Paydesk at ${url}`));
  await tour({ client: createClient(url), operatorKey: readOperatorKey(process.env) });
  console.log(`\nThat was the tour. Every operation is described at ${url}/docs`);
} catch (error) {
  if (!(error instanceof TerminalError)) throw error;
  console.error(`\n${styleText('red', error.message, { stream: process.stderr })}`);
  process.exitCode = 1;
}

async function tour(setting: Setting): Promise<void> {
  const now = new Date();
  const month = lastMonth(now);
  const admin = await signUp(setting);
  const saved = await saveAddressAndCard(setting, admin);
  await fillBillingInformation(setting, admin);

  await setUpBilling(setting, admin);
  await setPrices(setting, admin, month);
  await reportUsage(setting, admin, month, now);
  await readUsage(setting, admin, month);
  await readUpcoming(setting, admin);
  await runBilling(setting, month);

  const invoice = await findInvoice(setting, admin, month);
  await pay(setting, admin, invoice);
  await savePdf(setting, admin, invoice, process.argv[2]);
  await listInvoices(setting, admin);
  await recoverFromDecline(setting, admin, saved);

  await manageLabels(setting, admin);
  await logOut(setting, admin);
}
