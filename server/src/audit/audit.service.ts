import type { Part, Queryable, Tx } from '../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../platform/operator-scope.ts';
import { chainCompany } from './audit.chain.ts';
import { type NewAuditEntry, writeEntry } from './audit.entry.ts';
import { forgetInEntries, insertEntries, insertingEntry } from './audit.queries.ts';

export type { NewAuditEntry } from './audit.entry.ts';

/**
 * Records an entry of the audit log. Call it in the transaction of the change, so that the entry exists exactly when the change does.
 * @param companyId - whose log it is in; null for what concerns no company, which only the operator reads
 */
export async function recordAudit(tx: Queryable, companyId: string | null, entry: NewAuditEntry): Promise<void> {
  await auditPart(tx, companyId, entry);
}

/** Records several, in one statement. */
export async function recordAudits(
  tx: Queryable,
  companyId: string | null,
  entries: readonly NewAuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const owner = companyId ?? OPERATOR_SCOPE;
  await insertEntries(
    tx,
    owner,
    entries.map((entry) => writeEntry(owner, entry)),
  );
}

/** The same as a part of the statement that makes the change: `WITH audited AS (<this>) …`. */
export function auditPart(db: Queryable, companyId: string | null, entry: NewAuditEntry): Part {
  const owner = companyId ?? OPERATOR_SCOPE;
  return insertingEntry(db, owner, writeEntry(owner, entry));
}

/**
 * Empties the names and e-mails of a person in a company's log (null: in the log of what concerns no company). The ids stay, and the chain
 * verifies. Entries that other transactions are about to commit are not reached: end the person's sessions before.
 */
export async function forgetPerson(
  tx: Tx,
  companyId: string | null,
  person: { userId: string; email: string },
): Promise<void> {
  const owner = companyId ?? OPERATOR_SCOPE;
  await chainCompany(tx, owner);
  await forgetInEntries(tx, owner, person);
}
