import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyCases } from '../../../../test/harness/property.ts';
import { Type } from '../schema/type.ts';
import { placesOfCompanies, showExternalIds, showExternalIdsInParts } from './show.ts';

const ACME = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40';
const OTHER = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b41';
const EXTERNAL_ID = 'ac"me\\';
const asked: string[][] = [];
const externalIds = {
  of: async (companyIds: readonly string[]) => {
    asked.push([...companyIds]);
    return new Map([[ACME, EXTERNAL_ID]]);
  },
};

const row = Type.Object({
  companyId: Type.String(),
  text: Type.String(),
  metadata: Type.Unsafe({ type: 'object', additionalProperties: true }),
  purpose: Type.Object({ companyId: Type.String() }),
});
const places = placesOfCompanies(Type.Object({ total: Type.Integer(), data: Type.Array(row) }));

async function show(value: unknown): Promise<unknown> {
  if (places === null) throw new Error('The schema has companies.');
  const [json = ''] = await showExternalIds(externalIds, places, [JSON.stringify(value)]);
  return JSON.parse(json);
}

it('adds the external id, or null, beside each id that the schema declares, and asks once', async () => {
  asked.length = 0;
  const shown = await show({
    total: 3,
    data: [
      { companyId: ACME, text: 'one', purpose: { companyId: OTHER } },
      { companyId: null, purpose: null },
      { companyId: ACME, purpose: { companyId: 'what a gateway says' } },
    ],
  });
  expect(shown).toEqual({
    total: 3,
    data: [
      {
        companyId: ACME,
        companyExternalId: EXTERNAL_ID,
        text: 'one',
        purpose: { companyId: OTHER, companyExternalId: null },
      },
      { companyId: null, companyExternalId: null, purpose: null },
      {
        companyId: ACME,
        companyExternalId: EXTERNAL_ID,
        purpose: { companyId: 'what a gateway says', companyExternalId: null },
      },
    ],
  });
  expect(asked).toEqual([[ACME, OTHER]]);
});

it('leaves what looks like an id elsewhere as it is: in texts, and in objects whose fields the client chooses', async () => {
  const value = {
    total: 1,
    companyId: ACME,
    data: [{ text: `"companyId":"${ACME}"`, metadata: { companyId: ACME, deeper: [{ companyId: ACME }] } }],
  };
  expect(await show(value)).toEqual(value);
});

it('changes nothing else, whatever the texts and names are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(ACME, OTHER), fc.string({ unit: 'binary' }), fc.jsonValue())),
      async (rows) => {
        const data = rows.map(([companyId, text, metadata]) => ({
          companyId,
          text,
          metadata: Object.fromEntries([
            [text, metadata],
            ['companyId', companyId],
          ]),
        }));
        const expected = data.map((one) => ({
          ...one,
          companyExternalId: one.companyId === ACME ? EXTERNAL_ID : null,
        }));
        expect(await show({ total: 1, data })).toEqual({ total: 1, data: JSON.parse(JSON.stringify(expected)) });
      },
    ),
    propertyCases(300),
  );
});

it('goes on over the parts of a long answer, also over white space', async () => {
  if (places === null) throw new Error('The schema has companies.');
  async function* parts() {
    yield `{"total":2,"data":[{"companyId" : "${ACME}"}`;
    yield `,{"metadata":{"a":[1]},"companyId":\n"${OTHER}"}`;
    yield ']}';
  }
  let whole = '';
  for await (const part of showExternalIdsInParts(externalIds, places, parts())) whole += part;
  expect(JSON.parse(whole).data).toEqual([
    { companyId: ACME, companyExternalId: EXTERNAL_ID },
    { metadata: { a: [1] }, companyId: OTHER, companyExternalId: null },
  ]);
});
