import type { TSchema, TString } from 'typebox';
import type { Queryable } from '../platform/database/database.ts';
import type { CompanyName } from '../platform/database/name-parts.ts';
import { invalidField } from '../platform/errors.ts';
import type { ExternalIds } from '../platform/http/company-ids/external-ids.ts';
import { writeCsvLines } from '../platform/http/schema/csv.ts';
import { parseEnd, parseStart } from '../platform/http/schema/instants.ts';
import { afterData, beforeData, type JsonParts } from '../platform/http/schema/json.ts';
import { OPERATOR_SCOPE } from '../platform/operator-scope.ts';
import { chainAll, chainCompany } from './audit.chain.ts';
import { type AuditEntry, readEntry } from './audit.entry.ts';
import {
  countAllEntriesOfAll,
  countEntriesOfAll,
  selectCompanyNames,
  selectEntriesOfAll,
} from './audit.operator.queries.ts';
import type { AuditRow, Filter } from './audit.parts.queries.ts';
import { countAllEntries, countEntries, selectEntries } from './audit.queries.ts';
import type {
  AuditEntryList,
  AuditFileQuery,
  AuditQuery,
  OperatorAuditEntryList,
  OperatorAuditFileQuery,
  OperatorAuditQuery,
} from './audit.schema.ts';

const ROWS_AT_ONCE = 100;

type Range = { limit: number; offset: number };

/** A log to read: a company's, or all of them. */
type Log = {
  chain: () => Promise<void>;
  count: (filter: Filter) => Promise<number>;
  countAll: () => Promise<number>;
  select: (filter: Filter, range: Range) => Promise<AuditRow[]>;
};

/** A page of a company's log, newest first. @throws ApiError 400 */
export async function listCompanyLog(
  db: Queryable,
  companyId: string,
  { page, per_page: perPage, ...query }: AuditQuery,
): Promise<JsonParts<typeof AuditEntryList>> {
  const log = logOfCompany(db, companyId);
  const [filter, range] = [readFilter(query), { limit: perPage, offset: (page - 1) * perPage }];
  const total = await startReading(log, filter);
  return writePage({ total, page, per_page: perPage }, readRows(log, filter, range, total), (rows) =>
    rows.map(toCompanyEntry),
  );
}

/** A page of the logs of all companies or of one, newest first. @throws ApiError 400 */
export async function listOperatorLog(
  db: Queryable,
  { page, perPage, companyId, ...query }: OperatorAuditQuery,
  companyName: CompanyName,
): Promise<JsonParts<typeof OperatorAuditEntryList>> {
  const log = companyId === undefined ? logOfAll(db) : logOfCompany(db, companyId);
  const [filter, range] = [readFilter(query), { limit: perPage, offset: (page - 1) * perPage }];
  const total = await startReading(log, filter);
  return writePage({ total, page, perPage }, readRows(log, filter, range, total), async (rows) => {
    const companyIds = new Set(rows.map((row) => row.companyId));
    const names = await selectCompanyNames(db, [...companyIds], companyName);
    return rows.map((row) => ({ ...toOperatorEntry(row), companyName: names.get(row.companyId) ?? null }));
  });
}

/** A company's log as a CSV file in parts, newest first. @throws ApiError 400 */
export async function writeCompanyFile(
  db: Queryable,
  companyId: string,
  query: AuditFileQuery,
): Promise<JsonParts<TString>> {
  const log = logOfCompany(db, companyId);
  const filter = readFilter(query);
  const total = await startReading(log, filter);
  return writeFile(readRows(log, filter, { limit: total, offset: 0 }, total), COMPANY_COLUMNS, toCompanyEntry);
}

/** The logs of all companies or of one as a CSV file in parts, newest first. @throws ApiError 400 */
export async function writeOperatorFile(
  db: Queryable,
  { companyId, ...query }: OperatorAuditFileQuery,
  externalIds: ExternalIds,
): Promise<JsonParts<TString>> {
  const log = companyId === undefined ? logOfAll(db) : logOfCompany(db, companyId);
  const filter = readFilter(query);
  const total = await startReading(log, filter);
  const rows = readRows(log, filter, { limit: total, offset: 0 }, total);
  return writeFile(rows, OPERATOR_COLUMNS, toOperatorEntry, externalIds);
}

function logOfCompany(db: Queryable, companyId: string): Log {
  return {
    chain: () => chainCompany(db, companyId),
    count: (filter) => countEntries(db, companyId, filter),
    countAll: () => countAllEntries(db, companyId),
    select: (filter, range) => selectEntries(db, companyId, filter, range),
  };
}

function logOfAll(db: Queryable): Log {
  return {
    chain: () => chainAll(db),
    count: (filter) => countEntriesOfAll(db, filter),
    countAll: () => countAllEntriesOfAll(db),
    select: (filter, range) => selectEntriesOfAll(db, filter, range),
  };
}

/** Chains what is committed, so that every entry has its hash. @returns how many entries match */
async function startReading(log: Log, filter: Filter): Promise<number> {
  await log.chain();
  return Object.values(filter).every((value) => value === null) ? log.countAll() : log.count(filter);
}

/** The rows of a range, some at a time: after the first ones, by the id of the last one read. */
async function* readRows(log: Log, filter: Filter, { limit, offset }: Range, total: number) {
  let left = Math.min(limit, total - offset);
  let [from, skipped] = [filter, offset];
  while (left > 0) {
    const rows = await log.select(from, { limit: Math.min(left, ROWS_AT_ONCE), offset: skipped });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    left -= rows.length;
    [from, skipped] = [{ ...filter, toId: last.id }, 0];
  }
}

type Rows = ReturnType<typeof readRows>;

async function* writePage<Schema extends TSchema>(
  head: object,
  batches: Rows,
  toAnswers: (rows: readonly AuditRow[]) => readonly object[] | Promise<readonly object[]>,
): JsonParts<Schema> {
  let separator = `${beforeData(head)}[`;
  for await (const rows of batches) {
    yield `${separator}${(await toAnswers(rows)).map((answer) => JSON.stringify(answer)).join()}`;
    separator = ',';
  }
  yield `${separator === ',' ? '' : separator}]${afterData(head)}`;
}

const COMPANY_COLUMNS = [
  ...['sequence', 'id', 'at', 'actor_kind', 'actor_id', 'actor_name', 'actor_key', 'ip', 'user_agent'],
  ...['action', 'target_kind', 'target_id', 'target_name', 'changes', 'request_id', 'previous_hash', 'hash'],
];
const OPERATOR_COLUMNS = [
  ...[
    'companyId',
    'companyExternalId',
    'sequence',
    'id',
    'at',
    'actorKind',
    'actorId',
    'actorName',
    'actorKey',
    'ip',
    'userAgent',
    'action',
  ],
  ...['targetKind', 'targetId', 'targetName', 'changes', 'requestId', 'previousHash', 'hash'],
];

async function* writeFile(
  batches: Rows,
  columns: readonly string[],
  toAnswer: (row: AuditRow) => Entry,
  externalIds?: ExternalIds,
): JsonParts<TString> {
  let before = writeCsvLines([columns]);
  for await (const rows of batches) {
    const entries = rows.map(toAnswer);
    const companyIds = new Set(entries.flatMap(({ companyId }) => companyId ?? []));
    const known = await externalIds?.of([...companyIds]);
    const named = entries.map((entry) => ({ ...entry, companyExternalId: known?.get(entry.companyId ?? '') }));
    yield before + writeCsvLines(named.map((entry) => toCells(entry, columns)));
    before = '';
  }
  if (before !== '') yield before;
}

/** The cells of an entry. The column `actor_id` or `actorId` is the field `id` of `actor`. */
function toCells(entry: object, columns: readonly string[]): string[] {
  const { actor, target, changes, ...plain } = entry as Record<string, unknown>;
  const parts = { actor, target } as Record<string, Record<string, unknown> | null>;
  const values: Record<string, unknown> = {
    ...plain,
    ...actorOrigin(parts.actor),
    changes: changes && JSON.stringify(changes),
  };
  return columns.map((column) => {
    const [, part, field] = /^(actor|target)_?(kind|id|name|key)$/i.exec(column) ?? [];
    const value = part === undefined || field === undefined ? values[column] : parts[part]?.[field.toLowerCase()];
    return String(value ?? '');
  });
}

function actorOrigin(actor: Record<string, unknown> | null | undefined): Record<string, unknown> {
  const { kind: _kind, id: _id, name: _name, key: _key, ...origin } = actor ?? {};
  return origin;
}

/** Whose addresses a company does not see: they are the operator's. */
const OF_OPERATOR: readonly AuditEntry['actor']['kind'][] = ['operator_key', 'staff', 'command_line'];

function toCompanyEntry(row: AuditRow): Entry {
  const { id, at, actor, action, target, changes } = readEntry(row.content, row.persons);
  const origin = OF_OPERATOR.includes(actor.kind)
    ? { ip: null, user_agent: null }
    : { ip: actor.ip, user_agent: actor.userAgent };
  return {
    id,
    sequence: Number(row.sequence),
    at,
    actor: { kind: actor.kind, id: actor.id, name: actor.name, key: actor.key, ...origin },
    action,
    target,
    changes,
    request_id: actor.requestId,
    previous_hash: row.previousHash,
    hash: row.hash,
  };
}

/** An entry as it is answered; the operator's have a company. */
type Entry = { companyId?: string | null; [field: string]: unknown };

function toOperatorEntry(row: AuditRow): Entry {
  const { id, companyId, at, actor, action, target, changes } = readEntry(row.content, row.persons);
  const { requestId, kind, id: actorId, name, key, ip, userAgent } = actor;
  return {
    id,
    companyId: companyId === OPERATOR_SCOPE ? null : companyId,
    sequence: Number(row.sequence),
    at,
    actor: { kind, id: actorId, name, key, ip, userAgent },
    action,
    target,
    changes,
    requestId,
    previousHash: row.previousHash,
    hash: row.hash,
  };
}

type FilterQuery = Omit<AuditFileQuery & OperatorAuditFileQuery, 'companyId'>;

function readFilter({ action, actor, target, requestId, request_id: ofCompany, from, to }: FilterQuery): Filter {
  const fromId = firstIdAt(parseStart(from));
  const toId = firstIdAt(parseEnd(to));
  if (fromId !== null && toId !== null && fromId > toId) throw invalidField('from', 'must not be after to');
  return {
    action: action ?? null,
    actor: actor ?? null,
    target: target ?? null,
    requestId: requestId ?? ofCompany ?? null,
    fromId,
    toId,
  };
}

/** The least UUID of version 7 of an instant: ids begin with their time in milliseconds. */
function firstIdAt(instant: Date | null): string | null {
  if (instant === null) return null;
  const ms = Math.max(0, instant.getTime());
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}
