import { notFound } from '../../errors.ts';
import { readPathIds, resourceOf } from '../schema/path-ids.ts';
import { COMPANY_ID_IN_PATH, NO_COMPANY, readCompanyId } from './company-id.ts';
import type { ExternalIds } from './external-ids.ts';
import type { Places } from './places.ts';

/**
 * The ids of a path of the operator, in which a company may be named by its external id.
 * @throws ApiError not_found for one that is no id
 */
export async function resolvePathIds(
  externalIds: ExternalIds,
  { [COMPANY_ID_IN_PATH]: given, ...others }: Record<string, string>,
  resource: string | undefined,
): Promise<Record<string, string>> {
  if (given === undefined) return readPathIds(others, resource);
  const isLast = Object.keys(others).length === 0;
  const named = readCompanyId(given);
  if (named === null) throw notFound(resourceOf(COMPANY_ID_IN_PATH, { isLast, resource }));
  const id = 'id' in named ? named.id : await findCompany(externalIds, named.externalId);
  return { [COMPANY_ID_IN_PATH]: id, ...readPathIds(others, resource) };
}

async function findCompany(externalIds: ExternalIds, externalId: string): Promise<string> {
  return (await externalIds.find([externalId])).get(externalId) ?? NO_COMPANY;
}

/** A query or body, which has been validated, with the UUIDs of the companies that it names by their external ids. */
export async function resolveCompanyIds<Value>(
  externalIds: ExternalIds,
  places: Places | null,
  value: Value,
): Promise<Value> {
  if (places === null) return value;
  const named = collect(places, value);
  return named.length === 0 ? value : (replace(places, value, await externalIds.find(named)) as Value);
}

/** The external ids in a value. */
function collect(places: Places, value: unknown): string[] {
  if (typeof value === 'string') return externalIdsIn(places, value);
  if (Array.isArray(value))
    return places.items === null ? [] : value.flatMap((item) => collect(places.items as Places, item));
  if (typeof value !== 'object' || value === null) return [];
  return [...places.properties].flatMap(([name, inside]) => collect(inside, (value as Record<string, unknown>)[name]));
}

function externalIdsIn({ isHere }: Places, text: string): string[] {
  const named = isHere ? readCompanyId(text) : null;
  return named !== null && 'externalId' in named ? [named.externalId] : [];
}

/** A copy with UUIDs: what the client sent stays as it is, for the hash of its idempotency key. */
function replace(places: Places, value: unknown, found: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    const [externalId] = externalIdsIn(places, value);
    return externalId === undefined ? value : (found.get(externalId) ?? NO_COMPANY);
  }
  if (Array.isArray(value)) {
    const { items } = places;
    return items === null ? value : value.map((item) => replace(items, item, found));
  }
  if (typeof value !== 'object' || value === null) return value;
  const given = value as Record<string, unknown>;
  const replaced = [...places.properties].flatMap(([name, inside]) =>
    name in given ? [[name, replace(inside, given[name], found)]] : [],
  );
  return { ...given, ...Object.fromEntries(replaced) };
}
