import type { BatteryCase, RouteCases } from '../../../../test/battery/battery.ts';

/** Of a provider that there is not. */
const refusal: BatteryCase['refusal'] = { status: 404, code: 'not_found' };

export const CASES: RouteCases = {
  'GET /auth/oidc/:name/start': {
    access: 'public',
    sampleRefusal: /^404 .*provider/,
    refusal,
    parameters: {
      link: { takes: ['true'], refuses: ['false', '1', '', 'TRUE'] },
      return_to: {
        takes: ['/app', '/', '/app/invoices?state=open#top'],
        refuses: [
          ...['', 'app', '//evil.example', '/\\evil.example', 'https://evil.example', '/ä', '/a b'],
          `/${'a'.repeat(1_000)}`,
        ],
      },
    },
  },
  // Providers add parameters of their own.
  'GET /auth/oidc/:name/callback': {
    access: 'public',
    sampleRefusal: /^404 .*provider/,
    refusal,
    takesAnyQuery: true,
    parameters: {},
  },
};
