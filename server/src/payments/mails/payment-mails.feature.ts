import { mailCompanies } from '../../identity/mail-settings/mail-settings.service.ts';
import type { Clock } from '../../platform/calendar/clock.ts';
import { type Db, transaction } from '../../platform/database/database.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { CARD_EXPIRES } from './card-expires.ts';
import { CONFIRMATION_NEEDED } from './confirmation-needed.ts';
import { PAYMENT_FAILED } from './payment-failed.ts';
import { expiryMails } from './payment-mails.parts.queries.ts';
import { hasExpiring } from './payment-mails.worker.queries.ts';
import { RECEIPT } from './receipt.ts';
import { sampleConfirmation, sampleExpiry, sampleFailure, sampleReceipt } from './samples.ts';

const EXPIRES_WITHIN_DAYS = 30;
const HOUR_SECONDS = 3_600;
const CARDS_AT_ONCE = 500;

/** The mails about payments, and about cards that expire. */
export const paymentMails = {
  mails: {
    receipt: { ...RECEIPT, sample: sampleReceipt },
    payment_failed: { ...PAYMENT_FAILED, sample: sampleFailure },
    confirmation_needed: { ...CONFIRMATION_NEEDED, sample: sampleConfirmation },
    card_expires: { ...CARD_EXPIRES, sample: sampleExpiry },
  },
  schedules: ({ db, clock }: { db: Db; clock: Clock }) => [
    {
      name: 'expiring cards',
      everySeconds: HOUR_SECONDS,
      work: (signal: AbortSignal) => mailExpiring(db, clock(), signal),
    },
  ],
} satisfies AnyFeature;

/** Tells each company once of its default card that expires within 30 days. Any number of processes may do it. */
export async function mailExpiring(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  const expiring = { now, days: EXPIRES_WITHIN_DAYS };
  while (signal?.aborted !== true && (await hasExpiring(db, expiring))) {
    await transaction(db, (tx) =>
      mailCompanies(tx, CARD_EXPIRES, expiryMails(tx, { ...expiring, limit: CARDS_AT_ONCE })),
    );
  }
}
