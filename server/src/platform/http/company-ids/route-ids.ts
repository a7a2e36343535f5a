import type { TSchema } from 'typebox';
import type { JsonParts } from '../schema/json.ts';
import { readPathIds } from '../schema/path-ids.ts';
import { isCompanyId } from './company-id.ts';
import type { ExternalIds } from './external-ids.ts';
import { type Places, placesOf } from './places.ts';
import { resolveCompanyIds, resolvePathIds } from './resolve-ids.ts';
import { placesOfCompanies, showExternalIds, showExternalIdsInParts } from './show.ts';

type Route = {
  url: string;
  resource?: string;
  keepsCompanyId?: true;
  query?: TSchema;
  body?: TSchema;
  response: Record<number, TSchema | null>;
};

/** The parts of a request in which a company can be named. */
export type Given = { ids: Record<string, string>; query: unknown; body: unknown };

/** What a route does with the ids of companies. */
export type RouteIds = {
  /** The request with UUIDs. @throws ApiError not_found for what is no id in the path */
  resolve: (externalIds: ExternalIds, given: Given) => Promise<Given>;
  /** Where answers with this status have the id of a company that gets its external id beside it; null when nowhere. */
  placesIn: (status: number) => Places | null;
};

/** Under `/operator` a company is named by its UUID or its external id, and answers have both. Elsewhere there are UUIDs alone. */
export function idsOfRoute({ url, resource, keepsCompanyId, query, body, response }: Route): RouteIds {
  if (!url.startsWith('/operator')) {
    return {
      resolve: async (_externalIds, given) => ({ ...given, ids: readPathIds(given.ids, resource) }),
      placesIn: () => null,
    };
  }
  const placesOfIds = (schema: TSchema | undefined) =>
    schema === undefined ? null : placesOf(schema, (_name, field) => isCompanyId(field));
  const [inQuery, inBody] = [placesOfIds(query), placesOfIds(body)];
  const inAnswers = new Map<number, Places | null>();
  return {
    resolve: async (externalIds, given) => ({
      ids: keepsCompanyId ? given.ids : await resolvePathIds(externalIds, given.ids, resource),
      query: await resolveCompanyIds(externalIds, inQuery, given.query),
      body: await resolveCompanyIds(externalIds, inBody, given.body),
    }),
    placesIn: (status) => {
      const schema = response[status];
      if (!inAnswers.has(status)) inAnswers.set(status, schema ? placesOfCompanies(schema) : null);
      return inAnswers.get(status) ?? null;
    },
  };
}

/** An answer as JSON text, whole or in parts, with the external ids of its companies. */
export async function withExternalIds<Answer extends string | JsonParts<TSchema>>(
  externalIds: ExternalIds,
  places: Places,
  answer: Answer,
): Promise<string | JsonParts<TSchema>> {
  if (typeof answer !== 'string') return showExternalIdsInParts(externalIds, places, answer);
  const [shown = ''] = await showExternalIds(externalIds, places, [answer]);
  return shown;
}
