import type { Static } from 'typebox';
import { companyIdsOrNull } from '../../platform/http/company-ids/company-id.ts';
import { timestamp } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';

export const LostNumberQuery = Type.Object(pageQuery);
export type LostNumberQuery = Static<typeof LostNumberQuery>;

const LostNumber = namedObject('LostNumber', {
  number: Type.String({ examples: ['INV-000042'] }),
  type: Type.Enum(['invoice', 'credit_note'] as const, { examples: ['invoice'] }),
  ...companyIdsOrNull('The company of the document. Null if nothing is known about the document.'),
  total: Type.String({ description: 'The total of the document; 0 if it is not known.', examples: ['48.00'] }),
  currency: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The currency of the document. Null if it is not known.',
    examples: ['USD'],
  }),
  reason: Type.String({ examples: ['The company is not in the database.'] }),
  recordedAt: timestamp(),
});

export const LostNumberList = pageOf('LostNumberList', LostNumber);
export type LostNumberList = Static<typeof LostNumberList>;
