import { isDeepStrictEqual } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { afterCommit, sideBySide, type Tx, violatedConstraint } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { ExternalIds } from '../../platform/http/company-ids/external-ids.ts';
import { lockCompanyByExternalId } from './companies.operator.queries.ts';
import type { CompanyFields, CompanyWithFields } from './companies.parts.queries.ts';
import { insertCompanyWith, lockCompanyWithFields, updateCompanyFields } from './companies.queries.ts';

export type { CompanyWithFields } from './companies.parts.queries.ts';

const MAX_ATTEMPTS = 5;

const NO_FIELDS: CompanyFields = {
  externalId: null,
  name: '',
  phone: '',
  address: '',
  describe: '',
  email: '',
  metadata: {},
  disabled: false,
};

/** What has to know that a company gets or loses an external id: usage, a later domain, which hands it in. */
export type IdHandover = {
  /** Before a company gets one; first of all locks that others may wait for. */
  beforeGiven: (tx: Tx) => Promise<void>;
  /**
   * The company has got it, unless the transaction is undone. It is also told of a company that was not made because another one has
   * the id: then nothing waits for the id, and `beforeGiven` keeps it so.
   */
  given: (tx: Tx, companyId: string, externalId: string) => Promise<void>;
  /** Before a company loses the one that it has. @throws ApiError usage_waiting */
  beforeTaken: (tx: Tx, companyId: string) => Promise<void>;
};

/** A company that has just been created: nothing but its fields, since it has no members. */
export type NewCompany = CompanyWithFields & { createdAt: Date; updatedAt: Date };

/** Creates a company with these fields. @throws ApiError external_id_taken */
export async function createCompanyWith(
  tx: Tx,
  fields: Partial<CompanyFields>,
  handover: IdHandover,
  id: string = uuidv7(),
): Promise<NewCompany> {
  const company = await insertNew(tx, id, fields, handover);
  if (company === null) throw externalIdTaken();
  return company;
}

/** @returns null when another company has the external id */
async function insertNew(
  tx: Tx,
  id: string,
  given: Partial<CompanyFields>,
  handover: IdHandover,
): Promise<NewCompany | null> {
  const fields = { ...NO_FIELDS, ...given };
  const { externalId } = fields;
  const [, createdAt] = await sideBySide([
    externalId === null ? undefined : handover.beforeGiven(tx),
    insertCompanyWith(tx, id, fields, uuidv7()),
    externalId === null ? undefined : handover.given(tx, id, externalId),
  ]);
  return createdAt === null ? null : { id, ...fields, createdAt, updatedAt: createdAt };
}

/** Locks a company. @returns its fields @throws ApiError not_found */
export async function lockCompanyToChange(tx: Tx, companyId: string): Promise<CompanyWithFields> {
  const company = await lockCompanyWithFields(tx, companyId);
  if (company === null) throw notFound('company');
  return company;
}

/**
 * Locks the company that has an external id, or creates it with these fields. Of several at once, one creates it and the others wait.
 * @throws ApiError service_unavailable when others go on giving the external id away and back
 */
export async function lockOrCreateCompany(
  tx: Tx,
  externalId: string,
  fields: Partial<CompanyFields>,
  handover: IdHandover,
  id: string = uuidv7(),
): Promise<{ isNew: false; company: CompanyWithFields } | { isNew: true; company: NewCompany }> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const known = await lockCompanyByExternalId(tx, externalId);
    if (known !== null) return { isNew: false, company: known };
    const company = await insertNew(tx, id, { ...fields, externalId }, handover);
    if (company !== null) return { isNew: true, company };
  }
  throw new ApiError('service_unavailable', 'The external id changes hands.', { retryAfterSeconds: 1 });
}

/**
 * Writes the given fields, if any is not what it was.
 * @param company - the company as it is; it is locked
 * @returns the fields before and after; null when nothing is changed
 * @throws ApiError external_id_taken, usage_waiting
 */
export async function changeCompanyFields(
  tx: Tx,
  { id: companyId, ...before }: CompanyWithFields,
  given: Partial<CompanyFields>,
  { externalIds, handover }: { externalIds: ExternalIds; handover: IdHandover },
): Promise<{ before: CompanyFields; after: CompanyFields } | null> {
  const after = { ...before, ...given };
  const isSame = Object.entries(given).every(([name, value]) =>
    isDeepStrictEqual(value, before[name as keyof CompanyFields]),
  );
  if (isSame) return null;
  const isOtherId = after.externalId !== before.externalId;
  if (isOtherId && before.externalId !== null) await handover.beforeTaken(tx, companyId);
  if (isOtherId && after.externalId !== null) await handover.beforeGiven(tx);
  await updateCompanyFields(tx, companyId, after).catch(refuseTakenId);
  if (isOtherId) afterCommit(tx, async () => externalIds.forget(companyId));
  if (isOtherId && after.externalId !== null) await handover.given(tx, companyId, after.externalId);
  return { before, after };
}

function refuseTakenId(error: unknown): never {
  throw violatedConstraint(error) === 'companies_external_id_taken' ? externalIdTaken() : error;
}

function externalIdTaken(): ApiError {
  return new ApiError('external_id_taken', 'Another company has this external id.', {
    details: [{ field: 'externalId', message: 'is taken' }],
  });
}
