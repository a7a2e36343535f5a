import { _, Ajv, type ErrorObject } from 'ajv';
import type { FastifyInstance } from 'fastify';
import type { TString, TUnsafe } from 'typebox';
import { ApiError, type ErrorDetail } from '../../errors.ts';
import { type CardNumberOptions, hideCardNumbers, holdsCardNumber } from '../../logging/card-numbers.ts';
import type { TextRule } from './text-rules.ts';
import { Type } from './type.ts';

type TextOptions = {
  max?: number;
  required?: boolean;
  rule?: TextRule;
  /**
   * What is kept must not contain a card number. `allowed` is for identifiers that machines make: one in thirty of 16 random digits would
   * be refused, so they are masked where they are kept. Query strings are neither kept nor logged, and never refused.
   */
  cardNumbers?: 'allowed' | CardNumberOptions;
  default?: string;
  description?: string;
  examples?: string[];
  format?: string;
};

/**
 * A text field: trimmed before it is checked, at most 255 characters by default, and without a card number. `required`
 * refuses a text that is empty once trimmed.
 */
export function text({
  max = 255,
  required = false,
  rule,
  cardNumbers = {},
  ...documentation
}: TextOptions = {}): TString {
  return Type.String({
    'x-trimmed': true,
    maxLength: max,
    ...(required ? { minLength: 1 } : {}),
    ...(rule ? { 'x-rule': rule } : {}),
    ...(cardNumbers === 'allowed' ? {} : { 'x-card-numbers': cardNumbers }),
    ...documentation,
  });
}

/** For phone numbers and tax ids, which often have 13 or 14 digits; few cards do. */
export function numberText(options: Omit<TextOptions, 'cardNumbers'> = {}): TString {
  return text({ ...options, cardNumbers: { fewestDigits: 15 } });
}

/** A text whose every byte counts, such as a password: never trimmed. */
export function secretText({ max = 255, rule, ...documentation }: TextOptions = {}): TString {
  return Type.String({ maxLength: max, ...(rule ? { 'x-rule': rule } : {}), ...documentation });
}

/** A plain decimal, sent as a JSON number or as a string; handlers get its text (see `exactNumbers`). */
export function decimalText(
  rule: TextRule,
  documentation: { description: string; examples: unknown[] },
): TUnsafe<string> {
  return Type.Unsafe<string>({ type: ['string', 'number'], maxLength: 60, 'x-rule': rule, ...documentation });
}

const OPTIONS = { coerceTypes: false, removeAdditional: false, strict: false };
/** Stops at the first error, so that a body is checked in one pass, and a list that is too long not at all. */
const firstErrors = refuseCardNumbers(addKeywords(new Ajv(OPTIONS)));
const allErrors = refuseCardNumbers(addKeywords(new Ajv({ ...OPTIONS, allErrors: true })));
const queries = addKeywords(new Ajv({ ...OPTIONS, allErrors: true, useDefaults: true }));

/** For a body with more values than this, or with a longer text or name, only the first error is reported. */
const MAX_VALUES_FOR_ALL_ERRORS = 10_000;
const MAX_LENGTH_FOR_ALL_ERRORS = 10_000;
const MAX_ERRORS = 50;

/** Nothing is coerced, except numbers in query strings, which are text. */
export function validateStrictly(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    compileLate(schema, httpPart === 'querystring' ? compileQuery : compileBody),
  );
  app.setSchemaErrorFormatter((errors, part) => toApiError(errors as ErrorObject[], part));
}

type Validate = { (data: Record<string, unknown>): boolean; errors?: ErrorObject[] | null };

const compiled = new WeakMap<object, Validate>();

/** Compiles each schema for its first request: compiling all would add a tenth of a second to the start. */
function compileLate(schema: object, compile: (schema: JsonSchema) => Validate): Validate {
  let check: Validate | undefined;
  const validate: Validate = (data) => {
    if (check === undefined) {
      check = compiled.get(schema) ?? compile(schema);
      compiled.set(schema, check);
    }
    const valid = check(data);
    validate.errors = check.errors ?? null;
    return valid;
  };
  return validate;
}

/**
 * A valid body is checked in one pass. An invalid one that is not long is checked again for all its errors; a body of 1
 * MiB can have as many errors as values.
 */
function compileBody(schema: object): Validate {
  const findFirst = firstErrors.compile(schema);
  let findAll: Validate | undefined;
  const validate: Validate = (body) => {
    let check: Validate = findFirst;
    let valid = check(body);
    if (!valid && isSmall(body)) {
      findAll ??= allErrors.compile(schema);
      check = findAll;
      valid = check(body);
    }
    validate.errors = check.errors ?? null;
    return valid;
  };
  return validate;
}

/** Whether a body has few values and no long text. */
function isSmall(body: unknown): boolean {
  let left = MAX_VALUES_FOR_ALL_ERRORS;
  const fits = (value: unknown): boolean => {
    left -= 1;
    if (left < 0) return false;
    if (typeof value === 'string') return value.length <= MAX_LENGTH_FOR_ALL_ERRORS;
    if (typeof value !== 'object' || value === null) return true;
    for (const key in value) {
      if (key.length > MAX_LENGTH_FOR_ALL_ERRORS || !fits((value as Record<string, unknown>)[key])) return false;
    }
    return true;
  };
  return fits(body);
}

type JsonSchema = { properties?: Record<string, { type?: string }> };

function compileQuery(schema: JsonSchema): Validate {
  const integers = Object.entries(schema.properties ?? {}).flatMap(([name, { type }]) =>
    type === 'integer' ? [name] : [],
  );
  const check = queries.compile(schema);
  const validate: Validate = (query) => {
    for (const name of integers) {
      const value = query[name];
      // Only plain digits: "1e2", "0x10" and " 1" are not page numbers.
      if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) query[name] = Number(value);
    }
    const valid = check(query);
    validate.errors = check.errors ?? null;
    return valid;
  };
  return validate;
}

function addKeywords(ajv: Ajv): Ajv {
  ajv.addFormat('uuid', true).addFormat('date-time', true).addFormat('email', true).addFormat('password', true);
  ajv.addKeyword({
    keyword: 'x-trimmed',
    type: 'string',
    modifying: true,
    before: 'maxLength',
    validate: (
      _enabled: boolean,
      value: string,
      _schema?: object,
      context?: { parentData: Record<string, unknown>; parentDataProperty: string | number },
    ) => {
      if (context !== undefined) context.parentData[context.parentDataProperty] = value.trim();
      return true;
    },
  });
  // The rule's message is computed when it is reported, because Ajv copies all errors so far for each keyword with its
  // own errors.
  ajv.addKeyword({
    keyword: 'x-rule',
    type: 'string',
    errors: false,
    error: { message: 'is not valid', params: ({ schemaCode, data }) => _`{rule: ${schemaCode}, value: ${data}}` },
    validate: (rule: TextRule, value: string, field?: FieldSchema) =>
      isFarTooLong(value, field) || rule(value).length === 0,
  });
  // Ajv would compare each item with every other one.
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    errors: false,
    error: { message: 'must not have duplicate items' },
    validate: (unique: boolean, items: unknown[]) =>
      !unique || new Set(items.map((item) => JSON.stringify(item))).size === items.length,
  });
  return ajv;
}

/** In what may be kept, and so not in query strings. */
function refuseCardNumbers(ajv: Ajv): Ajv {
  return ajv.addKeyword({
    keyword: 'x-card-numbers',
    type: 'string',
    errors: false,
    error: { message: 'must not contain a card number' },
    validate: (options: CardNumberOptions, value: string, field?: FieldSchema) =>
      isFarTooLong(value, field) || !holdsCardNumber(value, options),
  });
}

type FieldSchema = { [keyword: string]: unknown };

/** Skips further rules for a text that is too long. */
function isFarTooLong(value: string, field?: FieldSchema): boolean {
  return value.length > 2 * Number(field?.maxLength ?? Number.POSITIVE_INFINITY);
}

const MAX_NAME_CHARACTERS = 255;

function toApiError(errors: ErrorObject[], part: string): ApiError {
  const where = part === 'querystring' ? 'query' : part;
  const details = errors.slice(0, MAX_ERRORS).flatMap((error) => toDetails(error, where));
  const first = details[0];
  const summary =
    first === undefined ? `The ${where} is not valid.` : `${first.field || `The ${where}`} ${first.message}.`;
  return new ApiError('invalid_request', summary, { details: details.slice(0, MAX_ERRORS) });
}

/** One error for each problem of a value. */
function toDetails(error: ErrorObject, where: string): ErrorDetail[] {
  const path = error.instancePath.split('/').slice(1);
  if (error.keyword === 'required') path.push(String(error.params.missingProperty));
  // The name is what is wrong, not the value.
  if (error.propertyName !== undefined) path.push(hideCardNumbers(cut(error.propertyName)));
  const field = path
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : `${index > 0 ? '.' : ''}${part}`))
    .join('');
  if (error.keyword === 'x-rule') {
    return (error.params.rule as TextRule)(error.params.value).map((message) => ({ field, message }));
  }
  if (error.keyword !== 'additionalProperties') return [{ field, message: describe(error) }];
  const unknown = hideCardNumbers(cut(String(error.params.additionalProperty)));
  const message = where === 'query' ? 'is not a parameter of this request' : 'is not a field of this request';
  return [{ field: field === '' ? unknown : `${field}.${unknown}`, message }];
}

/** Truncates a name in the message, without splitting a character. */
function cut(name: string): string {
  if (name.length <= MAX_NAME_CHARACTERS) return name;
  return [...name.slice(0, 2 * MAX_NAME_CHARACTERS)].slice(0, MAX_NAME_CHARACTERS).join('');
}

function describe({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`;
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'type':
      return describeType(params.type);
    case 'minItems':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} items`;
    case 'maxItems':
      return `must have at most ${params.limit} items`;
    case 'enum':
      return `must be one of ${params.allowedValues.join(', ')}`;
    default:
      return message ?? 'is not valid';
  }
}

/** What a value of another type has to be: `must be an integer`, `must be a string or null`. */
function describeType(types: string | string[]): string {
  const words = [types].flat().map((type) => {
    if (type === 'null') return type;
    return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;
  });
  return `must be ${words.join(' or ')}`;
}
