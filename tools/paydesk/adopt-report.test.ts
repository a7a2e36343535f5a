import { expect, it } from 'vitest';
import type { Recovery, RecoveryCase } from '../../packages/client/src/index.ts';
import { describeFound } from './adopt-report.ts';

const HOUR_MS = 3_600_000;
const at = (fromNowMs: number) => new Date(Date.now() + fromNowMs).toISOString();
const found = {
  kind: 'invoice',
  number: 'INV-000001',
  amount: '5.00',
  currency: 'USD',
  plan: 'Again.',
} as RecoveryCase;

function tell(until: string, open: RecoveryCase[]): string {
  const hold = { reason: 'It went back.', since: at(-HOUR_MS), until } as Recovery['hold'];
  const journals: Recovery['journals'] = [];
  return describeFound({ hold, journals, cases: { open: 1, person: 0, done: 0 } }, { open, cases: [], invoices: [] });
}

it('says until when a gateway may list captures late, while it may and something is to be done', () => {
  const later = at(HOUR_MS);
  expect(tell(later, [found])).toContain(
    `A gateway may list captures late: if you can, add --yes only after ${later}.`,
  );
  expect(tell(later, [])).not.toContain('captures late');
  expect(tell(at(-1_000), [found])).not.toContain('captures late');
});
