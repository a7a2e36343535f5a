import { describe, expect, test } from 'vitest';
import { layOut } from './lay-out.ts';

const documentWith = (description: string) => ({
  paths: { '/labels': { get: { parameters: [{ name: 'page', in: 'query', description: 'The page, from 1.' }] } } },
  components: {
    schemas: {
      Label: {
        type: 'object',
        properties: { id: { type: 'string', format: 'uuid' }, name: { type: 'string', description } },
        required: ['id', 'name'],
      },
    },
  },
});

describe('the text of the document', () => {
  test('says the same as the document', () => {
    const document = { ...documentWith('Unique.'), empty: {}, list: [], 'a "name"': ['\u0000', null, 1.5, true] };
    expect(JSON.parse(layOut({ ...document, absent: undefined }))).toEqual(document);
  });

  test('differs in one line when a field of a schema does', () => {
    const before = layOut(documentWith('Unique in the company.')).split('\n');
    const after = layOut(documentWith('Unique in the company, compared without case.')).split('\n');
    expect(after.length).toBe(before.length);
    expect(after.filter((line, index) => line !== before[index])).toEqual([
      '\t\t\t\t\t"name": {"type":"string","description":"Unique in the company, compared without case."}',
    ]);
  });
});
