import { answeredCode, ERROR_CODES, type ErrorCode } from '../../errors.ts';

/** What holds for every operation, in the Markdown that OpenAPI's readers understand. */
export function introduction(): string {
  return `Cards, addresses, billing information, usage invoices, labels and account access for a company.

## First request

The requests on this page are commands for a shell. Tell the shell first where the service is:

\`PAYDESK_URL=http://127.0.0.1:3000\`

Sign up, keep \`data.access_token\` of the answer as \`TOKEN\`, and use it in any other request.

## Credentials

Send the access token with each request: \`Authorization: Bearer <token>\`. A sign-up or a login returns the token. It names
the user and the company, so that no request has to name a company. Objects of other companies are 404. The token stops working
when the user logs out.

Another service of the company sends an API key instead: \`Authorization: Bearer pdk_…\`. An API key can call every operation
that needs a permission, if the key has the permission.

The operator runs the service and bills the companies. The operator sends a key instead of a token: \`Authorization: Bearer opk_…\`.
An operator key can call only the operator's paths. The access tokens of the operator's staff can call these paths, too; other
access tokens cannot.

## Requests and answers

Bodies are JSON in UTF-8, without compression. A body has at most 1 MiB (4 MiB for lines of a journal), 32 levels of nesting and
25,000 values (12,500 if amounts are sent as numbers). Types are not converted: \`"12"\` is not a number, and \`null\` is not a
text. Text is trimmed before \`maxLength\` is checked. In the bodies of a company's requests, unknown fields are ignored, so that a
company can send back an object that it has read. In the operator's bodies, an unknown field is 400. An unknown query parameter is 400
on every route, and so is a query parameter that is sent twice. If a body repeats a key, the last one counts.

Ids are UUIDs that sort by time. Times are ISO 8601 in UTC with milliseconds. Money is exact: decimals, never floats. Text that is
unset is \`""\`, and an id or object that is unset is \`null\`. A page of a list has 10 items by default, and at most 1,000.

Every answer has an \`X-Request-Id\`. If you send this header with 1 to 128 visible ASCII characters, the answer has your value.
\`RateLimit\` and \`RateLimit-Policy\` say how many requests you have left.

## Repeating a request

If you get no answer, repeat the request. With an \`Idempotency-Key\` it is safe to repeat a request that creates something or
pays. For 24 hours, a request with the same key and the same body gets the first answer again, with \`Idempotent-Replayed: true\`,
and nothing happens twice. The same key with another body is 422. While the first request is still running, the answer is 409. If the
process of the first request dies, the 409 ends within seconds.

A key keeps the outcome of the work: every 2xx except the 202 of a charge, every 404, every 402 but
\`authentication_required\`, and the 409 of \`label_name_taken\` and \`limit_reached\`. To try again after one of these, use
another key. A key does not keep other errors: those that hold only for
the moment (every other 409, 429 and 5xx), and those from before the work began (400, 401, 403, 408, 413, 415 and 422). After one of
these, repeat the request with the same key. A kept answer is repeated word for word, except that \`error.requestId\` is the id of
the new request. The key of a refund is kept for ever, and its answer shows the current state of the refund.

Paying an invoice is safe without a key, too: a paid invoice cannot be paid again.

## Test cards

The gateway that comes with the service, the sandbox, moves no money. It charges any valid card number except these. It declines
them when they are charged, not when they are saved.

| number | declineCode |
|---|---|
| \`4242424242424242\` | none: succeeds |
| \`4000000000000002\` | \`generic_decline\` |
| \`4000000000009995\` | \`insufficient_funds\` |
| \`4000000000009987\` | \`lost_card\` |
| \`4000000000000069\` | \`expired_card\` |
| \`4000000000000119\` | \`processing_error\` |
| \`4000002500003155\`, \`4000002760003184\` | the bank asks the customer: 402 \`authentication_required\` |
| \`4000008260003178\` | the bank asks the customer; then \`insufficient_funds\` |

## Errors

All errors have the same fields. \`code\` is stable: use it in your program. \`message\` is for people. \`details\` names the fields
that break a rule. On \`/auth/*\`, an error also has \`"data": null\`.

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
  Accounts: 'Sign-up and login. Both answer with an access token and the profile of the user.',
  Addresses: 'Postal addresses of the company, which its cards refer to.',
  Cards: 'The cards that the company pays with. One of them may be the default, which is charged.',
  'Billing information':
    "The name and address that the company's invoices are made out to. A company has one such record.",
  Invoices: 'Bills for the usage of a period. The operator issues them, and the company pays them.',
  Labels: 'Labels tag agents, tickets and customers of the company.',
  'API keys': "Keys for the company's own services. A service sends a key instead of an access token.",
  Operator:
    'For the operator, who runs the service. These operations need an operator key, or the access token of staff.',
  Prices: 'Prices say what requests cost. The operator sets general prices, and prices for single companies.',
  Usage:
    'Usage events say what companies used. The systems that serve the companies report each event, and invoices ' +
    'are computed from the events.',
  Team: 'The members of the company and their roles.',
  Webhooks:
    'Paydesk sends events to webhook endpoints as Standard Webhooks 1.0 defines: a POST with an id, a time and a ' +
    'signature. The libraries on standardwebhooks.com verify them. An endpoint must answer 2xx within 15 seconds. ' +
    'Otherwise Paydesk sends the event again with the same id, ten times in all over about 75 hours. An endpoint may get ' +
    'an event more than once, and events out of order.',
  Gateways: 'Events that payment gateways send. Each request must carry the signature of the gateway.',
  Jobs: 'Background work and scheduled work. The operator can list it and retry it.',
  Operations: 'Health, metrics, and this reference itself. These operations need no credential.',
};

/** What the headers of answers say. */
export const HEADERS = {
  'Retry-After': 'How many seconds to wait before the next attempt.',
  'WWW-Authenticate': 'The credential that the operation needs: `Bearer`.',
  Location: 'The address that the browser goes to.',
  'Idempotent-Replayed': '`true` if this answer was kept from an earlier request with the same `Idempotency-Key`.',
} as const;

/** What 202 says of a charge or a refund whose outcome is being found out. */
export const OUTCOME_PENDING =
  'The outcome is not known yet. Send the request again with the same idempotency key after the seconds of `Retry-After`: ' +
  'nothing is done twice.';

/** What a success says when the operation does not say it better. */
export const SUCCESSES: Record<string, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted. Paydesk continues the work in the background.',
  204: 'Done. The answer has no content.',
  302: 'The browser goes to the address in `Location`.',
  304: 'Not modified since the answer whose `ETag` is in `If-None-Match`. The answer has no content.',
};
