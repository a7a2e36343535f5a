import { createHash, randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { AuditAction } from '../platform/audit-actions.ts';
import type { Actor } from '../platform/http/route/actor.ts';
import type { Audience } from '../platform/operator-scope.ts';

/** What was changed. The name of a person, and all changes of one, are emptied when the person's account is deleted. */
export type AuditTarget = {
  /** `card`, `invoice`, `user`. */
  kind: string;
  id: string | null;
  name: string;
};

/** The changed fields alone, by their names in the API. */
export type AuditChanges = { before: Record<string, unknown>; after: Record<string, unknown> };

/** What is recorded about a change. */
export type NewAuditEntry = {
  /** `operator`: no company's log has it, whichever company it is about. */
  audience: Audience;
  actor: Actor;
  action: AuditAction;
  target: AuditTarget | null;
  changes: AuditChanges | null;
};

/** An entry as its hash covers it, and the parts about persons that it covers by their digests. */
export type WrittenEntry = { id: string; content: string; persons: Record<string, string> };

/** The kinds of targets that are persons, or have names that tell of one. */
const PERSONS: ReadonlySet<string> = new Set(['user', 'member', 'staff', 'invitation', 'passkey', 'customer_session']);
const PERSONAL_ACTORS: ReadonlySet<Actor['kind']> = new Set(['user', 'staff', 'customer_session']);

const SECRETS = /secret|password|token|cvv|recovery_?code|^key$/i;
const MAX_VALUE_LENGTH = 4_000;

/** Writes an entry as it is stored. Fields that are secret by their names are left out, and very long values. */
export function writeEntry(
  companyId: string,
  { actor, action, target, changes }: Omit<NewAuditEntry, 'audience'>,
): WrittenEntry {
  const id = uuidv7();
  const { kind, id: actorId, name, key, ip, userAgent, requestId } = actor;
  const kept =
    changes === null ? null : { before: withoutSecrets(changes.before), after: withoutSecrets(changes.after) };
  const isPerson = target !== null && PERSONS.has(target.kind);
  const persons = {
    ...(PERSONAL_ACTORS.has(kind) ? { actor: salted({ name }) } : {}),
    ...(isPerson ? { target: salted({ name: target.name, changes: kept }) } : {}),
  };
  const content = {
    id,
    companyId,
    at: instantOf(id),
    actor: {
      kind,
      id: actorId,
      ...nameOrDigest(name, persons.actor),
      ...(key === undefined ? {} : { key }),
      ip,
      userAgent,
    },
    action,
    target: target && { kind: target.kind, id: target.id, ...nameOrDigest(target.name, persons.target) },
    changes: isPerson ? null : kept,
    requestId,
  };
  return { id, content: JSON.stringify(content), persons };
}

/** An entry without what is stored beside it, as `content` has it. */
type Content = {
  id: string;
  companyId: string;
  at: string;
  actor: Omit<Actor, 'name' | 'requestId'> & NameOrDigest;
  action: AuditAction;
  target: (Pick<AuditTarget, 'kind' | 'id'> & NameOrDigest) | null;
  changes: AuditChanges | null;
  requestId: string | null;
};
type NameOrDigest = { name?: string; digest?: string };

/** An entry as it is read back. What was emptied is an empty name, and no changes. */
export type AuditEntry = Omit<NewAuditEntry, 'audience'> & { id: string; companyId: string; at: string };

/** Reads a stored entry. */
export function readEntry(content: string, persons: Record<string, string>): AuditEntry {
  const { actor, target, changes, requestId, ...entry } = JSON.parse(content) as Content;
  const actorPart = readPart(persons.actor);
  const targetPart = readPart(persons.target);
  const { digest: _actorDigest, ...knownActor } = actor;
  return {
    ...entry,
    actor: { ...knownActor, name: actor.name ?? actorPart?.name ?? '', requestId },
    target: target && { kind: target.kind, id: target.id, name: target.name ?? targetPart?.name ?? '' },
    changes: changes ?? targetPart?.changes ?? null,
  };
}

/** The hash of an entry in its chain: SHA-256 over the hash before it, its number and its content, a line each. */
export function hashEntry(previousHash: string | null, sequence: string, content: string): string {
  return sha256(`${previousHash ?? ''}\n${sequence}\n${content}`);
}

/** Whether the parts about persons are those that the content has digests of. Emptied parts are right as well. */
export function arePersonsGenuine(content: string, persons: Record<string, string>): boolean {
  const { actor, target } = JSON.parse(content) as Content;
  const digests: Record<string, string | undefined> = { actor: actor.digest, target: target?.digest };
  return Object.entries(persons).every(([part, text]) => digests[part] === sha256(text));
}

function nameOrDigest(name: string, part: string | undefined): NameOrDigest {
  return part === undefined ? { name } : { digest: sha256(part) };
}

/** The salt keeps a digest from being compared with those of guessed names. */
function salted(part: object): string {
  return JSON.stringify({ salt: randomBytes(16).toString('base64url'), ...part });
}

function readPart(text: string | undefined): { name: string; changes?: AuditChanges | null } | undefined {
  return text === undefined ? undefined : JSON.parse(text);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The time in a UUID of version 7, so that entries sorted by id are sorted by time. */
function instantOf(id: string): string {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
}

function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(fields).filter(([name]) => !SECRETS.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutSecretsInside(value)]));
}

function withoutSecretsInside(value: unknown): unknown {
  const text = JSON.stringify(value, (name, item) => (SECRETS.test(name) ? undefined : item)) ?? 'null';
  return text.length > MAX_VALUE_LENGTH ? `(${text.length} characters)` : JSON.parse(text);
}
