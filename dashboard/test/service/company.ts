import { randomUUID } from 'node:crypto';
import { createPaydesk, type Paydesk } from '@paydesk/client';
import { useService } from './service.ts';

/** A company of one story, with the admin who has signed it up. */
export type Company = {
  id: string;
  /** Its name, on its billing information. */
  name: string;
  admin: Person;
  /** Calls the API with the admin's token. */
  client: Paydesk;
};

/** Who can log in. */
export type Person = { firstName: string; lastName: string; email: string; password: string };

const PASSWORD = 'Correct-horse-7';

/** Signs up a company through the API. */
export function signUpCompany(): Promise<Company> {
  return signUpCompanyAt(useService().url);
}

/** The same at another service than that of the run. */
export async function signUpCompanyAt(url: string): Promise<Company> {
  const name = `Analytical Engines ${randomUUID().slice(0, 8)}`;
  const admin = { firstName: 'Ada', lastName: 'Lovelace', email: `${randomUUID()}@example.com`, password: PASSWORD };
  const { data } = await createPaydesk({ url }).auth.signUpAdmin({
    first_name: admin.firstName,
    last_name: admin.lastName,
    email: admin.email,
    password: admin.password,
  });
  const client = createPaydesk({ url, accessToken: data.access_token });
  await client.billingInformation.update({ organization: name });
  return { id: data.user.company.id, name, admin, client };
}
