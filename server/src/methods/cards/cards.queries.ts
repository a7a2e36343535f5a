import type { Mandate, SetupMethod } from '../../gateways/gateway/gateway.cards.ts';
import { constantPart, emptyPart, idList, type Queryable, type Tx } from '../../platform/database/database.ts';
import { type CardRow, toCard } from './cards.row.ts';
import type { Card, CardWithAddress } from './cards.schema.ts';

export const columns = constantPart(
  (db) => db`
    cards.id, cards.company_id AS "companyId", address_id AS "addressId", method, is_default AS "isDefault", cards.country,
    exp_month AS "expMonth", exp_year AS "expYear", card_name AS "cardName",
    mask_card_number(first_four, last_four, number_length) AS "cardNumber", brand, metadata,
    mandate_reference AS "mandateReference", mandate_accepted_at AS "mandateAcceptedAt",
    cards.created_at AS "createdAt", cards.updated_at AS "updatedAt"`,
);

export type NewCard = {
  id: string;
  method: SetupMethod;
  mandate: Mandate | null;
  addressId: string;
  isDefault: boolean;
  country: string;
  expMonth: number;
  expYear: number;
  cardName: string;
  brand: string;
  firstFour: string;
  lastFour: string;
  numberLength: number;
  fingerprint: Buffer;
  fingerprintKeyVersion: number;
  gateway: string;
  gatewayToken: string;
};

/** Inserts a card. The database refuses a second default card and an address of another company. */
export async function insertCard(tx: Tx, companyId: string, card: NewCard): Promise<Card> {
  const [row] = await tx<[CardRow]>`
    INSERT INTO cards (company_id, id, method, mandate_reference, mandate_accepted_at, address_id, is_default, country, exp_month,
                       exp_year, card_name, brand, first_four, last_four, number_length, fingerprint, fingerprint_key_version,
                       gateway, gateway_token)
    VALUES (${companyId}, ${card.id}, ${card.method}, ${card.mandate?.reference ?? null}, ${card.mandate?.acceptedAt ?? null},
            ${card.addressId}, ${card.isDefault}, ${card.country}, ${card.expMonth},
            ${card.expYear}, ${card.cardName}, ${card.brand}, ${card.firstFour}, ${card.lastFour}, ${card.numberLength},
            ${card.fingerprint}, ${card.fingerprintKeyVersion}, ${card.gateway}, ${card.gatewayToken})
    RETURNING ${columns(tx)}`;
  return toCard(row);
}

/** The method of a card, which never changes; null when the company has no such card. */
export async function selectMethod(db: Queryable, companyId: string, id: string): Promise<SetupMethod | null> {
  const [row] = await db<{ method: SetupMethod }[]>`
    SELECT method FROM cards WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL`;
  return row?.method ?? null;
}

/** Whether the company has saved a card with this token, also if it was deleted. */
export async function isSaved(db: Queryable, companyId: string, gateway: string, token: string): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM cards WHERE company_id = ${companyId} AND gateway = ${gateway} AND gateway_token = ${token} LIMIT 1`;
  return rows.length > 0;
}

type AddressColumns = {
  firstName: string;
  lastName: string;
  streetAddress: string;
  aptNumber: string;
  state: string;
  addressCountry: string;
  zipCode: string;
  addressCreatedAt: Date;
  addressUpdatedAt: Date;
};

/** Reads the company's cards, newest first, up to a limit or with these ids, each with its address, which may have been deleted since. */
export async function selectCards(
  db: Queryable,
  companyId: string,
  { limit, ids = null }: { limit: number; ids?: readonly string[] | null },
): Promise<CardWithAddress[]> {
  const rows = await db<(CardRow & AddressColumns)[]>`
    SELECT ${columns(db)}, first_name AS "firstName", last_name AS "lastName", street_address AS "streetAddress",
           apt_number AS "aptNumber", state, addresses.country AS "addressCountry", zip_code AS "zipCode",
           addresses.created_at AS "addressCreatedAt", addresses.updated_at AS "addressUpdatedAt"
    FROM cards JOIN addresses ON addresses.company_id = cards.company_id AND addresses.id = cards.address_id
    WHERE cards.company_id = ${companyId} AND cards.deleted_at IS NULL
      ${ids === null ? emptyPart(db) : db`AND cards.id = ANY(${idList(db, ids)})`}
    ORDER BY cards.id DESC LIMIT ${limit}`;
  return rows.map(toCardWithAddress);
}

/** Reads only the ids of the cards, newest first, up to a limit. */
export async function selectCardIds(db: Queryable, companyId: string, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM cards WHERE company_id = ${companyId} AND deleted_at IS NULL ORDER BY id DESC LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

function toCardWithAddress(row: CardRow & AddressColumns): CardWithAddress {
  const { addressId: id, companyId, firstName, lastName, streetAddress, aptNumber, state, zipCode } = row;
  const { addressCountry: country, addressCreatedAt: createdAt, addressUpdatedAt: updatedAt } = row;
  const card = toCard(row) as CardWithAddress;
  card.address = {
    id,
    companyId,
    firstName,
    lastName,
    streetAddress,
    aptNumber,
    state,
    country,
    zipCode,
    createdAt,
    updatedAt,
  };
  return card;
}

/** `expiry` is null where it stays. */
export type CardChanges = { isDefault: boolean | undefined; expiry: { expMonth: number; expYear: number } | null };

/** Updates the expiry and the default, when given; null when the company has no such card. */
export async function updateCard(
  tx: Tx,
  companyId: string,
  id: string,
  { isDefault, expiry }: CardChanges,
): Promise<Card | null> {
  const [row] = await tx<CardRow[]>`
    UPDATE cards
    SET is_default = coalesce(${isDefault ?? null}, is_default), exp_month = coalesce(${expiry?.expMonth ?? null}, exp_month),
        exp_year = coalesce(${expiry?.expYear ?? null}, exp_year), updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL
    RETURNING ${columns(tx)}`;
  return row === undefined ? null : toCard(row);
}
