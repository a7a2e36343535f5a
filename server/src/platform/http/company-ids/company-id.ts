import type { TString } from 'typebox';
import { validate as isUuid, MAX } from 'uuid';
import { holdsCardNumber } from '../../logging/card-numbers.ts';
import { uuid } from '../schema/fields.ts';
import { documentedRule, UUID } from '../schema/text-rules.ts';
import { Type } from '../schema/type.ts';
import { text } from '../schema/validation.ts';

const PREFIX = 'external:';
const MAX_EXTERNAL_ID_CHARACTERS = 255;
const MAX_COMPANY_ID_CHARACTERS = PREFIX.length + MAX_EXTERNAL_ID_CHARACTERS;

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
const SAID = `[^\\s${CONTROL}]`;
const EXTERNAL_ID_PATTERN = `${SAID}(?:[^${CONTROL}]*${SAID})?`;
/** The form of a company's id, where it stands alone. */
export const COMPANY_ID_PATTERN = `${UUID}|${PREFIX}\\s*${EXTERNAL_ID_PATTERN}\\s*`;

/** The name of a company's id in the paths of the operator. */
export const COMPANY_ID_IN_PATH = 'company_id';

/** The id of no company: what an external id that nobody has stands for. */
export const NO_COMPANY: string = MAX;

/** How the operator names a company: by its UUID, or by the id that the operator's own product has for it. */
export type CompanyId = { id: string } | { externalId: string };

/** Whether the operator means an external id, be it one or not. */
export function namesExternalId(given: string): boolean {
  return given.startsWith(PREFIX);
}

/** Reads a company's id, a UUID or `external:` and an external id, from a decoded path, a query or a body. Null when it is neither. */
export function readCompanyId(given: string): CompanyId | null {
  if (!given.startsWith(PREFIX)) return isUuid(given) ? { id: given.toLowerCase() } : null;
  const externalId = given.slice(PREFIX.length).trim();
  return checkExternalId(externalId).length === 0 ? { externalId } : null;
}

/** The rule for an external id: trimmed, 1 to 255 code points, no control characters, no card number. Nothing is normalized. */
export const checkExternalId = documentedRule({ pattern: EXTERNAL_ID_PATTERN }, (externalId) => {
  if (externalId === '') return ['must not be empty'];
  if (/\p{Cc}/u.test(externalId)) return ['must not contain control characters'];
  if (countCharacters(externalId) > MAX_EXTERNAL_ID_CHARACTERS)
    return [`must have at most ${MAX_EXTERNAL_ID_CHARACTERS} characters`];
  return holdsCardNumber(externalId) ? ['must not contain a card number'] : [];
});

function countCharacters(value: string): number {
  return value.length > MAX_EXTERNAL_ID_CHARACTERS ? [...value].length : value.length;
}

/** The rule for a company's id in a query, a body or an event. */
const checkCompanyId = documentedRule({ pattern: COMPANY_ID_PATTERN }, (given) =>
  readCompanyId(given) === null ? ['must be the id of a company'] : [],
);

function checkCompanyIdOr(word: string) {
  return documentedRule({ pattern: `${word}|${COMPANY_ID_PATTERN}` }, (given) =>
    given === word || readCompanyId(given) !== null ? [] : [`must be a company's id, or ${word}`],
  );
}

/** With `otherwise`, a word that stands for no company is taken too. */
type Documentation = { description: string; examples?: string[]; otherwise?: string };

const EXAMPLE_ID = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40';
const ID_FORMS = 'A UUID, or `external:` followed by the external id.';

/** A company's id as a handler gets it: as the client has sent it, trimmed. */
export function companyIdAsSent({ description, examples = [EXAMPLE_ID], otherwise }: Documentation): TString {
  return text({
    required: true,
    max: MAX_COMPANY_ID_CHARACTERS,
    cardNumbers: 'allowed',
    rule: otherwise === undefined ? checkCompanyId : checkCompanyIdOr(otherwise),
    description: `${description} ${ID_FORMS}`,
    examples,
  });
}

/** A company's id in a query or a body of the operator. Handlers get the UUID, `NO_COMPANY` for an external id that nobody has. */
export function companyIdText(documentation: Documentation): TString {
  return { ...companyIdAsSent(documentation), ...IS_COMPANY_ID };
}

/** The same, or null. */
export function companyIdOrNull({ description, examples }: { description: string; examples: null[] }) {
  const rules = companyIdText({ description });
  return Type.Unsafe<string | null>({ ...rules, type: ['string', 'null'], examples });
}

/** An external id in a body, or null: trimmed, then as `checkExternalId` says. */
export function externalIdOrNull(description: string) {
  const rules = externalIdText(description);
  return Type.Unsafe<string | null>({ ...rules, type: ['string', 'null'] });
}

/** An external id in a query. */
export function externalIdText(description: string): TString {
  return text({
    max: MAX_EXTERNAL_ID_CHARACTERS,
    cardNumbers: 'allowed',
    rule: checkExternalId,
    description,
    examples: ['acme'],
  });
}

/** Marks a field whose value becomes the company's UUID before a handler sees it. */
const IS_COMPANY_ID = { 'x-company-id': true };

/** Whether a field of a query or a body is a company's id. */
export function isCompanyId(schema: object): boolean {
  return 'x-company-id' in schema;
}

const companyExternalId = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'The external id of the company. Null when it has none. Only answers to the operator and events contain it.',
    examples: ['acme'],
  }),
);

/** The ids of an answer's company. What is under `/operator` or in an event gets `companyExternalId` when it is sent. */
export const companyIds = { companyId: uuid(), companyExternalId };

/** The same where there may be no company. */
export function companyIdsOrNull(description: string, examples: (string | null)[] = [EXAMPLE_ID]) {
  return {
    companyId: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', description, examples }),
    companyExternalId,
  };
}
