import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { COMPANY } from '../../../test/battery/cases/named.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';
import { signUpAdmin } from '../../../test/customers/actors.ts';

/** A company of its own, so that no other case finds its company disabled. */
const OTHER_COMPANY: Named = {
  table: 'companies',
  make: async (service) => (await signUpAdmin(service)).companyId,
};

const FILTERS = {
  search: { takes: ['a', 'ACME', '%', '_', "'", '\\', '😀', '\u{10FFFF}'], refuses: ['', ' ', 'a'.repeat(256)] },
  email: { takes: ['ada@example.com', 'x', '%', "'"], refuses: ['a'.repeat(256), 'a'.repeat(10_000)] },
  externalId: {
    takes: ['acme', ' acme ', 'external:acme', '%', "'"],
    refuses: ['', ' ', 'a'.repeat(256), 'a\u0085b'],
  },
  disabled: { takes: ['true', 'false'], refuses: ['', 'True', '1', 'null', "'"] },
};

export const CASES: RouteCases = {
  'GET /operator/companies': {
    access: 'operator',
    parameters: {
      ...PAGES,
      ...FILTERS,
      sort: {
        takes: ['createdAt', '-createdAt', 'name', '-name', 'externalId', '-externalId'],
        refuses: ['', 'id', 'NAME', '+name', '--name', 'name,externalId', 'created_at', "name'"],
      },
    },
  },
  'GET /operator/companies.csv': { access: 'operator', parameters: FILTERS },
  'POST /operator/companies': {
    access: 'operator',
    longTexts: { 'billingInformation.address': 2000 },
    body: () => ({
      externalId: crypto.randomUUID(),
      name: 'Analytical Engines Ltd',
      phone: '+44 20 7946 0000',
      address: '12 St James’s Square, London',
      describe: 'Engines that compute',
      email: 'office@example.com',
      metadata: { plan: 'pro' },
      billingInformation: { country: 'GB', city: 'London' },
      billingSettings: { currency: 'GBP', dunningDays: [2, 5], lateUsage: { kind: 'refuse', days: 30 } },
      addresses: [{ state: 'London', country: 'GB' }],
    }),
  },
  'GET /operator/companies/:company_id': { access: 'operator', names: COMPANY },
  'PUT /operator/companies/:company_id': {
    access: 'operator',
    // The company that the example of POST makes has the external id.
    sampleRefusal: /^409 .*external id/,
    longTexts: { 'billingInformation.address': 2000 },
    // The settings are those that it has.
    body: () => ({
      name: `Engines ${crypto.randomUUID()}`,
      billingSettings: { dunningDays: [2, 5, 7, 7], lateUsage: { kind: 'next_invoice' } },
    }),
    update: () => ({
      externalId: crypto.randomUUID(),
      name: 'Difference Engines Ltd',
      phone: '+44 20 7946 0001',
      address: '1 Dorset Street, London',
      describe: 'Engines that subtract',
      email: 'desk@example.com',
      metadata: { plan: 'team' },
      disabled: true,
    }),
    names: OTHER_COMPANY,
  },
};
