import { isDeepStrictEqual } from 'node:util';
import { type NewAuditEntry, recordAudits } from '../../audit/audit.service.ts';
import {
  changeBillingInformation,
  correctBillingInformation,
  readBillingInformation,
} from '../../billing/billing-information/billing-information.service.ts';
import { createAddress } from '../../customers/addresses/addresses.service.ts';
import {
  type CompanyWithFields,
  changeCompanyFields,
  createCompanyWith,
  type IdHandover,
  lockCompanyToChange,
  lockOrCreateCompany,
  type NewCompany,
} from '../../customers/companies/companies.fields.service.ts';
import { recordCompanyMark } from '../../customers/companies/companies.journaled.service.ts';
import {
  changeBillingSettings,
  type IsCurrencyInUse,
  readBillingSettings,
} from '../../customers/companies/companies.service.ts';
import type { Company } from '../../identity/companies/companies.schema.ts';
import { type RecheckCompany, readChangedCompany, recordCompany } from '../../identity/companies/companies.service.ts';
import { endSessionsOfCompany } from '../../identity/customer-sessions/customer-sessions.service.ts';
import type { AuditAction } from '../../platform/audit-actions.ts';
import { afterCommit, sideBySide, type Tx } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import { checkExternalId, namesExternalId, readCompanyId } from '../../platform/http/company-ids/company-id.ts';
import type { ExternalIds } from '../../platform/http/company-ids/external-ids.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import type { CompanyCreateBody, CompanyUpdateBody } from './companies.schema.ts';

/** Who changes a company, and what has to hear of it. */
export type Change = {
  actor: Actor;
  externalIds: ExternalIds;
  handover: IdHandover;
  recheck: RecheckCompany;
  isCurrencyInUse: IsCurrencyInUse;
};

/** Creates a company with all that the body has of it. @throws ApiError 400, external_id_taken, and what its parts are refused with */
export async function createCompany(
  tx: Tx,
  { billingInformation, billingSettings, addresses = [], ...fields }: CompanyCreateBody,
  change: Change,
): Promise<Company> {
  const company = await createCompanyWith(tx, withoutUndefined(fields), change.handover);
  return completeNew(tx, company, { billingInformation, billingSettings, addresses }, change);
}

type Put = { company: Company; isNew: boolean };

/**
 * Changes a company, or creates one where the path names an external id that nobody has. Absent fields keep their values.
 * @param named - the id as the path has it
 * @throws ApiError 400, not_found, external_id_taken, and what its parts are refused with
 */
export async function putCompany(tx: Tx, named: string, body: CompanyUpdateBody, change: Change): Promise<Put> {
  const company = readCompanyId(named);
  if (company !== null && 'id' in company) {
    const known = await lockCompanyToChange(tx, company.id);
    return { company: await changeCompany(tx, known, body, change), isNew: false };
  }
  if (!namesExternalId(named)) throw notFound('company');
  if (company === null) throw invalidField('externalId', problemOf(named));
  const { externalId } = company;
  if (body.externalId !== undefined && body.externalId !== externalId) {
    throw invalidField('externalId', 'must be that of the path, or absent: it changes at the path of the UUID');
  }
  const { billingInformation, billingSettings, ...fields } = body;
  const found = await lockOrCreateCompany(tx, externalId, withoutUndefined(fields), change.handover);
  if (!found.isNew) return { company: await changeCompany(tx, found.company, body, change), isNew: false };
  const parts = { billingInformation, billingSettings, addresses: [] };
  return { company: await completeNew(tx, found.company, parts, change), isNew: true };
}

function problemOf(named: string): string {
  const [problem = 'is not valid'] = checkExternalId(named.slice(named.indexOf(':') + 1).trim());
  return problem;
}

/** Records only what is no longer as it was. */
async function changeCompany(
  tx: Tx,
  before: CompanyWithFields,
  { billingInformation, billingSettings, ...fields }: CompanyUpdateBody,
  change: Change,
): Promise<Company> {
  const { actor, recheck } = change;
  const { id: companyId } = before;
  // What follows the change of an external id or of settings is not read together with them.
  const isReadAtOnce = fields.externalId === undefined && billingSettings === undefined;
  const [changed, ofInformation, early] = await sideBySide([
    changeCompanyFields(tx, before, withoutUndefined(fields), change),
    billingInformation === undefined ? null : changeInformation(tx, companyId, billingInformation),
    isReadAtOnce ? readChangedCompany(tx, companyId) : null,
  ]);
  // Settings show what follows from both.
  const ofSettings =
    billingSettings === undefined ? null : await changeSettings(tx, companyId, billingSettings, change);
  const entries: NewAuditEntry[] = [];
  if (changed !== null) entries.push(describe('company.updated', companyId, actor, changed));
  if (ofInformation !== null) entries.push(describe('billing_information.updated', companyId, actor, ofInformation));
  if (ofSettings !== null) entries.push(describe('billing_settings.updated', companyId, actor, ofSettings));
  const company = early ?? (await readChangedCompany(tx, companyId));
  await sideBySide([
    entries.length === 0 ? undefined : recordCompanyMark(tx, company),
    changed === null ? undefined : recordCompany(tx, company, 'company.updated'),
    entries.length === 0 ? undefined : recordAudits(tx, companyId, entries),
  ]);
  if (changed === null) return company;
  if (changed.after.disabled === true) await endSessionsOfCompany(tx, companyId);
  if (changed.before.disabled !== changed.after.disabled) afterCommit(tx, async () => recheck(companyId));
  return company;
}

type Difference = { before: object; after: object };
type Parts = { [Part in 'billingInformation' | 'billingSettings']: CompanyUpdateBody[Part] | undefined };

async function changeInformation(
  tx: Tx,
  companyId: string,
  body: NonNullable<Parts['billingInformation']>,
): Promise<Difference | null> {
  const before = JSON.parse(await readBillingInformation(tx, companyId)) as Record<string, unknown>;
  if (Object.entries(body).every(([field, value]) => before[field] === value)) return null;
  const after = await inPart('billingInformation', () => correctBillingInformation(tx, companyId, body));
  return { before, after: JSON.parse(after) as object };
}

async function changeSettings(
  tx: Tx,
  companyId: string,
  body: NonNullable<Parts['billingSettings']>,
  { isCurrencyInUse }: Change,
): Promise<Difference | null> {
  const before: Record<string, unknown> = await readBillingSettings(tx, companyId);
  if (Object.entries(body).every(([field, value]) => isDeepStrictEqual(before[field], value))) return null;
  const after = await inPart('billingSettings', () => changeBillingSettings(tx, companyId, body, isCurrencyInUse));
  return JSON.stringify(before) === JSON.stringify(after) ? null : { before, after };
}

/** A field that a part refuses is named with the part. */
async function inPart<T>(part: string, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    const details = error.details.map(({ field, message }) => ({ field: `${part}.${field}`, message }));
    throw new ApiError('invalid_request', `${part}.${error.message}`, { details });
  });
}

/** Gives a new company its parts, and records it. */
async function completeNew(
  tx: Tx,
  made: NewCompany,
  {
    billingInformation,
    billingSettings,
    addresses,
  }: Parts & { addresses: NonNullable<CompanyCreateBody['addresses']> },
  { actor, isCurrencyInUse }: Change,
): Promise<Company> {
  const { id: companyId } = made;
  if (billingSettings !== undefined)
    await inPart('billingSettings', () => changeBillingSettings(tx, companyId, billingSettings, isCurrencyInUse));
  for (const address of addresses) await createAddress(tx, companyId, address);
  const company = billingSettings === undefined ? made : await readChangedCompany(tx, companyId);
  const created = describe('company.created', companyId, actor, { before: {}, after: company });
  await sideBySide([
    recordCompany(tx, company, 'company.created'),
    billingInformation === undefined
      ? undefined
      : inPart('billingInformation', () => changeBillingInformation(tx, companyId, billingInformation)),
    // Its document has the billing information, and is read after that.
    recordCompanyMark(tx, company),
    recordAudits(tx, companyId, [created]),
  ]);
  return company;
}

/** What the log of a company does not have: the metadata, which its members do not see, and what is no change of its own. */
const NOT_LOGGED: ReadonlySet<string> = new Set(['metadata', 'id', 'companyId', 'createdAt', 'updatedAt']);

function describe(action: AuditAction, companyId: string, actor: Actor, { before, after }: Difference): NewAuditEntry {
  const [kind = ''] = action.split('.');
  const names = Object.keys({ ...before, ...after }).filter((name) => !NOT_LOGGED.has(name));
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const changed = names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]));
  const of = (thing: Record<string, unknown>) =>
    Object.fromEntries(changed.flatMap((name) => (name in thing ? [[name, thing[name]]] : [])));
  const name = kind === 'company' ? String(now.name ?? '') : '';
  const changes = changed.length === 0 ? null : { before: of(old), after: of(now) };
  return { audience: 'company', actor, action, target: { kind, id: companyId, name }, changes };
}

function withoutUndefined<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}
