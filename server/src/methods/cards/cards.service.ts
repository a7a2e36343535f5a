import { v7 as uuidv7 } from 'uuid';
import { requireAddress } from '../../customers/addresses/addresses.service.ts';
import { lockCompany } from '../../customers/companies/companies.service.ts';
import type { ConfirmedCard, ConfirmedDebit } from '../../gateways/gateway/gateway.cards.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import { selectCardHolder } from '../../gateways/gateways.queries.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import type { RefusalLimits } from '../../platform/config/config.ts';
import { type Db, type Queryable, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import { writeList } from '../../platform/http/limits/batches.ts';
import type { Json, JsonParts } from '../../platform/http/schema/json.ts';
import { writerOf } from '../../platform/http/schema/serialization.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { plainCardNumber, refuseExpired } from '../card-fields/card-number.ts';
import { ibanLength } from '../card-fields/iban.ts';
import { readConfirmedCard, setupUsed, useSetup } from '../card-setups/card-setups.service.ts';
import { saveWithinLimits } from '../card-testing/card-testing.service.ts';
import {
  clearOtherDefault,
  type DescribeCustomer,
  type DetachDeleted,
  keepCustomer,
  type ReleaseSource,
  removeSaved,
  requireBelowLimit,
  type SavedKind,
  toSaveError,
} from '../saved/saved.service.ts';
import { cardEvents } from './cards.events.ts';
import {
  columns,
  insertCard,
  isSaved,
  type NewCard,
  selectCardIds,
  selectCards,
  selectMethod,
  updateCard,
} from './cards.queries.ts';
import { type CardRow, toCard } from './cards.row.ts';
import {
  type Card,
  CardWithAddress,
  type CardWithAddressList,
  type CreateCardBody,
  type CreateCardWithoutNumberBody,
  NO_EXPIRY,
  type UpdateCardBody,
} from './cards.schema.ts';

/** Of the numbers of American Express, and of most others. */
const AMEX_NUMBER_LENGTH = 15;
const NUMBER_LENGTH = 16;
const SHORTEST_IBAN = 15;

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
  gateways: Gateways;
  keyring: Keyring;
  limits: RefusalLimits;
  detach: DetachDeleted;
  release: ReleaseSource;
  describe: DescribeCustomer;
};

/** A card that its gateway has, and what is kept of it. `isSavedOnce`: its token is the gateway's for the card, not of this save. */
export type GatewayCard = {
  gateway: string;
  customer: string | undefined;
  setupId: string | null;
  isSavedOnce: boolean;
  kept: KeptCard;
};
type KeptCard = Omit<NewCard, 'id' | 'addressId' | 'isDefault' | 'gateway'>;

/**
 * Finds the card that a request saves: by its number, by a setup in the fields of the gateway, or by the gateway's id of it. It runs before
 * the transaction, which must not wait for a gateway.
 * @param network - the client's
 * @throws ApiError 400, setup_not_confirmed, setup_used, card_testing_suspected, payment_in_progress, service_unavailable
 */
export async function findGatewayCard(
  dependencies: CardDependencies,
  companyId: string,
  { addressId, info, setupId, paymentMethod }: CreateCardBody,
  network: string,
): Promise<GatewayCard> {
  if ([info, setupId, paymentMethod].filter((given) => given !== undefined).length !== 1) {
    throw invalidField('info', 'is given, or setupId, or paymentMethod: exactly one of them');
  }
  // Before the gateway attaches the card, which a refused save must not do.
  await transaction(dependencies.db, (tx) => requireAddress(tx, companyId, addressId));
  if (info !== undefined) return tokenizeCard(dependencies, companyId, info, network);
  const { gateways, keyring } = dependencies;
  if (setupId !== undefined) {
    const { card, gateway } = await readConfirmedCard(dependencies, companyId, setupId);
    return toGatewayCard(gateway.name, card, keyring, setupId);
  }
  const { chosen } = gateways;
  const card = await takeCard(dependencies, companyId, paymentMethod ?? '');
  return toGatewayCard(chosen.name, card, keyring, null);
}

/** Refuses `info`, and a number or a security code in it unseen. @throws ApiError raw_card_numbers_off, 400 */
export function refuseNumbers({ info }: CreateCardWithoutNumberBody): void {
  if (info === undefined) return;
  const given = ['cardNumber', 'cvv'].find((field) => Object.hasOwn(info, field));
  if (given === undefined) throw invalidField('info', 'has no card number, and this installation takes none');
  throw new ApiError('raw_card_numbers_off', 'This installation takes no card numbers. Save the card with a setup.', {
    details: [{ field: `info.${given}`, message: 'is not taken' }],
  });
}

/**
 * Exchanges the card number for the gateway's token. The number and the security code go nowhere else. A declined card counts against the
 * limits of the company, of `network`, the client's, and of the card.
 * @throws ApiError 400, card_testing_suspected, payment_in_progress, service_unavailable
 */
export async function tokenizeCard(
  { db, gateways: { chosen: gateway }, keyring, limits }: Omit<CardDependencies, 'detach' | 'release' | 'describe'>,
  companyId: string,
  info: NonNullable<CreateCardBody['info']>,
  network: string,
): Promise<GatewayCard> {
  const { cardName, country, expMonth } = info;
  const expYear = refuseExpired(info, 'info');
  const holder = await selectCardHolder(db, companyId, gateway.name);
  const number = plainCardNumber(info.cardNumber);
  const fingerprint = keyring.fingerprint(number);
  const requester = { network, limits };
  const counted = { fingerprint: fingerprint.value, gateway: gateway.name, requester };
  const tokenized = await saveWithinLimits(db, companyId, counted, () =>
    gateway.tokenizeCard({ number, securityCode: info.cvv, expMonth, expYear, name: cardName, country, holder }),
  ).catch((error: unknown) => {
    throw toSaveError(error, 'info.cardNumber');
  });
  const kept = {
    ...{ method: 'Card' as const, mandate: null, country, expMonth, expYear, cardName, brand: tokenized.brand },
    ...{ firstFour: number.slice(0, 4), lastFour: number.slice(-4), numberLength: number.length },
    ...{ fingerprint: fingerprint.value, fingerprintKeyVersion: fingerprint.keyVersion, gatewayToken: tokenized.token },
  };
  return { gateway: gateway.name, customer: tokenized.customer, setupId: null, isSavedOnce: false, kept };
}

/** Takes a card by the gateway's id. Unknown ones and another company's are refused alike. */
async function takeCard(
  { db, gateways: { chosen } }: CardDependencies,
  companyId: string,
  id: string,
): Promise<ConfirmedCard | ConfirmedDebit> {
  const notOurs = () => invalidField('paymentMethod', 'is not the id of a card that this company can save');
  if (chosen.takeCard === undefined) throw notOurs();
  const holder = await selectCardHolder(db, companyId, chosen.name);
  return chosen.takeCard(id, holder).catch((error: unknown) => {
    throw error instanceof GatewayError && error.kind === 'rejected' ? notOurs() : toSaveError(error, 'paymentMethod');
  });
}

/** The gateway shows the last four digits alone, so the length follows from the brand, and that of an IBAN from its country. */
function toGatewayCard(
  gateway: string,
  card: ConfirmedCard | ConfirmedDebit,
  keyring: Keyring,
  setupId: string | null,
): GatewayCard {
  const { token, customer, lastFour, name: cardName, country } = card;
  const fingerprint = keyring.fingerprint(`${gateway} ${card.fingerprint}`);
  const kept = {
    ...{ country, cardName, lastFour, ...(card.method === 'sepa_debit' ? keptOfDebit(card) : keptOfCard(card)) },
    ...{ fingerprint: fingerprint.value, fingerprintKeyVersion: fingerprint.keyVersion, gatewayToken: token },
  };
  return { gateway, customer, setupId, isSavedOnce: true, kept };
}

function keptOfCard({ brand, expMonth, expYear }: ConfirmedCard) {
  const numberLength = brand === 'amex' ? AMEX_NUMBER_LENGTH : NUMBER_LENGTH;
  return { method: 'Card' as const, mandate: null, brand, expMonth, expYear, firstFour: '', numberLength };
}

function keptOfDebit({ method, mandate, country }: ConfirmedDebit) {
  const numberLength = ibanLength(country) ?? SHORTEST_IBAN;
  return { method, mandate, brand: method, ...NO_EXPIRY, firstFour: country, numberLength };
}

/**
 * Saves a card that the gateway has. As the default it replaces the earlier one.
 * @throws ApiError 400 on addressId, limit_reached, setup_used
 */
export async function saveCard(
  tx: Tx,
  companyId: string,
  { addressId, isDefault = false }: CreateCardBody,
  { gateway, customer, setupId, isSavedOnce, kept }: GatewayCard,
  describe: DescribeCustomer,
): Promise<Card> {
  // The lock makes two simultaneous requests count each other.
  await lockCompany(tx, companyId);
  await requireAddress(tx, companyId, addressId);
  await requireBelowLimit(tx, companyId, CARDS);
  if (setupId !== null) await useSetup(tx, companyId, setupId);
  if (isSavedOnce && (await isSaved(tx, companyId, gateway, kept.gatewayToken))) throw setupUsed();
  const id = uuidv7();
  if (isDefault) await clearOtherDefault(tx, companyId, CARDS, id);
  await keepCustomer(tx, companyId, { gateway, customer }, describe);
  const card = await insertCard(tx, companyId, { id, addressId, isDefault, gateway, ...kept });
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

/** Changes a card's expiry, which mandates have not, and whether it is the default. @throws ApiError not_found, 400 for an expired date */
export async function changeCard(
  tx: Tx,
  companyId: string,
  id: string,
  { isDefault, info }: UpdateCardBody,
): Promise<Card> {
  const method = await selectMethod(tx, companyId, id);
  if (method === null) throw notFound('card');
  const expiry = method === 'Card' ? { expMonth: info.expMonth, expYear: refuseExpired(info, 'info') } : null;
  if (isDefault) await clearOtherDefault(tx, companyId, CARDS, id);
  const card = await updateCard(tx, companyId, id, { isDefault, expiry });
  if (card === null) throw notFound('card');
  await cardEvents.record(tx, companyId, { type: 'card.updated', data: card });
  return card;
}

/** Deletes a card; no other card becomes the default. @throws ApiError not_found */
export async function removeCard(tx: Tx, companyId: string, dependencies: CardDependencies, id: string): Promise<void> {
  const card = await removeSaved(tx, companyId, CARDS, id, dependencies);
  await cardEvents.record(tx, companyId, { type: 'card.deleted', data: card });
}
