import { answeredCode, ERROR_CODES, type ErrorCode } from '../../errors.ts';

/** What holds for every operation, in the Markdown that OpenAPI's readers understand. */
export function introduction(): string {
  return `Cards, addresses, billing information, usage invoices, labels and account access for a company.

## First request

Every request on this page is a command for a shell that knows where the service is:

\`PAYDESK_URL=http://127.0.0.1:3000\`

Sign up, keep \`data.access_token\` of the answer as \`TOKEN\`, and go on with any other operation.

## Credentials

Send the access token with each request: \`Authorization: Bearer <token>\`. It comes from a sign-up or a login, and names the
user and the company: no request names a company, and what belongs to another one is not there (404). Logging out ends it.

Another service of the company sends an API key instead, \`Authorization: Bearer pdk_…\`, wherever an operation needs a permission.

The operator runs the service and bills the companies, with a key instead of a token: \`Authorization: Bearer opk_…\`. It opens
the operator's paths and no others. Of all tokens, only those of the operator's staff open them too.

## Requests and answers

Bodies are JSON in UTF-8, not compressed, at most 1 MiB (lines of a journal 4 MiB), 32 levels and 25,000 values (12,500 where
amounts are numbers), and checked as they are: \`"12"\` is not a number, \`null\` is not a text. Text is trimmed, and
\`maxLength\` counts what is left. A company may send back an object that it read: a field that nobody knows is ignored.
In the operator's bodies an unknown field is 400, and on every route so is an unknown query parameter. Where a body repeats a key,
the last one counts; a query parameter that comes twice is refused.

Ids are UUIDs that sort by time. Times are ISO 8601 in UTC with milliseconds. Money is exact: decimals, never floats. Text that is
unset is \`""\`; an id or object that is unset is \`null\`. Lists have 10 items a page unless asked for up to 1,000.

Every answer has an \`X-Request-Id\`; one that you send, of 1 to 128 visible ASCII characters, is kept. \`RateLimit\` and
\`RateLimit-Policy\` say how many requests are left.

## Repeating a request

Whoever gets no answer repeats the request. With an \`Idempotency-Key\` that is safe for everything that creates and for paying:
for 24 hours the same key with the same body answers as the first time, with \`Idempotent-Replayed: true\`, and nothing happens twice.
Another body with that key is 422, a first request that still runs 409; should its process have died, that ends within seconds.

A key keeps what the work came to: every 2xx but the 202 of a charge, every 402 and 404, and the 409 of \`label_name_taken\` and
\`limit_reached\`. For another try at those, take another key. It keeps no other refusal: neither what holds for now alone (every other
409, 429 and 5xx) nor what came before the work began (400, 401, 403, 408, 413, 415 and 422). There the same key tries again, and gets
the outcome once there is one. A kept answer comes word for word, but \`error.requestId\` is that of the request it answers. A refund
keeps its key for ever, and answers it as the refund stands then.

Paying is safe without a key too: a paid invoice stays paid.

## Test cards

The gateway that comes with the service moves no money. It charges any valid card number but these, which it declines when they
are charged, never when they are saved.

| number | declineCode |
|---|---|
| \`4242424242424242\` | none: succeeds |
| \`4000000000000002\` | \`generic_decline\` |
| \`4000000000009995\` | \`insufficient_funds\` |
| \`4000000000009987\` | \`lost_card\` |
| \`4000000000000069\` | \`expired_card\` |
| \`4000000000000119\` | \`processing_error\` |

## Errors

Every error has one shape, and its \`code\` is stable: switch on it. \`message\` is for people. \`details\` names the fields that
break a rule. On \`/auth/*\`, \`"data": null\` stands beside the error.

| code | status | meaning |
|---|---|---|
${codeRows()}`;
}

function codeRows(): string {
  return Object.entries(ERROR_CODES)
    .toSorted(([, [left]], [, [right]]) => left - right)
    .map(([name, [status, meaning]]) => `| \`${answeredCode(name as ErrorCode)}\` | ${status} | ${meaning} |`)
    .join('\n');
}

/** What each group of operations is about, in the order in which they are shown. */
export const TAG_DESCRIPTIONS: Record<string, string> = {
  Accounts: 'Sign-up and login answer with an access token and the profile of the user.',
  Addresses: 'Postal addresses of the company, which its cards refer to.',
  Cards: 'The cards that the company pays with. One of them may be the default, which is charged.',
  'Billing information': 'To whom the invoices are made out: one record a company.',
  Invoices: 'Usage bills for a period. The operator issues them, the company pays them.',
  Labels: 'Labels tag agents, tickets and customers of the company.',
  'API keys': "Keys for the company's own services, which are sent instead of an access token.",
  Operator: 'For whoever runs the service: needs an operator key, or the access token of staff.',
  Prices: 'What requests cost, set by the operator: in general, and for single companies.',
  Usage: 'What companies used, event by event from the systems that serve them: the ground for their bills.',
  Team: 'Who is in the company, and what they may do there.',
  Webhooks:
    'What happened is sent to webhook endpoints as Standard Webhooks 1.0 says: a POST with an id, a time and a signature, which the ' +
    'libraries on standardwebhooks.com verify. An endpoint answers 2xx within 15 seconds; else the event is sent again, ten times in ' +
    'all over about 75 hours, with the same id. It may come more than once, and not in order.',
  Gateways: 'Events that payment gateways send. Nobody else can: each request is signed by the gateway.',
  Jobs: 'What the service does by the clock, seen and tried again by the operator.',
  Operations: 'For the machines around the service, and for whoever reads about it. Needs no credential.',
};

/** What the headers of answers say. */
export const HEADERS = {
  'Retry-After': 'How many seconds to wait before the next try.',
  'WWW-Authenticate': 'Which credential is asked for: `Bearer`.',
  Location: 'Where the browser goes on.',
  'Idempotent-Replayed': '`true` when this is the kept answer to an earlier request with the same `Idempotency-Key`.',
} as const;

/** What 202 says of a charge or a refund whose outcome is being found out. */
export const OUTCOME_PENDING = 'Not decided yet; ask again after `Retry-After`.';

/** What a success says when the operation does not say it better. */
export const SUCCESSES: Record<string, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Begun; it goes on in the background.',
  204: 'Done; no content.',
  302: 'The browser goes on to the address in `Location`.',
  304: 'The same as what `If-None-Match` names by its `ETag`; no content.',
};
