import { STATUS_CODES } from 'node:http';
import { answeredCode, ERROR_CODES, type ErrorCode } from '../../errors.ts';
import { changesCompany, needsSecondFactor } from '../route/credentials.ts';
import { acceptsApiKeys, type Operation } from '../route/operation.ts';
import { EXAMPLE_ACTION, NEXT_ACTION_FIELDS } from './next-action.ts';
import { type Components, type Json, pascalCase, type Reference } from './openapi-components.ts';
import { headersOf } from './openapi-headers.ts';
import { EXAMPLE_ID } from './openapi-schema.ts';

/** The codes that come with `Retry-After`. */
const WAITING_CODES = new Set<ErrorCode>([
  'payment_in_progress',
  'idempotency_key_in_use',
  'rate_limited',
  'charges_held',
  'service_unavailable',
]);

/** What an operation can be refused with, by status; the codes of one status in the order of `ERROR_CODES`. */
export function describeRefusals(operation: Operation, components: Components): Json {
  const possible = new Set([...operation.errors, ...(operation.tag === 'Operations' ? [] : impliedErrors(operation))]);
  const codes = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => possible.has(code));
  const byStatus = Object.groupBy(codes, (code) => ERROR_CODES[code][0]);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, ofStatus = []]) => [
      status,
      describeRefusal(status, ofStatus, operation, components),
    ]),
  );
}

/** What its access, path and method imply. */
function impliedErrors(operation: Operation): ErrorCode[] {
  const { access, url, idempotency, method, heldWithCharges } = operation;
  const guarded: ErrorCode[] = access === 'public' ? [] : ['unauthenticated', 'forbidden'];
  const demanded: ErrorCode[] = needsSecondFactor(operation) ? ['second_factor_required'] : [];
  const stopped: ErrorCode[] = changesCompany(operation) ? ['email_not_verified', 'company_disabled'] : [];
  const ofKeys: ErrorCode[] = acceptsApiKeys(operation) ? ['address_not_allowed'] : [];
  const addressed: ErrorCode[] = url.includes(':') ? ['not_found'] : [];
  const bodied: ErrorCode[] = method === 'GET' ? [] : ['payload_too_large', 'unsupported_media_type'];
  const keyed: ErrorCode[] = idempotency === undefined ? [] : ['idempotency_key_in_use', 'idempotency_key_reused'];
  const held: ErrorCode[] = heldWithCharges ? ['charges_held'] : [];
  // Any request may hold U+0000 in its query, or a body that does not parse.
  const always: ErrorCode[] = ['invalid_request', 'rate_limited', 'internal_error', 'service_unavailable'];
  return [...guarded, ...ofKeys, ...demanded, ...stopped, ...addressed, ...bodied, ...keyed, ...held, ...always];
}

/** A refusal by up to five codes is the same everywhere, and has their names; one by more is the operation's own. */
function describeRefusal(status: string, codes: ErrorCode[], operation: Operation, components: Components): Reference {
  const { operationId, url } = operation;
  const prefix = url.startsWith('/auth/') ? 'Auth' : '';
  const name =
    codes.length <= 5
      ? `${prefix}${codes.map(pascalCase).join('Or')}`
      : `${pascalCase(operationId)}${STATUS_CODES[status]?.replaceAll(' ', '')}`;
  const examples = codes.map((one) => [
    answeredCode(one),
    components.add('examples', `${prefix}${pascalCase(one)}`, errorExample(one, prefix === 'Auth')),
  ]);
  return components.add('responses', name, {
    description: codes.map((one) => `\`${answeredCode(one)}\`: ${ERROR_CODES[one][1]}`).join('\n\n'),
    ...headersOf(codes.some((one) => WAITING_CODES.has(one)) ? ['Retry-After'] : []),
    ...headersOf(status === '401' ? ['WWW-Authenticate'] : []),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  });
}

function errorExample(code: ErrorCode, hasData: boolean): Json {
  const [, meaning] = ERROR_CODES[code];
  const error = {
    code: answeredCode(code),
    message: code === 'invalid_request' ? 'name is required.' : meaning.replaceAll('`', ''),
    details: code === 'invalid_request' ? [{ field: 'name', message: 'is required' }] : [],
    ...(code === 'card_declined' ? { declineCode: 'insufficient_funds' } : {}),
    ...(code === 'authentication_required' ? { paymentId: EXAMPLE_ID, nextAction: EXAMPLE_ACTION } : {}),
    requestId: EXAMPLE_ID,
  };
  return { summary: meaning, value: hasData ? { error, data: null } : { error } };
}

/** Adds the one shape of all refusals. */
export function addErrorSchema(components: Components): void {
  const code = components.add('schemas', 'ErrorCode', {
    type: 'string',
    enum: [...new Set((Object.keys(ERROR_CODES) as ErrorCode[]).map(answeredCode))],
  });
  const detail = components.add('schemas', 'ErrorDetail', {
    type: 'object',
    required: ['field', 'message'],
    properties: { field: { type: 'string' }, message: { type: 'string' } },
  });
  const properties = {
    code,
    message: { type: 'string', description: 'Describes the error for people. The text may change.' },
    details: {
      type: 'array',
      items: detail,
      description: 'The fields that break a rule. Empty for other errors.',
    },
    declineCode: { type: 'string', description: 'With `card_declined`, the reason of the bank.' },
    paymentId: {
      type: 'string',
      format: 'uuid',
      description: 'With `authentication_required`, the payment that waits for the customer.',
    },
    nextAction: {
      type: 'object',
      required: ['url', 'expiresAt'],
      properties: NEXT_ACTION_FIELDS,
      description: 'With `authentication_required`, what the customer needs to confirm the payment.',
    },
    requestId: { type: 'string', description: 'The same value as the `X-Request-Id` header.' },
  };
  components.add('schemas', 'Error', {
    type: 'object',
    required: ['error'],
    properties: {
      error: { type: 'object', required: ['code', 'message', 'details', 'requestId'], properties },
      data: { type: 'null', description: 'Always null. Present only in answers of `/auth/*`.' },
    },
  });
}
