import { v7 as uuidv7 } from 'uuid';
import { requireAddress } from '../../customers/addresses/addresses.service.ts';
import { lockCompany } from '../../customers/companies/companies.service.ts';
import type { Gateway, TokenizedCard } from '../../gateways/gateway/gateway.ts';
import { selectCardHolder, upsertGatewayCustomer } from '../../gateways/gateways.queries.ts';
import type { RefusalLimits } from '../../platform/config/config.ts';
import type { Db, Queryable, Tx } from '../../platform/database/database.ts';
import { invalidField, notFound } from '../../platform/errors.ts';
import { writeList } from '../../platform/http/limits/batches.ts';
import type { Json, JsonParts } from '../../platform/http/schema/json.ts';
import { writerOf } from '../../platform/http/schema/serialization.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { saveWithinLimits } from '../card-testing/card-testing.service.ts';
import {
  clearOtherDefault,
  type DetachDeleted,
  removeSaved,
  requireBelowLimit,
  type SavedKind,
  toSaveError,
} from '../saved/saved.service.ts';
import { cardEvents } from './cards.events.ts';
import { fullYear, isExpired, plainCardNumber } from './cards.number.ts';
import { columns, insertCard, selectCardIds, selectCards, updateCard } from './cards.queries.ts';
import { type CardRow, toCard } from './cards.row.ts';
import {
  type Card,
  CardWithAddress,
  type CardWithAddressList,
  type CreateCardBody,
  type UpdateCardBody,
} from './cards.schema.ts';

/** Cards as a kind of saved payment method. */
export const CARDS: SavedKind<CardRow, Card> = {
  table: 'cards',
  columns,
  name: 'card',
  most: 1_000,
  show: toCard,
  recordUpdated: (tx, companyId, cards) =>
    cardEvents.recordMany(
      tx,
      cards.map((card) => ({ companyId, type: 'card.updated', data: card })),
    ),
};

const writeCard = writerOf(CardWithAddress);

export type CardDependencies = {
  db: Db;
  gateway: Gateway;
  keyring: Keyring;
  limits: RefusalLimits;
  detach: DetachDeleted;
};

/**
 * Exchanges the card number for the gateway's token. The number and the security code go nowhere else. It runs before the transaction,
 * which must not wait for a gateway. A declined card counts against the limits of the company, of `network`, the client's, and of the
 * card.
 * @throws ApiError 400 for an expired card, card_testing_suspected, payment_in_progress, service_unavailable
 */
export async function tokenizeCard(
  { db, gateway, keyring, limits }: CardDependencies,
  companyId: string,
  { info }: CreateCardBody,
  network: string,
): Promise<TokenizedCard> {
  const expYear = refuseExpired(info);
  const holder = await selectCardHolder(db, companyId, gateway.name);
  const number = plainCardNumber(info.cardNumber);
  const counted = {
    fingerprint: keyring.fingerprint(number).value,
    gateway: gateway.name,
    requester: { network, limits },
  };
  try {
    return await saveWithinLimits(db, companyId, counted, () =>
      gateway.tokenizeCard({
        number,
        securityCode: info.cvv,
        expMonth: info.expMonth,
        expYear,
        name: info.cardName,
        country: info.country,
        holder,
      }),
    );
  } catch (error) {
    throw toSaveError(error, 'info.cardNumber');
  }
}

/** Saves a tokenized card. As the default it replaces the earlier one. @throws ApiError 400 on addressId, limit_reached */
export async function saveCard(
  tx: Tx,
  companyId: string,
  { gateway, keyring }: CardDependencies,
  body: CreateCardBody,
  tokenized: TokenizedCard,
): Promise<Card> {
  const { info, addressId, isDefault = false } = body;
  // The lock makes two simultaneous requests count each other.
  await lockCompany(tx, companyId);
  await requireAddress(tx, companyId, addressId);
  await requireBelowLimit(tx, companyId, CARDS);
  const id = uuidv7();
  if (isDefault) await clearOtherDefault(tx, companyId, CARDS, id);
  const number = plainCardNumber(info.cardNumber);
  const fingerprint = keyring.fingerprint(number);
  if (tokenized.customer !== undefined) await upsertGatewayCustomer(tx, companyId, gateway.name, tokenized.customer);
  const card = await insertCard(tx, companyId, {
    id,
    addressId,
    isDefault,
    country: info.country,
    expMonth: info.expMonth,
    expYear: fullYear(info.expYear),
    cardName: info.cardName,
    brand: tokenized.brand,
    firstFour: number.slice(0, 4),
    lastFour: number.slice(-4),
    numberLength: number.length,
    fingerprint: fingerprint.value,
    fingerprintKeyVersion: fingerprint.keyVersion,
    gateway: gateway.name,
    gatewayToken: tokenized.token,
  });
  await cardEvents.record(tx, companyId, { type: 'card.created', data: card });
  return card;
}

/** Lists the company's cards, newest first, each with its address. */
export async function listCards(
  db: Queryable,
  companyId: string,
): Promise<Json<typeof CardWithAddressList> | JsonParts<typeof CardWithAddressList>> {
  return writeList({
    head: null,
    limit: CARDS.most,
    readFirst: (limit) => selectCards(db, companyId, { limit }),
    readIds: (limit) => selectCardIds(db, companyId, limit),
    readItems: (ids) => selectCards(db, companyId, { limit: ids.length, ids }),
    write: writeCard,
  });
}

/** The card, or null when the company has none with this id. */
export async function findCard(db: Queryable, companyId: string, id: string): Promise<Card | null> {
  const [card] = await selectCards(db, companyId, { limit: 1, ids: [id] });
  return card ?? null;
}

/** Changes a card's expiry and whether it is the default. @throws ApiError not_found, 400 for an expired date */
export async function changeCard(
  tx: Tx,
  companyId: string,
  id: string,
  { isDefault, info }: UpdateCardBody,
): Promise<Card> {
  const expYear = refuseExpired(info);
  if (isDefault) await clearOtherDefault(tx, companyId, CARDS, id);
  const card = await updateCard(tx, companyId, id, { isDefault, expMonth: info.expMonth, expYear });
  if (card === null) throw notFound('card');
  await cardEvents.record(tx, companyId, { type: 'card.updated', data: card });
  return card;
}

/** Deletes a card; no other card becomes the default. @throws ApiError not_found */
export async function removeCard(tx: Tx, companyId: string, { detach }: CardDependencies, id: string): Promise<void> {
  const card = await removeSaved(tx, companyId, CARDS, id, detach);
  await cardEvents.record(tx, companyId, { type: 'card.deleted', data: card });
}

/** @returns the year with four digits @throws ApiError 400 when the card's last month is over */
function refuseExpired({ expMonth, expYear }: { expMonth: number; expYear: number }): number {
  const year = fullYear(expYear);
  const now = new Date();
  if (isExpired(expMonth, year, now)) {
    throw invalidField(
      year < now.getUTCFullYear() ? 'info.expYear' : 'info.expMonth',
      'is in the past: the card has expired',
    );
  }
  return year;
}
