/** The customer of a company at Stripe shows its name and its e-mail, whatever becomes of the requests to Stripe. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { preparePayable } from '../../../test/payments/charge.ts';
import { type StripeChargeService, startStripeChargeService } from '../../../test/payments/stripe-charge.ts';
import { holdCharges, releaseCharges } from '../../../test/recovery/hold.ts';
import { describeDue } from './gateway-customers.ts';

let service: StripeChargeService;
beforeAll(async () => {
  service = await startStripeChargeService();
});
afterAll(() => service?.stop());

/** Runs the worker as if the delay since its last attempt were over. */
async function describeNow(): Promise<void> {
  const { owner } = service.database;
  await owner`UPDATE gateway_customers SET describe_at = now() - interval '1 second' WHERE describe_at IS NOT NULL`;
  while (await describeDue(service.dependencies, 'stripe'));
}

function customerOf(companyId: string) {
  const customers = [...service.stripe().books.customers.values()];
  return customers.find(({ metadata }) => metadata.paydesk_company === companyId);
}

async function setBilling(token: string, body: object): Promise<void> {
  expect((await service.call('PUT', '/payments/billing-information', { token, body })).status).toBe(200);
}

async function prepareCompany() {
  const { admin } = await preparePayable(service);
  await describeNow();
  return admin;
}

describe('the customer of a company at Stripe', () => {
  it('has the organization as its name, else the person’s, and follows each change', async () => {
    const { companyId, token, email } = await prepareCompany();
    expect(customerOf(companyId)).toMatchObject({ email });
    await setBilling(token, { organization: '', firstName: 'Ada', lastName: 'Lovelace' });
    await describeNow();
    expect(customerOf(companyId)?.name).toBe('Ada Lovelace');
    await setBilling(token, { organization: 'Analytical Engines Ltd' });
    expect(customerOf(companyId)?.name).toBe('Ada Lovelace');
    await describeNow();
    expect(customerOf(companyId)).toMatchObject({ name: 'Analytical Engines Ltd', email });
    expect(customerOf(companyId)?.metadata).toEqual({ paydesk_company: companyId });
  });

  it('is described when the company’s first card is saved', async () => {
    const admin = await signUpAdmin(service);
    const { companyId, email, token } = admin;
    await setBilling(token, { organization: 'First Card Ltd' });
    await saveCard(service, admin);
    expect(customerOf(companyId)).toMatchObject({ name: 'First Card Ltd', email });
    const waiting = await service.database.owner`
      SELECT 1 FROM gateway_customers WHERE company_id = ${companyId} AND describe_at IS NOT NULL`;
    expect(waiting).toEqual([]);
  });

  it('has the e-mail of the oldest member who manages members and roles, also after that member has left', async () => {
    const { companyId, email } = await prepareCompany();
    const { owner } = service.database;
    await owner`
      INSERT INTO users (id, company_id, role, first_name, last_name, email, email_key)
      VALUES (gen_random_uuid(), ${companyId}, 'Billing manager', 'B', 'B', ${`b-${email}`}, ${`b-${email}`}),
             (gen_random_uuid(), ${companyId}, 'Admin', 'C', 'C', ${`c-${email}`}, ${`c-${email}`})`;
    await describeNow();
    expect(customerOf(companyId)?.email).toBe(email);
    await owner`UPDATE users SET disabled_at = now() WHERE company_id = ${companyId} AND email = ${email}`;
    await describeNow();
    expect(customerOf(companyId)?.email).toBe(`c-${email}`);
  });

  it('is described when Stripe is back, and as it is then', async () => {
    const { companyId, token } = await prepareCompany();
    await service.takeGatewayAway();
    await setBilling(token, { organization: 'First Ltd' });
    await describeNow();
    await setBilling(token, { organization: 'Second Ltd' });
    await describeNow();
    await service.bringGatewayBack();
    await expect.poll(() => describeNow().then(() => customerOf(companyId)?.name)).toBe('Second Ltd');
  });

  it('stays as it is as long as the database holds charges, which may be a copy of another', async () => {
    const { companyId, token } = await prepareCompany();
    await setBilling(token, { organization: 'Before Ltd' });
    await describeNow();
    await holdCharges(service);
    await setBilling(token, { organization: 'After Ltd' });
    await describeNow();
    expect(customerOf(companyId)?.name).toBe('Before Ltd');
    await releaseCharges(service);
    await describeNow();
    expect(customerOf(companyId)?.name).toBe('After Ltd');
  });

  it('that is gone at Stripe is asked about once a change, and holds no other company up', async () => {
    const [gone, other] = [await prepareCompany(), await prepareCompany()];
    const { customers } = service.stripe().books;
    customers.delete(customerOf(gone.companyId)?.id ?? '');
    await setBilling(gone.token, { organization: 'Gone Ltd' });
    await setBilling(other.token, { organization: 'Other Ltd' });
    await describeNow();
    expect(customerOf(other.companyId)?.name).toBe('Other Ltd');
    const waiting = await service.database.owner`SELECT 1 FROM gateway_customers WHERE describe_at IS NOT NULL`;
    expect(waiting).toEqual([]);
  });
});
