import { globSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Operation } from '../../src/platform/http/route/operation.ts';
import type { Access } from '../../src/platform/http/route/types.ts';
import { type Actor, saveAddress, signUpAdmin, signUpCustomer } from '../customers/actors.ts';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';
import type { Parameter } from './cases/query-values.ts';

/** Two separate companies, and a customer, who has no company. */
export type World = { service: TestService; admin: Actor; other: Actor; customer: Actor; addressId: string };

/** What a path id refers to: the table, and a function that creates a row for an actor. */
export type Named = {
  table: string;
  make: (service: TestService, actor: Actor) => Promise<string>;
  /** It is a name, which is no UUID. */
  isName?: true;
};

/** What the battery needs to know about a route, besides its method and path. */
export type BatteryCase = {
  /** Who may call it according to the contract. */
  access: Access;
  /** Returns a body that the route accepts. */
  body?: (world: World) => object;
  /**
   * For an update: new values for every field that the answer also has, each different from what `names` creates. The default is `body`.
   */
  update?: (world: World) => object;
  /** Fields that the world's admin can't change; they have tests of their own. */
  fixed?: string[];
  /** The body is signed by an outside sender, which also defines its fields. */
  isSigned?: boolean;
  /**
   * What it is refused with, although the body has the right shape: its code, token or challenge is not from the service, or the caller may
   * not do it; and whether the audit log gets that as a failed login.
   */
  refusal?: { status: number; code: string; isFailedLogin?: true };
  /** A query without which the route answers 400. */
  query?: string;
  /** Others add parameters of their own. */
  takesAnyQuery?: true;
  /** What the last id of the path refers to. */
  names?: Named;
  /** The ids of the path before the last one, matching what `names` creates for the world's admin. */
  within?: (world: World) => string[];
  /** Why an id that names nothing is not refused. */
  takesUnknownIds?: string;
  /** What each parameter of the query takes and refuses, beyond what all of its kind do. */
  parameters?: Record<string, Parameter>;
  /**
   * How many characters the texts of the body may have that may not have 255: free text has up to 2,000, and what machines make as many as
   * it needs.
   */
  longTexts?: Record<string, number>;
  /** How many rows there may be, on a route that answers 409 `limit_reached`; or the test that has it. */
  limit?: Limit | { testedIn: string };
  /** Makes what the request changes, beside what `names` creates. */
  prepare?: (world: World) => Promise<void>;
  /** Why the request changes nothing, although it is right: the audit log gets no entry. */
  changesNothing?: string;
  /** Why an update can't be read back. */
  notReadBack?: string;
  /** With what the API reference's own request is refused, since it has the examples of the fields. */
  sampleRefusal?: RegExp;
};

/** How many rows an owner may have in a table. */
export type Limit = {
  table: string;
  most: number;
  /** The values of columns that must differ between rows, as SQL. */
  own?: Record<string, string>;
  /** Whose rows they are, if not the company's: the operator's, in a table with companies or in one without. */
  owner?: 'operator' | 'nobody';
};

/** The cases of a feature's routes, by method and path: `POST /labels`. They stand beside the routes, in `*.test-cases.ts`. */
export type RouteCases = Record<string, BatteryCase>;

/** Routes that take no token and no body. */
export const OUTSIDE_THE_BATTERY = /^\/(healthz|readyz|metrics|openapi\.json|docs|\.well-known)(\/|$)/;

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

/** The cases of all features. @throws Error when a file has none, or when a route has two */
async function loadCases(): Promise<RouteCases> {
  const all: RouteCases = {};
  for (const path of globSync('**/*.test-cases.ts', { cwd: SOURCES }).sort()) {
    const { CASES } = (await import(pathToFileURL(SOURCES + path).href)) as { CASES?: RouteCases };
    if (CASES === undefined) throw new Error(`server/src/${path} exports no CASES`);
    for (const [route, entry] of Object.entries(CASES)) {
      if (route in all) throw new Error(`server/src/${path} has a second case of ${route}`);
      all[route] = entry;
    }
  }
  return all;
}

/** Every route with its case, from the `*.test-cases.ts` beside the routes. */
export const BATTERY: RouteCases = await loadCases();

/** Signs up the companies and the customer that the battery needs. */
export async function prepareWorld(service: TestService): Promise<World> {
  const [admin, other, customer] = await Promise.all([
    signUpAdmin(service),
    signUpAdmin(service),
    signUpCustomer(service),
  ]);
  return { service, admin, other, customer, addressId: await saveAddress(service, admin) };
}

/** Splits a route as the battery writes it into method and path. */
export function splitRoute(route: string): { method: string; url: string } {
  const [method = '', url = ''] = route.split(' ');
  return { method, url };
}

/** Fills in the ids of a route's path, in order. Missing ids are random. */
export function fillPath(url: string, ...ids: (string | undefined)[]): string {
  const given = ids.values();
  return url.replace(/:\w+/g, () => given.next().value ?? crypto.randomUUID());
}

/** Creates what the path names, for the world's admin. @returns the ids of the path, in order */
export async function makePathIds(
  { service, admin, ...world }: World,
  { names, within }: BatteryCase,
): Promise<string[]> {
  const last = await names?.make(service, admin);
  return [...(within?.({ service, admin, ...world }) ?? []), ...(last === undefined ? [] : [last])];
}

/** The credential with which a route can be called; undefined for a public route. */
export function credentialFor({ service, admin }: World, { access }: BatteryCase): string | undefined {
  if (access === 'public') return undefined;
  return access === 'operator' ? service.operatorKey : admin.token;
}

/** The operation of a route of the battery. */
export function operationOf({ service }: World, route: string): Operation {
  const { method, url } = splitRoute(route);
  const operation = service.operations.find((one) => one.method === method && one.url === url);
  if (operation === undefined) throw new Error(`There is no operation ${route}`);
  return operation;
}

/** The routes of the battery that satisfy a condition, for `describe.each` and `test.each`. */
export function routesWhere(condition: (entry: BatteryCase, method: string) => boolean): [string, BatteryCase][] {
  return Object.entries(BATTERY).filter(([route, entry]) => condition(entry, splitRoute(route).method));
}

/**
 * Fails the test unless the answer is an error with this status and code, in the standard shape and with its request
 * id.
 */
export function expectRefusal(answer: Answer, status: number, code: string): void {
  const { error } = answer.body ?? {};
  const problems = [
    ...(answer.status === status && error?.code === code ? [] : [`expected ${status} ${code}`]),
    ...(error?.requestId === answer.headers.get('x-request-id') ? [] : ['the request id is not that of the header']),
    ...(status !== 401 || answer.headers.get('www-authenticate') === 'Bearer' ? [] : ['WWW-Authenticate is missing']),
  ];
  if (problems.length > 0)
    throw new Error(`${problems.join(', ')}, but the answer was ${answer.status}: ${answer.text}${logOf(answer)}`);
}

/** The answer, unless it is a 500. @throws Error with what the service logged about the request */
export function refuseFailure(route: string, answer: Answer): Answer {
  if (answer.status === 500) throw new Error(`${route} answered 500: ${answer.text}${logOf(answer)}`);
  return answer;
}

const logOf = ({ log }: Answer): string => (log ? `\nlogged:\n${log}` : '');
