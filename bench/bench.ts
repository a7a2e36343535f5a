/**
 * `npm run bench`: the service as a user would run it (one process, logging on, rate limits on), side by side with floors of
 * bare node:http and postgres.js on the same PostgreSQL. Prints ratios, medians of at least three rounds; machines are noisy,
 * so a ratio says more than a rate.
 *
 * `npm run bench -- labels` runs the named parts alone, `npm run bench -- usage --events 10000000` over so many events,
 * `npm run bench -- runs --companies 10000` over so many companies, `npm run bench -- collection --invoices 10000` over so many
 * invoices, and `npm run bench -- assignments --assignments 10000` over so many labels on records. `npm run bench -- plans` shows what
 * lists and claims read of 2 million invoices, or of so many (`--invoices`), `npm run bench -- companies` searches 100,000 companies, or
 * so many (`--companies`), `npm run bench -- dashboard` opens the dashboard in Chromium with 100,000 invoices, and
 * `npm run bench -- row-level-security` measures what decision 2 quotes. Those four run only when they are named.
 *
 * `npm run bench -- versions OLD` compares what operations cost in the git revision OLD and here (`bench/versions.ts`).
 */
import { parseArgs } from 'node:util';
import { benchAccess } from './access.ts';
import { benchAssignments } from './assignments.ts';
import { benchBurst } from './burst.ts';
import { benchCollection } from './collection.ts';
import { benchCompanies } from './companies.ts';
import { benchDashboard } from './dashboard.ts';
import { benchInvoiceFilters, benchInvoices } from './invoices.ts';
import { benchJournal } from './journal.ts';
import { benchLabelGrowth, benchLabelSearch, benchLabels, benchLabelWrites } from './labels.ts';
import { benchLogin } from './login.ts';
import { benchNeighbours } from './neighbours.ts';
import { benchPauses } from './pause.ts';
import { benchPay } from './pay.ts';
import { benchPlans } from './plans.ts';
import { benchRating } from './rating.ts';
import { benchReads } from './reads.ts';
import { printRow, printTitle } from './report.ts';
import { benchRowLevelSecurity } from './row-level-security.ts';
import { benchRuns } from './runs.ts';
import { type Setting, startSetting } from './setting.ts';
import { benchUnattributed } from './unattributed.ts';
import { benchUsage } from './usage.ts';
import { benchVersions } from './versions.ts';
import { benchWebhooks } from './webhooks.ts';

const PARTS = {
  labels: benchLabels,
  growth: benchLabelGrowth,
  search: benchLabelSearch,
  writes: benchLabelWrites,
  invoices: benchInvoices,
  filters: benchInvoiceFilters,
  reads: benchReads,
  rating: benchRating,
  login: benchLogin,
  access: benchAccess,
  companies: (setting: Setting) => benchCompanies(setting, Number(values.companies ?? 100_000)),
  assignments: (setting: Setting) => benchAssignments(setting, Number(values.assignments)),
  neighbours: benchNeighbours,
  pauses: benchPauses,
  pay: benchPay,
  journal: benchJournal,
  webhooks: benchWebhooks,
  collection: (setting: Setting) => benchCollection(setting, Number(values.invoices ?? 10_000)),
  dashboard: (setting: Setting) => benchDashboard(setting, Number(values.invoices ?? 100_000)),
  plans: (setting: Setting) => benchPlans(setting, Number(values.invoices ?? 2_000_000)),
  usage: (setting: Setting) => benchUsage(setting, Number(values.events)),
  unattributed: (setting: Setting) => benchUnattributed(setting, Number(values.events)),
  burst: benchBurst,
  runs: (setting: Setting) => benchRuns(setting, Number(values.companies ?? 10_000)),
};

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    events: { type: 'string', default: '1000000' },
    companies: { type: 'string' },
    invoices: { type: 'string' },
    assignments: { type: 'string', default: '1000000' },
    sandbox: { type: 'string', default: 'apart' },
  },
  allowPositionals: true,
});

if (positionals[0] === 'versions') {
  await benchVersions(positionals[1] ?? '', positionals.slice(2), Number(values.rounds ?? 5));
} else if (positionals.includes('row-level-security')) {
  await benchRowLevelSecurity();
} else {
  const setting = await startSetting({
    rounds: Number(values.rounds ?? 3),
    seconds: Number(values.seconds),
    sandbox: values.sandbox === 'inside' ? 'inside' : 'apart',
  });
  try {
    printTitle();
    for (const [name, part] of Object.entries(PARTS)) {
      if (positionals.length > 0 ? !positionals.includes(name) : ['companies', 'dashboard', 'plans'].includes(name))
        continue;
      for (const row of await part(setting)) printRow(row);
    }
    printRow({
      name: 'memory of the service under load',
      ratio: setting.peakMemoryMb() / 250,
      bound: '≤',
      limit: 1,
      detail: `${setting.peakMemoryMb().toFixed(0)} MB RSS of 250`,
    });
  } finally {
    await setting.stop();
  }
}
