import { v7 as uuidv7 } from 'uuid';
import { lockCompany } from '../../customers/companies/companies.service.ts';
import type { VaultedAccount } from '../../gateways/gateway/gateway.ts';
import { selectCardHolder, upsertGatewayCustomer } from '../../gateways/gateways.queries.ts';
import type { AccountGateway } from '../../gateways/gateways.ts';
import type { RefusalLimits } from '../../platform/config/config.ts';
import type { Db, Queryable, Tx } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { saveWithinLimits } from '../card-testing/card-testing.service.ts';
import {
  clearOtherDefault,
  type DetachDeleted,
  type ReleaseSource,
  removeSaved,
  requireBelowLimit,
  type SavedKind,
  toSaveError,
} from '../saved/saved.service.ts';
import { paypalAccountEvents } from './paypal-accounts.events.ts';
import {
  columns,
  insertAccount,
  selectAccounts,
  selectVaultedAccount,
  updateAccount,
} from './paypal-accounts.queries.ts';
import type { CreatePaypalAccountBody, PaypalAccount, UpdatePaypalAccountBody } from './paypal-accounts.schema.ts';

/** PayPal accounts as a kind of saved payment method. */
export const PAYPAL_ACCOUNTS: SavedKind<PaypalAccount, PaypalAccount> = {
  table: 'paypal_accounts',
  columns,
  name: 'PayPal account',
  most: 100,
  show: (account) => account,
  recordUpdated: (tx, companyId, accounts) =>
    paypalAccountEvents.recordMany(
      tx,
      accounts.map((account) => ({ companyId, type: 'paypal_account.updated', data: account })),
    ),
};

/** `gateway` is null when no configured gateway takes accounts. */
export type PaypalAccountDependencies = {
  db: Db;
  gateway: AccountGateway | null;
  limits: RefusalLimits;
  detach: DetachDeleted;
  release: ReleaseSource;
};

/** An account with the gateway that holds it. */
export type Vaulted = VaultedAccount & { gateway: string };

/**
 * Exchanges the setup token for the gateway's own. The setup token goes nowhere else. It runs before the transaction, which must not wait
 * for a gateway. A declined token counts against the limits of `network`, the client's, and of the company.
 * @throws ApiError paypal_not_available, 400 on setupToken, card_testing_suspected, payment_in_progress, service_unavailable
 */
export async function vaultAccount(
  { db, gateway, limits }: PaypalAccountDependencies,
  companyId: string,
  { setupToken }: CreatePaypalAccountBody,
  network: string,
): Promise<Vaulted> {
  if (gateway === null) {
    throw new ApiError('paypal_not_available', 'No gateway for PayPal accounts is configured. Nothing was saved.');
  }
  const holder = await selectCardHolder(db, companyId, gateway.name);
  try {
    const counted = { fingerprint: null, gateway: gateway.name, requester: { network, limits } };
    const account = await saveWithinLimits(db, companyId, counted, () => gateway.vaultAccount({ setupToken, holder }));
    return { ...account, gateway: gateway.name };
  } catch (error) {
    throw toSaveError(error, 'setupToken');
  }
}

/**
 * Saves a vaulted account. As the default it replaces the earlier one. An account that the company has already, because its request was
 * repeated, does not change.
 * @throws ApiError limit_reached
 */
export async function saveAccount(
  tx: Tx,
  companyId: string,
  { gateway, token: gatewayToken, email, customer }: Vaulted,
  isDefault: boolean,
): Promise<PaypalAccount> {
  // The lock orders two requests with one account, or for one default.
  await lockCompany(tx, companyId);
  if (customer !== undefined) await upsertGatewayCustomer(tx, companyId, gateway, customer);
  const known = await selectVaultedAccount(tx, companyId, { gateway, gatewayToken });
  if (known !== null) {
    return isDefault && !known.isDefault ? changeAccount(tx, companyId, known.id, { isDefault }) : known;
  }
  await requireBelowLimit(tx, companyId, PAYPAL_ACCOUNTS);
  const id = uuidv7();
  if (isDefault) await clearOtherDefault(tx, companyId, PAYPAL_ACCOUNTS, id);
  const account = await insertAccount(tx, companyId, { id, isDefault, email, gateway, gatewayToken });
  await paypalAccountEvents.record(tx, companyId, { type: 'paypal_account.created', data: account });
  return account;
}

/** Lists the company's accounts, newest first. */
export async function listAccounts(db: Queryable, companyId: string): Promise<PaypalAccount[]> {
  return selectAccounts(db, companyId);
}

/** The account, or null when the company has none with this id. */
export async function findAccount(db: Queryable, companyId: string, id: string): Promise<PaypalAccount | null> {
  const accounts = await listAccounts(db, companyId);
  return accounts.find((account) => account.id === id) ?? null;
}

/** Changes whether the account is the default. @throws ApiError not_found */
export async function changeAccount(
  tx: Tx,
  companyId: string,
  id: string,
  { isDefault }: UpdatePaypalAccountBody,
): Promise<PaypalAccount> {
  if (isDefault) await clearOtherDefault(tx, companyId, PAYPAL_ACCOUNTS, id);
  const account = await updateAccount(tx, companyId, id, isDefault);
  if (account === null) throw notFound('PayPal account');
  await paypalAccountEvents.record(tx, companyId, { type: 'paypal_account.updated', data: account });
  return account;
}

/** Deletes an account; no other account becomes the default. @throws ApiError not_found */
export async function removeAccount(
  tx: Tx,
  companyId: string,
  dependencies: PaypalAccountDependencies,
  id: string,
): Promise<void> {
  const account = await removeSaved(tx, companyId, PAYPAL_ACCOUNTS, id, dependencies);
  await paypalAccountEvents.record(tx, companyId, { type: 'paypal_account.deleted', data: account });
}
