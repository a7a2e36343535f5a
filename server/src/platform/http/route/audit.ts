import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuditAction } from '../../audit-actions.ts';
import type { Queryable } from '../../database/database.ts';
import type { Audience } from '../../operator-scope.ts';
import { type Actor, actorOf } from './actor.ts';

type Fields = Record<string, unknown>;

/** What a route's change is in the audit log. `Context` is what the route's handler gets. */
export type RouteAudit<Context> =
  | {
      /** `operator`: no company's log has it, whichever company it is about. */
      audience: Audience;
      /** The thing and a participle: `card.updated`. The target is of that kind. */
      action: AuditAction;
      /** The same where `before` finds nothing: an update of what is not there yet creates it. */
      actionOfNew?: AuditAction;
      /** Reads what is about to be changed, with its company's id where the path and the caller do not have it. */
      before?: (context: Context, tx: Queryable) => Promise<object | string | null>;
      /** How people know it; its `name` or `number` by default. */
      name?: (thing: Fields) => unknown;
      /** The fields that the log keeps of it; all by default. */
      fields?: readonly string[];
    }
  /** The service records it, because the change is not one transaction, or more than one thing. */
  | { recordedBy: 'service' }
  /** It is not recorded, and why. */
  | { unrecorded: string };

/** The same for any context. */
export type AnyRouteAudit = RouteAudit<never>;

/** Records an entry in the transaction of its change. Without a company, or for the operator alone, it is the operator's. */
export type RecordAudit = (tx: Queryable, companyId: string | null, entry: RouteEntry) => Promise<void>;

type RouteEntry = {
  audience: Audience;
  actor: Actor;
  action: AuditAction;
  target: { kind: string; id: string | null; name: string };
  changes: { before: Fields; after: Fields } | null;
};

type AuditedContext = {
  request: FastifyRequest;
  reply: FastifyReply;
  ids: Record<string, string>;
  body: unknown;
  companyId?: string;
};

/** Not changes of their own. */
const NOT_CHANGES: ReadonlySet<string> = new Set(['id', 'companyId', 'createdAt', 'updatedAt']);

/** Runs a route's change and records it in the same transaction. */
export async function recordChange<Context extends AuditedContext, Result>(
  record: RecordAudit,
  audit: RouteAudit<Context> | undefined,
  { context, tx, work }: { context: Context; tx: Queryable; work: () => Promise<Result> },
): Promise<Result> {
  if (audit === undefined || !('action' in audit)) return work();
  const before = toFields(await audit.before?.(context, tx));
  const result = await work();
  // A create that answers 200 has found what an earlier request created.
  const isFound =
    context.request.method === 'POST' && audit.action.endsWith('.created') && context.reply.statusCode === 200;
  if (isFound) return result;
  const after = toFields(result);
  const thing = { ...before, ...after };
  const companyId = context.companyId ?? context.ids.company_id ?? thing.companyId ?? toFields(context.body)?.companyId;
  const action = before === null ? (audit.actionOfNew ?? audit.action) : audit.action;
  const [kind = ''] = action.split('.');
  const name = audit.name === undefined ? (thing.name ?? thing.number) : audit.name(thing);
  const id = thing.id ?? Object.values(context.ids).at(-1) ?? null;
  await record(tx, typeof companyId === 'string' ? companyId : null, {
    audience: audit.audience,
    actor: actorOf(context.request),
    action,
    target: { kind, id: id === null ? null : String(id), name: String(name ?? '') },
    changes: compare(pick(before, audit.fields), pick(after, audit.fields)),
  });
  return result;
}

/** An object, or the one in a JSON text. */
function toFields(value: unknown): Fields | null {
  const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  return typeof parsed === 'object' && parsed !== null ? (parsed as Fields) : null;
}

function pick(thing: Fields | null, fields: readonly string[] | undefined): Fields | null {
  if (thing === null) return null;
  const isKept = (name: string) => (fields === undefined ? !NOT_CHANGES.has(name) : fields.includes(name));
  return Object.fromEntries(Object.entries(thing).filter(([name]) => isKept(name)));
}

/** The fields that are not the same, before and after; null when there are none. */
function compare(before: Fields | null, after: Fields | null): { before: Fields; after: Fields } | null {
  const names = Object.keys({ ...before, ...after });
  const isChanged = (name: string) =>
    before === null || after === null || JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const changed = names.filter(isChanged);
  if (changed.length === 0) return null;
  const of = (thing: Fields | null) =>
    Object.fromEntries(changed.flatMap((name) => (thing !== null && name in thing ? [[name, thing[name]]] : [])));
  return { before: of(before), after: of(after) };
}
