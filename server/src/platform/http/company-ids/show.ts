import type { TSchema } from 'typebox';
import { validate as isUuid } from 'uuid';
import type { JsonParts } from '../schema/json.ts';
import type { ExternalIds } from './external-ids.ts';
import { type Places, placesOf } from './places.ts';

/** Where values of a schema have the id of a company; null when nowhere. */
export function placesOfCompanies(schema: TSchema): Places | null {
  return placesOf(schema, (name) => name === 'companyId');
}

/** JSON texts, each of one value, with `companyExternalId` beside each `companyId` in these places. Asks once for all of them. */
export async function showExternalIds(
  externalIds: Pick<ExternalIds, 'of'>,
  places: Places,
  texts: readonly string[],
): Promise<string[]> {
  return addExternalIds(
    externalIds,
    texts.map((text) => ({ text, found: createScan(places)(text) })),
  );
}

/** The same for JSON text in parts, of which none begins or ends within a text, a number or a name. */
export async function* showExternalIdsInParts(
  externalIds: Pick<ExternalIds, 'of'>,
  places: Places,
  parts: JsonParts<TSchema>,
): JsonParts<TSchema> {
  const scan = createScan(places);
  for await (const text of parts) {
    const [shown = ''] = await addExternalIds(externalIds, [{ text, found: scan(text) }]);
    yield shown;
  }
}

/** The id of a company in a text, and where its value ends. Null where there is none, or what a gateway says is none. */
type Found = { companyId: string | null; end: number };

type Scanned = { text: string; found: readonly Found[] };

async function addExternalIds(externalIds: Pick<ExternalIds, 'of'>, all: readonly Scanned[]): Promise<string[]> {
  const companyIds = new Set(all.flatMap(({ found }) => found.flatMap(({ companyId }) => companyId ?? [])));
  const known = companyIds.size === 0 ? NONE : await externalIds.of([...companyIds]);
  return all.map((scanned) => insert(scanned, known));
}

const NONE: ReadonlyMap<string, string> = new Map();

function insert({ text, found }: Scanned, known: ReadonlyMap<string, string>): string {
  let shown = '';
  let start = 0;
  for (const { companyId, end } of found) {
    const externalId = (companyId === null ? null : known.get(companyId)) ?? null;
    shown += `${text.slice(start, end)},"companyExternalId":${JSON.stringify(externalId)}`;
    start = end;
  }
  return shown + text.slice(start);
}

/** A name with its colon, a text, or a bracket. */
const TOKENS = /"((?:[^"\\]+|\\.)*)"(\s*:)?|[[\]{}]/gs;
const TEXT_OR_NULL = /\s*(?:null|"((?:[^"\\]+|\\.)*)")/sy;

type Frame = { places: Places | null; isList: boolean };

/** Finds the ids of companies by reading JSON text from the beginning to the end, in one or several parts. */
function createScan(places: Places): (part: string) => Found[] {
  const frames: Frame[] = [];
  let next: Places | null = places;
  const open = (isList: boolean) => {
    const frame = frames.at(-1);
    frames.push({ places: frame?.isList ? (frame.places?.items ?? null) : next, isList });
  };
  return (part) => {
    const found: Found[] = [];
    for (const { 0: token, 1: name, 2: colon, index } of part.matchAll(TOKENS)) {
      if (token === '{' || token === '[') open(token === '[');
      else if (token === '}' || token === ']') frames.pop();
      else if (colon !== undefined) {
        next = frames.at(-1)?.places?.properties.get(name ?? '') ?? null;
        if (next?.isHere) found.push(...readId(part, index + token.length));
      }
    }
    return found;
  };
}

function readId(text: string, start: number): Found[] {
  TEXT_OR_NULL.lastIndex = start;
  const match = TEXT_OR_NULL.exec(text);
  const id = match?.[1] ?? '';
  return match === null ? [] : [{ companyId: isUuid(id) ? id : null, end: TEXT_OR_NULL.lastIndex }];
}
