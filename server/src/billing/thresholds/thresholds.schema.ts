import type { Static } from 'typebox';
import { companyIds } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { documentedRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { decimalText, text } from '../../platform/http/schema/validation.ts';

const path = {
  description:
    'A path such as /v1/transcriptions, or a prefix that ends with * and matches all paths that begin with it; * alone matches ' +
    'every path.',
  examples: ['/v1/*'],
};
const quantity = { examples: ['100000'] };

/** Like a price's path, it can be any text, because usage accepts any text as a path. */
const checkPath = documentedRule({ pattern: '[^\\s*\\u0000][^*\\u0000]*[*]?|[*]' }, (value) =>
  /\*./s.test(value) ? ['may have a * only at its end'] : [],
);

const checkQuantity = documentedRule(
  { type: ['string', 'integer'], pattern: '[1-9][0-9]{0,17}', minimum: 1, exclusiveMaximum: 1e18 },
  (value) => (/^[1-9]\d{0,17}$/.test(value) ? [] : ['must be a whole number from 1, of 18 digits at most']),
);

export const UsageThresholdBody = namedObject('UsageThresholdBody', {
  path: Type.Optional(
    text({ required: true, rule: checkPath, ...path, description: `${path.description} All when absent.` }),
  ),
  quantity: decimalText(checkQuantity, {
    description: 'The quantity that the usage of a billing period has to reach.',
    ...quantity,
  }),
});
export type UsageThresholdBody = Static<typeof UsageThresholdBody>;

const fields = {
  id: uuid(),
  ...companyIds,
  path: Type.String(path),
  quantity: Type.String({ description: 'A whole number, like the quantity of a usage event.', ...quantity }),
  createdAt: timestamp(),
};

const period = { description: 'The month that is billed.', examples: ['2026-10'] };
const reachedQuantity = { description: 'The usage when the threshold was found to be reached.', examples: ['100250'] };

export const UsageThreshold = namedObject('UsageThreshold', {
  ...fields,
  lastReached: Type.Union(
    [
      Type.Object({
        period: Type.String(period),
        quantity: Type.String(reachedQuantity),
        reachedAt: timestamp(),
      }),
      Type.Null(),
    ],
    { description: 'The latest billing period in which the threshold was reached; null if there is none.' },
  ),
});
export type UsageThreshold = Static<typeof UsageThreshold>;

export const UsageThresholdList = namedObject('UsageThresholdList', { data: Type.Array(UsageThreshold) });

/** The data of the event. */
export const UsageThresholdReached = namedObject('UsageThresholdReached', {
  threshold: Type.Object(fields),
  period: Type.String(period),
  startAt: timestamp(),
  endAt: timestamp('2026-11-01T00:00:00.000Z'),
  quantity: Type.String(reachedQuantity),
});
export type UsageThresholdReached = Static<typeof UsageThresholdReached>;
