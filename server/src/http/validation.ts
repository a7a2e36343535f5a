import { Ajv, type ErrorObject } from 'ajv';
import type { FastifyInstance } from 'fastify';
import type { TString, TUnsafe } from 'typebox';
import { ApiError, type ErrorDetail } from '../errors.ts';
import { Type } from './type.ts';

/** Says what is wrong with a text; an empty list when nothing is. */
export type TextRule = (value: string) => string[];

type TextOptions = {
  max?: number;
  required?: boolean;
  rule?: TextRule;
  default?: string;
  description?: string;
  examples?: string[];
  format?: string;
};

/**
 * A text field: trimmed before it is checked and at most 255 characters unless told.
 * `required` refuses a text that is empty once trimmed.
 */
export function text({ max = 255, required = false, rule, ...documentation }: TextOptions = {}): TString {
  return Type.String({
    'x-trimmed': true,
    maxLength: max,
    ...(required ? { minLength: 1 } : {}),
    ...(rule ? { 'x-rule': rule } : {}),
    ...documentation,
  });
}

/** A text whose every byte counts, such as a password: never trimmed. */
export function secretText({ max = 255, rule, ...documentation }: TextOptions = {}): TString {
  return Type.String({ maxLength: max, ...(rule ? { 'x-rule': rule } : {}), ...documentation });
}

/** A plain decimal that a client may write as a JSON number or as a string; handlers get its text (see `exactNumbers`). */
export function decimalText(
  rule: TextRule,
  documentation: { description: string; examples: unknown[] },
): TUnsafe<string> {
  return Type.Unsafe<string>({ type: ['string', 'number'], maxLength: 60, 'x-rule': rule, ...documentation });
}

const OPTIONS = { allErrors: true, coerceTypes: false, removeAdditional: false, strict: false };
const bodies = addKeywords(new Ajv(OPTIONS));
const queries = addKeywords(new Ajv({ ...OPTIONS, useDefaults: true }));

/** Nothing is coerced, with one exception: query strings are text, so there the digits of a number are a number. */
export function validateStrictly(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    compileLate(schema, httpPart === 'querystring' ? compileQuery : (body) => bodies.compile(body)),
  );
  app.setSchemaErrorFormatter((errors, part) => toApiError(errors as ErrorObject[], part));
}

type Validate = { (data: Record<string, unknown>): boolean; errors?: ErrorObject[] | null };

const compiled = new WeakMap<object, Validate>();

/** Compiles when the first request asks for it, once a schema: all of them together would take a tenth of a second of the start. */
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

type JsonSchema = { properties?: Record<string, { type?: string }> };

function compileQuery(schema: JsonSchema): Validate {
  const integers = Object.entries(schema.properties ?? {}).flatMap(([name, { type }]) =>
    type === 'integer' ? [name] : [],
  );
  const check = queries.compile(schema);
  const validate: Validate = (query) => {
    for (const name of integers) {
      const value = query[name];
      // Plain digits alone: "1e2", "0x10" and " 1" are no number that a person would write for a page.
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
  const checkRule = (rule: TextRule, value: string): boolean => {
    const messages = rule(value);
    checkRule.errors = messages.map((message) => ({ keyword: 'x-rule', message }));
    return messages.length === 0;
  };
  checkRule.errors = [] as Partial<ErrorObject>[];
  ajv.addKeyword({ keyword: 'x-rule', type: 'string', errors: true, validate: checkRule });
  return ajv;
}

const MAX_NAME_CHARACTERS = 255;

function toApiError(errors: ErrorObject[], part: string): ApiError {
  const where = part === 'querystring' ? 'query' : part;
  const details = errors.slice(0, 50).map((error) => toDetail(error, where));
  const first = details[0];
  const summary =
    first === undefined ? `The ${where} is not valid.` : `${first.field || `The ${where}`} ${first.message}.`;
  return new ApiError('invalid_request', summary, { details });
}

function toDetail(error: ErrorObject, where: string): ErrorDetail {
  const path = error.instancePath.split('/').slice(1);
  if (error.keyword === 'required') path.push(String(error.params.missingProperty));
  const field = path
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : `${index > 0 ? '.' : ''}${part}`))
    .join('');
  if (error.keyword !== 'additionalProperties') return { field, message: describe(error) };
  const unknown = cut(String(error.params.additionalProperty));
  const message = where === 'query' ? 'is not a parameter of this request' : 'is not a field of this request';
  return { field: field === '' ? unknown : `${field}.${unknown}`, message };
}

/** A client may send a name of any length; half a character is never left of one. */
function cut(name: string): string {
  return name.length > MAX_NAME_CHARACTERS ? [...name].slice(0, MAX_NAME_CHARACTERS).join('') : name;
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
export function describeType(types: string | string[]): string {
  const words = [types].flat().map((type) => {
    if (type === 'null') return type;
    return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;
  });
  return `must be ${words.join(' or ')}`;
}
