import { type Actor, PASSWORD } from '../../../server/test/customers/actors.ts';
import { addMember } from '../../../server/test/identity/roles.ts';
import type { Company, Person } from './company.ts';
import { useService } from './service.ts';

/** Adds somebody to the company, with a role of the system or a new one. */
export async function joinAs({ id: companyId }: Company, role: Parameters<typeof addMember>[2]): Promise<Person> {
  const { email } = await addMember(useService().asTestService, { companyId } as Actor, role);
  return { firstName: 'Grace', lastName: 'Hopper', email, password: PASSWORD };
}
