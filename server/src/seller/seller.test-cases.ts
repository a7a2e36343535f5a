import type { RouteCases } from '../../test/battery/battery.ts';

export const CASES: RouteCases = {
  'GET /operator/seller': { access: 'operator' },
  'PUT /operator/seller': {
    access: 'operator',
    body: () => ({
      name: 'Northwind Interfaces Ltd',
      addressLines: ['221 Harbour Street', 'Bristol'],
      taxId: 'GB1',
      email: 'billing@northwind.example',
      footerText: 'Thank you.',
      legalNote: 'Registered in England',
    }),
    longTexts: { footerText: 2_000, legalNote: 2_000 },
  },
};
