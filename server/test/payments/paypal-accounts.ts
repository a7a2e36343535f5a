/** Helpers of the tests of PayPal accounts. */
import { randomUUID } from 'node:crypto';
import { type Actor, expectStatus, signUpAdmin } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';
import { type Payable, prepareInvoice } from './charge.ts';

/** Setup tokens of accounts whose charges the sandbox gateway declines. */
export const SETUPS = { declined: 'sandbox-setup-declined', closed: 'sandbox-setup-closed' };

/** Returns a setup token that no other test has. */
export function uniqueSetupToken(): string {
  return `setup-${randomUUID()}`;
}

/** Saves a PayPal account. @returns its id */
export async function saveAccount(
  service: TestService,
  { token }: Actor,
  { setupToken = uniqueSetupToken(), isDefault = false }: { setupToken?: string; isDefault?: boolean } = {},
): Promise<string> {
  const body = { setupToken, isDefault };
  return expectStatus(await service.call('POST', '/payments/paypal-accounts', { token, body }), 201).body.id;
}

/** Creates a company with a PayPal account, no card, and an invoice of 48.00 USD to pay with it. */
export async function prepareAccountPayable(
  service: TestService,
  { setupToken, invoice = {} }: { setupToken?: string; invoice?: object } = {},
): Promise<Payable & { accountId: string }> {
  const admin = await signUpAdmin(service);
  const accountId = await saveAccount(service, admin, setupToken === undefined ? {} : { setupToken });
  return { ...(await prepareInvoice(service, admin, { method: 'paypal', ...invoice })), accountId };
}
