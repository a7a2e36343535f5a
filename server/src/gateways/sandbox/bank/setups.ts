/** Cards that are saved in the sandbox's own fields. The ledger keeps neither the number, nor the security code, nor the client secret. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type {
  ChallengeStatus,
  ConfirmedCard,
  CreatedSetup,
  GatewaySetup,
  SetupStatus,
  TypedCard,
} from '../../gateway/gateway.cards.ts';
import { inTransaction } from './bank.queries.ts';
import { asksOfCardNumber } from './cards.ts';
import { confirmAskedPayment, LedgerRefusal } from './charges.ts';
import { tokenizeCard } from './ledger.ts';
import * as queries from './setups.queries.ts';

/** Begins a setup. */
export function createSetup(database: DatabaseSync): CreatedSetup {
  const id = `setup_${randomBytes(18).toString('base64url')}`;
  const clientSecret = `${id}_secret_${randomBytes(18).toString('base64url')}`;
  inTransaction(database, () => queries.insertSetup(database, { id, digest: digestOf(clientSecret) }));
  return { id, clientSecret };
}

/** Takes the card that the holder typed. Some banks ask the holder to confirm it. */
export function confirmSetup(
  database: DatabaseSync,
  { clientSecret, card }: { clientSecret: string; card: TypedCard },
): { status: SetupStatus } {
  return inTransaction(database, () => {
    const setup = requireSetup(database, clientSecret, 'requires_payment_method');
    const { token, brand } = tokenizeCard(database, card, { isSetUp: true });
    const { number, expMonth, expYear, name, country } = card;
    const fingerprint = createHmac('sha256', queries.selectFingerprintKey(database)).update(number).digest('base64url');
    const shown: ConfirmedCard = {
      token,
      brand,
      lastFour: number.slice(-4),
      expMonth,
      expYear,
      name,
      country,
      fingerprint,
    };
    const status = asksOfCardNumber(number) !== null ? 'requires_action' : 'succeeded';
    queries.updateSetup(database, { id: setup.id, status, card: shown });
    return { status };
  });
}

/** Answers the question of the bank about a setup or a payment. After a failure a setup waits for a card again. */
export function answerChallenge(
  database: DatabaseSync,
  { clientSecret, outcome }: { clientSecret: string; outcome: 'succeed' | 'fail' },
): { status: ChallengeStatus } {
  return inTransaction(database, () => {
    const isConfirmed = outcome === 'succeed';
    if (!confirmAskedPayment(database, clientSecret, isConfirmed)) {
      const setup = requireSetup(database, clientSecret, 'requires_action');
      const status = isConfirmed ? 'succeeded' : 'requires_payment_method';
      queries.updateSetup(database, { id: setup.id, status, card: isConfirmed ? setup.card : null });
    }
    return { status: isConfirmed ? 'succeeded' : 'failed' };
  });
}

/** Reads a setup; its card only once it has succeeded. */
export function findSetup(database: DatabaseSync, id: string): GatewaySetup {
  const setup = queries.selectSetup(database, id);
  if (setup === undefined) throw new LedgerRefusal(404, 'setup_unknown');
  return { status: setup.status, card: setup.status === 'succeeded' ? setup.card : null };
}

function requireSetup(database: DatabaseSync, clientSecret: string, waitsFor: SetupStatus): queries.SetupRow {
  const setup = queries.selectSetupOfSecret(database, digestOf(clientSecret));
  if (setup === undefined) throw new LedgerRefusal(404, 'client_secret_unknown');
  if (setup.status !== waitsFor) throw new LedgerRefusal(409, 'nothing_to_confirm');
  return setup;
}

function digestOf(clientSecret: string): string {
  return createHash('sha256').update(clientSecret).digest('base64url');
}
