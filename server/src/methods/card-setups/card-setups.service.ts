import { v7 as uuidv7 } from 'uuid';
import type {
  ConfirmedCard,
  ConfirmedDebit,
  CreatedSetup,
  FieldsRefusal,
  GatewayFields,
  TypedCard,
  TypedDebit,
} from '../../gateways/gateway/gateway.cards.ts';
import { type Gateway, GatewayError } from '../../gateways/gateway/gateway.ts';
import { selectCardHolder } from '../../gateways/gateways.queries.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import { type DescribeCustomer, keepCustomer } from '../saved/saved.service.ts';
import { insertSetup, type SetupRow, selectSetup, updateUsed } from './card-setups.queries.ts';
import type { CardSetup, CreateCardSetupBody, CreatedCardSetup } from './card-setups.schema.ts';

export type SetupDependencies = { db: Db; gateways: Gateways };

/** The gateway's part of a setup that is being created. */
export type BegunSetup = CreatedSetup & { setupId: string; gateway: string };

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/**
 * Begins a setup at the gateway that takes new cards. It runs before the transaction, which must not wait for a gateway.
 * @throws ApiError card_setups_not_configured, service_unavailable
 */
export async function beginSetup(
  { db, gateways }: SetupDependencies,
  companyId: string,
  { method = 'Card' }: CreateCardSetupBody,
): Promise<BegunSetup> {
  const { name, fields } = gateways.chosen;
  if (fields === undefined) {
    throw new ApiError(
      'card_setups_not_configured',
      'The gateway has no fields for cards, or its publishable key is not configured. Nothing was created.',
    );
  }
  const setupId = uuidv7();
  const holder = await selectCardHolder(db, companyId, name);
  const created = await fields.createSetup({ setupId, method, holder }).catch(refuse);
  return { ...created, setupId, gateway: name };
}

/** Stores a setup that was begun. The client secret is only answered. */
export async function saveSetup(
  tx: Tx,
  companyId: string,
  { gateways, describe }: SetupDependencies & { describe: DescribeCustomer },
  { method = 'Card' }: CreateCardSetupBody,
  begun: BegunSetup,
): Promise<CreatedCardSetup> {
  const { setupId: id, gateway, customer, clientSecret } = begun;
  await keepCustomer(tx, companyId, { gateway, customer }, describe);
  const row = await insertSetup(tx, companyId, { id, gateway, gatewaySetupId: begun.id, method });
  return { ...show(companyId, row, 'requires_payment_method', gateways), clientSecret };
}

/** Reads a setup, whose status is the gateway's. @throws ApiError not_found, service_unavailable */
export async function readSetup(
  { db, gateways }: SetupDependencies,
  companyId: string,
  id: string,
): Promise<CardSetup> {
  const row = await selectSetup(db, companyId, id);
  if (row === null) throw notFound('card setup');
  return show(companyId, row, await readStatus(gateways, row), gateways);
}

async function readStatus(gateways: Gateways, row: SetupRow): Promise<CardSetup['status']> {
  if (row.usedAt !== null) return 'used';
  if (row.isExpired) return 'expired';
  const { status } = await fieldsOf(gateways, row).findSetup(row.gatewaySetupId).catch(refuse);
  return status;
}

function show(
  companyId: string,
  { id, gateway, method, createdAt, expiresAt }: SetupRow,
  status: CardSetup['status'],
  gateways: Gateways,
): CardSetup {
  const publishableKey = gateways.of(gateway).fields?.publishableKey ?? '';
  return { id, companyId, gateway, method, status, publishableKey, createdAt, expiresAt };
}

/**
 * Reads the card of a setup that the company wants to save, with its gateway.
 * @throws ApiError 400 on setupId, setup_not_confirmed, setup_used, service_unavailable
 */
export async function readConfirmedCard(
  { db, gateways }: SetupDependencies,
  companyId: string,
  setupId: string,
): Promise<{ card: ConfirmedCard | ConfirmedDebit; gateway: Gateway }> {
  const row = UUID.test(setupId) ? await selectSetup(db, companyId, setupId) : null;
  if (row === null) throw invalidField('setupId', 'is not the id of a setup of this company');
  if (row.usedAt !== null) throw setupUsed();
  const found = row.isExpired ? null : await fieldsOf(gateways, row).findSetup(row.gatewaySetupId).catch(refuse);
  if (found === null || found.card === null) {
    throw new ApiError(
      'setup_not_confirmed',
      'The setup is not confirmed at the gateway, or has expired. Nothing was saved.',
    );
  }
  return { card: found.card, gateway: gateways.of(row.gateway) };
}

/** Uses a setup up, in the transaction that saves its card. @throws ApiError setup_used */
export async function useSetup(tx: Tx, companyId: string, setupId: string): Promise<void> {
  if (!(await updateUsed(tx, companyId, setupId))) throw setupUsed();
}

/** The error for a setup, or a card of the gateway, that was saved before. */
export function setupUsed(): ApiError {
  return new ApiError('setup_used', 'This card was saved before. To save another one, create a new setup.');
}

/** Confirms a setup in place of a browser. @throws ApiError not_found, nothing_to_confirm, 400, service_unavailable */
export async function confirmInBrowser(
  gateways: Gateways,
  clientSecret: string,
  typed: { card: TypedCard } | { sepaDebit: TypedDebit },
) {
  return { status: await answer(browserOf(gateways).confirmSetup(clientSecret, typed)) };
}

/** Answers the question of the bank in place of the holder. @throws ApiError not_found, nothing_to_confirm, service_unavailable */
export async function answerChallenge(gateways: Gateways, clientSecret: string, outcome: 'succeed' | 'fail') {
  return { status: await answer(browserOf(gateways).answerChallenge(clientSecret, outcome)) };
}

async function answer<Status extends string>(
  asked: Promise<Status | FieldsRefusal>,
): Promise<Exclude<Status, FieldsRefusal>> {
  const status = await asked.catch(refuse);
  if (status === 'unknown') throw notFound('client secret');
  if (status === 'other_method') throw invalidField('clientSecret', 'is of a setup of the other method');
  if (status === 'nothing_to_confirm')
    throw new ApiError('nothing_to_confirm', 'Nothing waits for this, or not any more.');
  return status as Exclude<Status, FieldsRefusal>;
}

/** @throws ApiError not_found unless the gateway has fields that are confirmed here, as the sandbox alone has */
export function requireSandbox(gateways: Gateways): void {
  browserOf(gateways);
}

function browserOf({ chosen }: Gateways): NonNullable<GatewayFields['browser']> {
  if (chosen.fields?.browser === undefined) throw notFound('path');
  return chosen.fields.browser;
}

function fieldsOf(gateways: Gateways, { gateway }: SetupRow): GatewayFields {
  const { fields } = gateways.of(gateway);
  if (fields !== undefined) return fields;
  throw unavailable(new GatewayError('not_configured', `The gateway ${gateway} has no fields any more.`));
}

function refuse(error: unknown): never {
  throw error instanceof GatewayError ? unavailable(error) : error;
}

function unavailable(cause: GatewayError): ApiError {
  return new ApiError('service_unavailable', 'The payment gateway cannot be reached. Nothing was saved.', {
    retryAfterSeconds: 5,
    cause,
  });
}
