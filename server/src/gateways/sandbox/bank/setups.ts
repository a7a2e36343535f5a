/** Cards and accounts that are saved in the sandbox's own fields. The ledger keeps neither numbers, nor codes, nor client secrets. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type {
  ChallengeStatus,
  ConfirmedCard,
  CreatedSetup,
  SetupMethod,
  SetupStatus,
  TypedCard,
  TypedDebit,
} from '../../gateway/gateway.cards.ts';
import { insertDebit } from './accounts.queries.ts';
import { endingOfIban } from './accounts.ts';
import { inTransaction } from './bank.queries.ts';
import type { ConfirmedDebitOnTheWire, SetupConfirmationOnTheWire } from './bank.schema.ts';
import { asksOfCardNumber } from './cards.ts';
import { confirmAskedPayment, LedgerRefusal } from './charges.ts';
import { tokenizeCard } from './ledger.ts';
import * as queries from './setups.queries.ts';

/** Begins a setup. */
export function createSetup(database: DatabaseSync, { method = 'Card' }: { method?: SetupMethod }): CreatedSetup {
  const id = `setup_${randomBytes(18).toString('base64url')}`;
  const clientSecret = `${id}_secret_${randomBytes(18).toString('base64url')}`;
  inTransaction(database, () => queries.insertSetup(database, { id, digest: digestOf(clientSecret), method }));
  return { id, clientSecret };
}

/** Takes the card or the account that the holder typed. Some banks ask the holder of a card to confirm it. */
export function confirmSetup(
  database: DatabaseSync,
  { clientSecret, card, sepaDebit }: SetupConfirmationOnTheWire,
): { status: SetupStatus } {
  return inTransaction(database, () => {
    const setup = requireSetup(database, clientSecret, 'requires_payment_method');
    const isDebit = setup.method === 'sepa_debit';
    if (isDebit && sepaDebit !== undefined) return confirmDebit(database, setup.id, sepaDebit);
    if (isDebit || card === undefined) throw new LedgerRefusal(422, 'other_method');
    return confirmCard(database, setup.id, card);
  });
}

function confirmCard(database: DatabaseSync, id: string, card: TypedCard): { status: SetupStatus } {
  const { token, brand } = tokenizeCard(database, card, { isSetUp: true });
  const { number, expMonth, expYear, name, country } = card;
  const lastFour = number.slice(-4);
  const fingerprint = fingerprintOf(database, number);
  const shown: ConfirmedCard = { token, brand, lastFour, expMonth, expYear, name, country, fingerprint };
  const status = asksOfCardNumber(number) !== null ? 'requires_action' : 'succeeded';
  queries.updateSetup(database, { id, status, card: shown });
  return { status };
}

/** The holder has accepted the mandate by typing the IBAN below its text. */
function confirmDebit(database: DatabaseSync, id: string, { iban, name }: TypedDebit): { status: SetupStatus } {
  const status = 'succeeded';
  const token = `debit_${randomBytes(18).toString('base64url')}`;
  insertDebit(database, { token, ...endingOfIban(iban) });
  const card: ConfirmedDebitOnTheWire = {
    method: 'sepa_debit',
    token,
    lastFour: iban.slice(-4),
    name,
    country: iban.slice(0, 2),
    fingerprint: fingerprintOf(database, iban),
    mandate: { reference: randomBytes(8).toString('hex').toUpperCase(), acceptedAt: new Date().toISOString() },
  };
  queries.updateSetup(database, { id, status, card });
  return { status };
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
export function findSetup(database: DatabaseSync, id: string): Pick<queries.SetupRow, 'status' | 'card'> {
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

function fingerprintOf(database: DatabaseSync, number: string): string {
  return createHmac('sha256', queries.selectFingerprintKey(database)).update(number).digest('base64url');
}

function digestOf(clientSecret: string): string {
  return createHash('sha256').update(clientSecret).digest('base64url');
}
