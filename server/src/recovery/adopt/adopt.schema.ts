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
          description: 'The company that gets what belonged to the missing company.',
          examples: ['0198f2d4-8a2b-7c4d-8e6f-1a2b3c4d5e6f'],
        }),
      }),
      {
        maxItems: 1_000,
        description:
          'Assigns the records of a company that is not in the database to another company. Cases that were left to a person for ' +
          'that reason are processed again.',
      },
    ),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description: 'The maximum number of cases to process; 1000 when absent.',
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
        description: 'What was done. If a person has to decide: what is known, and the command for each decision.',
        examples: ['Invoice INV-000042 is in the books again.'],
      }),
    }),
    { description: 'The processed cases, in the order in which they happened.' },
  ),
  remaining: Type.Integer({
    description: 'The number of open cases that are left. Send the same request again until it is 0.',
    examples: [0],
  }),
});

export const JournalLinesBody = namedObject('JournalLinesBody', {
  lines: Type.Array(Type.String({ description: 'A line of a file of the journal, unchanged.', maxLength: 4_194_304 }), {
    maxItems: 10_000,
    description: 'The lines of the files, in the order in which the files were last written, the oldest first.',
    examples: [['{"check":"2026-10-01T00:00:00.000Z"}']],
  }),
  installation: Type.Optional(
    text({
      rule: patternRule(UUID, 'must be the id of a database'),
      description:
        'The `installation` in the `journal.json` of the journal, if the file has one. The request is refused if it is the id of ' +
        'another database.',
      examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
    }),
  ),
  isLast: Type.Boolean({
    description:
      'Whether these are the last lines. With them, the journal counts as read, unless `isOlderCopy` in the response is true.',
    examples: [true],
  }),
  damage: Type.Optional(
    text({
      required: true,
      cardNumbers: 'allowed',
      description:
        'With the last lines: the lines that are left out because they cannot be read. The hold waits until a sound copy of the ' +
        'journal is read, or the lines are declared lost.',
      examples: ['0198f2d4.ndjson, line 3'],
    }),
  ),
});

export const JournalLinesAdded = namedObject('JournalLinesAdded', {
  missing: Type.Integer({ description: 'The number of marks in these lines that the database lacks.', examples: [0] }),
  isOlderCopy: Type.Boolean({
    description:
      'With the last lines, during a hold: true if the newest entry of this journal that the database knows was not sent within ' +
      'the last hour. The journal then does not count as read: send a newer copy, or declare the journal lost.',
    examples: [false],
  }),
});

export const RecoveryPass = namedObject('RecoveryPass', {
  held: Type.Boolean({ description: 'Whether the database holds charges after the comparison.', examples: [true] }),
  found: Type.Integer({ description: 'The number of open cases.', examples: [3] }),
});
