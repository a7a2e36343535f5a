import type { Static } from 'typebox';
import { uuid } from '../../platform/http/schema/fields.ts';
import { named, namedObject } from '../../platform/http/schema/named.ts';
import { pageNumber, pageSize, snakeCasePageOf } from '../../platform/http/schema/pagination.ts';
import { documentedRule, patternRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';

const RECORD_TYPES = ['agent', 'ticket', 'customer'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];
const recordType = Type.Enum(RECORD_TYPES, { examples: ['ticket'] });

const MAX_ID_LENGTH = 255;
const MAX_RECORDS = 100;
const NO_CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
const ID = `[^\\s,${NO_CONTROL}](?:[^,${NO_CONTROL}]*[^\\s,${NO_CONTROL}])?`;
const idRule = patternRule(ID, 'must contain no comma and no control character');
const IDS_MESSAGE = `must be 1 to ${MAX_RECORDS} ids of at most ${MAX_ID_LENGTH} characters, with nothing but commas between them`;
const idsRule = documentedRule({ pattern: `${ID}(?:,${ID})*` }, (value) => {
  const ids = readIds(value);
  const isRight = ids.every((id) => idRule(id).length === 0 && [...id].length <= MAX_ID_LENGTH);
  return isRight && ids.length <= MAX_RECORDS ? [] : [IDS_MESSAGE];
});

/** The ids of a list with commas between them. */
export function readIds(ids: string): string[] {
  return ids.split(',');
}

const recordId = text({
  required: true,
  rule: idRule,
  description: 'For an agent, the id of the user. For a ticket or a customer, the id that your own service uses.',
  examples: ['T-1001'],
});

export const LabeledRecordQuery = Type.Object({
  type: recordType,
  id: Type.Optional(
    text({
      required: true,
      rule: idRule,
      description: 'The id of the record. Send either `id` or `ids`.',
      examples: ['T-1001'],
    }),
  ),
  ids: Type.Optional(
    text({
      max: MAX_RECORDS * (MAX_ID_LENGTH + 1),
      required: true,
      rule: idsRule,
      description: `The ids of up to ${MAX_RECORDS} records, separated by commas.`,
      examples: ['T-1001,T-1002'],
    }),
  ),
});
export type LabeledRecordQuery = Static<typeof LabeledRecordQuery>;

export const SetLabelsBody = namedObject('SetLabelsBody', {
  type: recordType,
  id: recordId,
  label_ids: Type.Array(Type.String({ maxLength: 255 }), {
    maxItems: 1_000,
    description: 'The ids of all labels that the record has afterwards. An empty list removes all labels.',
    examples: [['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40']],
  }),
});
export type SetLabelsBody = Static<typeof SetLabelsBody>;

const Target = namedObject('LabelTarget', { type: recordType, id: recordId });
export type Target = Static<typeof Target>;

export const TargetsBody = namedObject('LabelTargetsBody', {
  targets: Type.Array(Target, {
    minItems: 1,
    maxItems: 1_000,
    description: 'The records. If one of them is wrong, the whole request is refused.',
  }),
});
export type TargetsBody = Static<typeof TargetsBody>;

const AssignedLabel = namedObject('AssignedLabel', {
  id: uuid(),
  name: Type.String({ examples: ['Priority'] }),
  color: Type.String({ examples: ['#ff8800'] }),
});

const record = { type: recordType, id: Type.String({ examples: ['T-1001'] }) };

export const LabeledRecord = namedObject('LabeledRecord', {
  ...record,
  labels: Type.Array(AssignedLabel, { description: 'The labels of the record, sorted by name.' }),
});
export type LabeledRecord = Static<typeof LabeledRecord>;

const LabeledRecords = namedObject('LabeledRecords', {
  data: Type.Array(LabeledRecord, { description: 'The records, in the order of `ids`.' }),
});

export const RecordLabels = named('RecordLabels', Type.Union([LabeledRecord, LabeledRecords]));

export const LabelAssignment = namedObject('LabelAssignment', { ...record, label: AssignedLabel });

export const TargetQuery = Type.Object({
  type: Type.Optional(recordType),
  page: pageNumber(),
  per_page: pageSize(),
});
export type TargetQuery = Static<typeof TargetQuery>;

export const LabelTargetList = snakeCasePageOf('LabelTargetList', namedObject('LabeledTarget', record));
