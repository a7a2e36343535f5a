import { PRESENT, RESTORED, type Restored } from '../../billing/restore/restore.service.ts';
import { transactionWhileHeld } from '../../continuity/hold/charges-hold.service.ts';
import type { IdHandover } from '../../customers/companies/companies.fields.service.ts';
import { recordCompanyMark, restoreCompany } from '../../customers/companies/companies.journaled.service.ts';
import { selectCompaniesByExternalIds } from '../../customers/companies/external-ids/external-ids.service.ts';
import { readChangedCompany, recordCompany } from '../../identity/companies/companies.service.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { checkExternalId } from '../../platform/http/company-ids/company-id.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import type { RecoveryCase } from '../marks/cases.ts';
import { selectCompanyOfCase } from './lost-companies.worker.queries.ts';

/*
 * A company that the database has lost is the one that has its external id by now. If nobody has it, the company is made again with its
 * UUID: as a journal has it, or only with its ids where a gateway's object alone names it.
 */

type Dependencies = { db: Db; handover: IdHandover };

/** Finds the company that gets what a case is about, and makes a lost one again if its entry in a journal does not. @returns its UUID */
export async function findCompanyOf({ db, handover }: Dependencies, found: RecoveryCase): Promise<string> {
  const { companyId: id, kind } = found;
  if (id === OPERATOR_SCOPE) return id;
  return transactionWhileHeld(db, async (tx) => {
    const { isHere, movedTo, externalId } = await readCompany(tx, found);
    if (isHere) return id;
    if (movedTo !== null) return movedTo;
    if (externalId === null) return id;
    const [same] = await selectCompaniesByExternalIds(tx, [externalId]);
    if (same !== undefined) return same.companyId;
    return kind === 'company' ? id : makeAgain(tx, handover, { id, externalId, document: null });
  });
}

/** Makes the company of a journal's entry again, unless it is here, or another one is the same. @throws ApiError service_unavailable */
export async function restoreLostCompany(
  tx: Tx,
  handover: IdHandover,
  { companyId, subject: id }: { companyId: string; subject: string },
): Promise<Restored> {
  const { isHere, ...lost } = await readCompany(tx, { companyId: id, companyExternalId: null });
  if (isHere || companyId !== id) return PRESENT;
  const now = await makeAgain(tx, handover, { ...lost, id });
  if (now === id) return RESTORED;
  throw new ApiError('service_unavailable', 'Another company has got the external id meanwhile.', {
    retryAfterSeconds: 1,
  });
}

async function makeAgain(tx: Tx, handover: IdHandover, lost: Parameters<typeof restoreCompany>[1]): Promise<string> {
  const { id, isNew } = await restoreCompany(tx, lost, handover);
  if (!isNew) return id;
  const company = await readChangedCompany(tx, id);
  await recordCompany(tx, company, 'company.created');
  await recordCompanyMark(tx, company);
  return id;
}

/** What a fault of the disk, or somebody at the gateway, has changed need not be an external id any more. */
async function readCompany(tx: Tx, found: Parameters<typeof selectCompanyOfCase>[1]) {
  const company = await selectCompanyOfCase(tx, found);
  const { externalId } = company;
  return {
    ...company,
    externalId: externalId !== null && checkExternalId(externalId).length === 0 ? externalId : null,
  };
}
