import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { transaction } from '../../platform/database/database.ts';
import { lockCompany } from './companies.service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

describe('the lock of a company', () => {
  it('is not_found for a company that there is not, before anything is written about it', async () => {
    const { db } = service.database;
    const locking = transaction(db, (tx) => lockCompany(tx, randomUUID()));
    await expect(locking).rejects.toMatchObject({ code: 'not_found', message: 'There is no such company.' });
    const { companyId } = await signUpAdmin(service);
    await transaction(db, (tx) => lockCompany(tx, companyId));
  });
});
