import type { Static } from 'typebox';
import { timestamp } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';

export const LostNumberQuery = Type.Object(pageQuery);
export type LostNumberQuery = Static<typeof LostNumberQuery>;

const LostNumber = namedObject('LostNumber', {
  number: Type.String({ examples: ['INV-000042'] }),
  type: Type.Enum(['invoice', 'credit_note'] as const, { examples: ['invoice'] }),
  companyId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description: 'Null where nothing is known about the document.',
    examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
  }),
  total: Type.String({ description: 'What the document came to; 0 where that is not known.', examples: ['48.00'] }),
  currency: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Null where it is not known.',
    examples: ['USD'],
  }),
  reason: Type.String({ examples: ['The company is not in the database.'] }),
  recordedAt: timestamp(),
});

export const LostNumberList = pageOf('LostNumberList', LostNumber);
export type LostNumberList = Static<typeof LostNumberList>;
