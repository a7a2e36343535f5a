/** How a product creates a company. */
import { api, type Charge, raise, type World } from '../../world.ts';

/** Creates a company by its external id, or changes the one that has it. The token is that of a customer session. */
export async function putCompany(world: World, externalId: string): Promise<Omit<Charge, 'invoiceId'>> {
  const path = `/operator/companies/external:${externalId}`;
  const token = world.operatorKey;
  // The test decides which process pays, and when.
  const fields = { name: `Company ${externalId}`, billingSettings: { collection: 'manual' } };
  const put = await api(world).send('PUT', path, { token, body: fields });
  const opened = await api(world).send('POST', `${path}/sessions`, { token, body: { expiresIn: 86_400 } });
  for (const { status, body } of [put, opened])
    if (status !== 200 && status !== 201) raise(`the product was answered with ${status} ${JSON.stringify(body)}`);
  return { token: opened.body.token, companyId: put.body.id };
}
