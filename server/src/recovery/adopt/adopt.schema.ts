import type { Static } from 'typebox';
import { companyIdText } from '../../platform/http/company-ids/company-id.ts';
import { uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { patternRule, UUID } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';

export const AdoptBody = namedObject('AdoptBody', {
  companies: Type.Optional(
    Type.Array(
      namedObject('CompanyReplacement', {
        companyId: companyIdText({ description: 'A company that the database lacks.' }),
        newCompanyId: companyIdText({
          description: 'The company that gets what belonged to it.',
          examples: ['0198f2d4-8a2b-7c4d-8e6f-1a2b3c4d5e6f'],
        }),
      }),
      {
        maxItems: 1_000,
        description: 'What was left to a person because its company is not here is dealt with again.',
      },
    ),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description: 'How many cases at most; 1000 when absent.',
      examples: [100],
    }),
  ),
});
export type AdoptBody = Static<typeof AdoptBody>;

export const Adopted = namedObject('Adopted', {
  decided: Type.Array(
    namedObject('DecidedCase', {
      id: uuid(),
      state: Type.Enum(['done', 'person'] as const, { examples: ['done'] }),
      note: Type.String({
        description: 'What was done; or what is known, what can be done, and by which command.',
        examples: ['Invoice INV-000042 is in the books again.'],
      }),
    }),
    { description: 'In the order in which they happened.' },
  ),
  remaining: Type.Integer({ description: 'How many cases are left: send the same request again.', examples: [0] }),
});

export const JournalLinesBody = namedObject('JournalLinesBody', {
  lines: Type.Array(Type.String({ description: 'A line of a file of the journal, as it is.', maxLength: 4_194_304 }), {
    maxItems: 10_000,
    description: 'In the order in which the files were written last.',
    examples: [['{"check":"2026-10-01T00:00:00.000Z"}']],
  }),
  installation: Type.Optional(
    text({
      rule: patternRule(UUID, 'must be the id of a database'),
      description:
        'The `installation` in the `journal.json` of the journal, if it has one. Another one than this database is refused.',
      examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
    }),
  ),
  isLast: Type.Boolean({
    description: 'Whether these are the last lines: then the journal was read, unless `isOlderCopy` is answered.',
    examples: [true],
  }),
  damage: Type.Optional(
    text({
      required: true,
      cardNumbers: 'allowed',
      description:
        'With the last lines: names those that were left out because they cannot be read. The hold waits until a sound copy is read, ' +
        'or they are declared lost.',
      examples: ['0198f2d4.ndjson, line 3'],
    }),
  ),
});

export const JournalLinesAdded = namedObject('JournalLinesAdded', {
  missing: Type.Integer({ description: 'How many of the marks in these lines the database lacks.', examples: [0] }),
  isOlderCopy: Type.Boolean({
    description:
      'With the last lines, during a hold: the newest entry that the database knows of the journal was not sent within an hour. Then ' +
      'the journal was not read: read a newer copy, or declare it lost.',
    examples: [false],
  }),
});

export const RecoveryPass = namedObject('RecoveryPass', {
  held: Type.Boolean({ description: 'Whether the database holds charges afterwards.', examples: [true] }),
  found: Type.Integer({ description: 'How many cases are open.', examples: [3] }),
});
