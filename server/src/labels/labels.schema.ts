import type { Static } from 'typebox';
import { companyIds } from '../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../platform/http/schema/fields.ts';
import { namedObject } from '../platform/http/schema/named.ts';
import { pageNumber, pageSize } from '../platform/http/schema/pagination.ts';
import { patternRule } from '../platform/http/schema/text-rules.ts';
import { Type } from '../platform/http/schema/type.ts';
import { text } from '../platform/http/schema/validation.ts';

const name = {
  examples: ['Priority'],
  description: 'The name is unique in the company. Upper and lower case count as the same, and ß counts as ss.',
};
const description = { examples: ['Answer within the hour'] };
const color = {
  examples: ['#ff8800'],
  description: 'A hexadecimal colour of 3, 4, 6 or 8 digits, with or without #. It is returned as it was sent.',
  rule: patternRule('#?(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})', 'must be a hex colour such as #ff8800'),
};
const userName = {
  examples: ['Ada Lovelace'],
  description: 'The name of the person who makes the change. It is kept as `createdBy` and `updatedBy`.',
};

export const CreateLabelBody = namedObject('CreateLabelBody', {
  name: text({ required: true, ...name }),
  description: text({ required: true, max: 2_000, ...description }),
  color: text({ required: true, ...color }),
  userName: text({ required: true, ...userName }),
});
export type CreateLabelBody = Static<typeof CreateLabelBody>;

export const UpdateLabelBody = namedObject('UpdateLabelBody', {
  name: Type.Optional(text({ required: true, ...name })),
  description: Type.Optional(text({ max: 2_000, ...description })),
  color: Type.Optional(text({ required: true, ...color })),
  userName: Type.Optional(text({ required: true, ...userName })),
});
export type UpdateLabelBody = Static<typeof UpdateLabelBody>;

export const DeleteLabelsBody = namedObject('DeleteLabelsBody', {
  label_ids: Type.Array(Type.String({ maxLength: 255 }), {
    minItems: 1,
    maxItems: 1_000,
    description: 'Ids that name no label of the company are ignored.',
    examples: [['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40']],
  }),
});

export const Label = namedObject('Label', {
  id: uuid(),
  ...companyIds,
  userId: uuid('The id of the user, or the customer session, that created the label.'),
  createdBy: Type.String({ examples: ['Ada Lovelace'] }),
  updatedBy: Type.String({ examples: ['Ada Lovelace'] }),
  name: Type.String({ examples: ['Priority'] }),
  description: Type.String({ examples: ['Answer within the hour'] }),
  color: Type.String({ examples: ['#ff8800'] }),
  assignments: Type.Integer({ description: 'How many agents, tickets and customers have the label.', examples: [0] }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});

/** The column behind each sort field; both spellings are accepted. */
export const SORT_COLUMNS = {
  name: 'name',
  description: 'description',
  color: 'color',
  createdBy: 'created_by',
  created_by: 'created_by',
  updatedBy: 'updated_by',
  updated_by: 'updated_by',
  createdAt: 'created_at',
  created_at: 'created_at',
  updatedAt: 'updated_at',
  updated_at: 'updated_at',
} as const;

export const LabelQuery = Type.Object({
  current_page: pageNumber(),
  per_page: pageSize(),
  sort_by: text({
    rule: patternRule('[Aa][Ss][Cc]|[Dd][Ee][Ss][Cc]', 'must be ASC or DESC'),
    description: 'The direction: ASC or DESC, in upper or lower case.',
    default: 'DESC',
    examples: ['DESC'],
  }),
  order_by: Type.Enum(Object.keys(SORT_COLUMNS) as (keyof typeof SORT_COLUMNS)[], {
    default: 'name',
    description: 'The field to sort on.',
    examples: ['name'],
  }),
  name: text({
    default: '',
    description:
      'Only labels whose name contains this text. Upper and lower case count as the same, and ß counts as ss. % and _ have ' +
      'no special meaning.',
  }),
});
export type LabelQuery = Static<typeof LabelQuery>;

export const LabelList = namedObject('LabelList', {
  current_page: Type.Integer({ examples: [1] }),
  per_page: Type.Integer({ examples: [10] }),
  last_page: Type.Integer({ description: 'The number of the last page, at least 1.', examples: [1] }),
  total: Type.Integer({ examples: [1] }),
  data: Type.Array(Label),
});
export type LabelList = Static<typeof LabelList>;
