import { checkAccessibility } from '../story/accessibility.ts';
import { pictureOf } from '../story/pictures.ts';
import { story } from '../story/story.ts';

story('the operator sees every page of the console', async ({ page, open, company, operator, logInToConsole }) => {
  await operator.invoices.create({
    companyId: company.id,
    startAt: '2026-10-01T00:00:00Z',
    endAt: '2026-11-01T00:00:00Z',
    taxRate: '20',
    details: [
      { title: 'Speech to text', path: '/v1/transcriptions', totalRequest: 12_000, currency: 'USD', amount: '48.00' },
    ],
  });
  await operator.prices.create({
    path: '/v1/transcriptions',
    title: 'Speech to text',
    currency: 'USD',
    effectiveFrom: '2026-10-01T00:00:00Z',
    model: 'flat',
    unitAmount: '0.004',
  });
  await logInToConsole();
  for (const path of [
    '',
    '/companies',
    `/companies/${company.id}`,
    '/invoices',
    '/payments',
    '/refunds',
    '/credit-notes',
    '/disputes',
    '/prices',
    '/billing-runs',
    '/ledger',
    '/balances',
    '/jobs',
    '/events',
    '/emails',
    '/staff',
    '/keys',
    '/audit-log',
    '/alerts',
    '/reconciliation',
    '/recovery',
    '/seller',
    '/usage',
  ]) {
    await open(`/console${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await pictureOf(page, `console${path.replaceAll('/', '-').replace(company.id, 'one')}`);
    await checkAccessibility(page);
  }
});
