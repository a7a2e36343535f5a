import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, signUpAdmin } from '../../test/customers/actors.ts';
import { foldCase, seedLabels } from '../../test/customers/labels.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

type Label = Record<
  'id' | 'name' | 'description' | 'color' | 'createdBy' | 'updatedBy' | 'createdAt' | 'updatedAt',
  string
>;

const LABEL = { description: 'Any', color: '#fff', userName: 'Ada' };

const list = ({ token }: Actor, query: Record<string, string | number> = {}) =>
  service.call('GET', `/labels?${new URLSearchParams(query as Record<string, string>)}`, { token });
const create = async ({ token }: Actor, body: object): Promise<Label> =>
  expectStatus(await service.call('POST', '/labels', { token, body: { ...LABEL, ...body } }), 201).body;
const namesOf = (answer: { body: { data: Label[] } }) => answer.body.data.map(({ name }) => name);

/** The whole list, page by page. */
async function readPages(actor: Actor, query: Record<string, string | number>): Promise<Label[]> {
  const labels: Label[] = [];
  for (let page = 1, lastPage = 1; page <= lastPage; page += 1) {
    const { body } = expectStatus(await list(actor, { ...query, current_page: page }), 200);
    labels.push(...body.data);
    lastPage = body.last_page;
  }
  return labels;
}

describe('GET /labels: current_page and per_page', () => {
  it('without parameters: page 1, 10 per page, by name, descending, all names', async () => {
    const admin = await signUpAdmin(service);
    await seedLabels(service, admin, { count: 25 });
    const { body } = expectStatus(await list(admin), 200);
    expect(body).toMatchObject({ current_page: 1, per_page: 10, last_page: 3, total: 25 });
    const byName = Array.from({ length: 25 }, (_, index) => `label ${index + 1}`)
      .sort()
      .reverse();
    expect(body.data.map(({ name }: Label) => name)).toEqual(byName.slice(0, 10));
    expect(Object.keys(body).sort()).toEqual(['current_page', 'data', 'last_page', 'per_page', 'total']);
    const explicit = { current_page: 1, per_page: 10, sort_by: 'DESC', order_by: 'name', name: '' };
    expect((await list(admin, explicit)).body).toEqual(body);
  });

  it('lists each label with the same fields as reading it alone', async () => {
    const admin = await signUpAdmin(service);
    const { token } = admin;
    const { id } = await create(admin, { name: 'One' });
    await service.call('PUT', `/labels/${id}`, { token, body: { userName: 'Grace', description: '' } });
    const alone = expectStatus(await service.call('GET', `/labels/${id}`, { token }), 200).body;
    expect((await list(admin)).body.data).toEqual([alone]);
  });

  it('an empty company has one empty page', async () => {
    const empty = { current_page: 1, per_page: 10, last_page: 1, total: 0, data: [] };
    expect((await list(await signUpAdmin(service))).body).toEqual(empty);
  });

  it.each([
    [1, 7, 7],
    [2, 4, 1],
    [3, 3, 1],
    [7, 1, 7],
    [8, 1, 7],
    [1_000, 1, 7],
  ])('per_page %i makes %i pages of 7 labels, the last one with %i', async (perPage, lastPage, onLast) => {
    const admin = await signUpAdmin(service);
    const ids = await seedLabels(service, admin, { count: 7 });
    const last = expectStatus(await list(admin, { per_page: perPage, current_page: lastPage }), 200).body;
    expect(last).toMatchObject({ current_page: lastPage, per_page: perPage, last_page: lastPage, total: 7 });
    expect(last.data).toHaveLength(perPage === 1 ? 1 : onLast);
    const all = await readPages(admin, { per_page: perPage });
    expect(all.map(({ id }) => id).sort()).toEqual(ids);
  });

  it('a page past the end is empty, not an error, with the same total', async () => {
    const admin = await signUpAdmin(service);
    await seedLabels(service, admin, { count: 3 });
    for (const page of [2, 3, 1_000, 1_000_000]) {
      const { body } = expectStatus(await list(admin, { current_page: page, name: page === 3 ? 'label' : '' }), 200);
      expect(body).toEqual({ current_page: page, per_page: 10, last_page: 1, total: 3, data: [] });
    }
  });

  // Security (Bodies, paths and queries): A page of labels never has more than 1,000 rows
  it('never has more than 1,000 labels on a page', async () => {
    const admin = await signUpAdmin(service);
    await seedLabels(service, admin, { count: 1_001 });
    const sizes = [{}, { name: 'label' }, { order_by: 'color' }, { current_page: 2 }].map(async (query) => {
      const { body } = expectStatus(await list(admin, { per_page: 1_000, ...query }), 200);
      return [body.data.length, body.total, body.last_page];
    });
    expect(await Promise.all(sizes)).toEqual([...Array(3).fill([1_000, 1_001, 2]), [1, 1_001, 2]]);
  });

  it('never shows another company’s labels', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    await seedLabels(service, other, { count: 12 });
    const ids = await seedLabels(service, admin, { count: 2 });
    for (const query of [{}, { name: 'label' }]) {
      const { body } = expectStatus(await list(admin, query), 200);
      expect([body.total, body.data.map(({ id }: Label) => id).sort()]).toEqual([2, ids]);
    }
  });

  it.each(['current_page', 'per_page'])('%s out of range or malformed is 400, never clamped', async (parameter) => {
    const admin = await signUpAdmin(service);
    const values = [
      '0',
      '-1',
      '1.5',
      'abc',
      '',
      ' ',
      '1e18',
      '99999999999999999999',
      'NaN',
      'Infinity',
      'null',
      'true',
      '1;2',
    ];
    if (parameter === 'per_page') values.push('1001', '1000000000');
    for (const value of values) {
      const refused = expectStatus(await list(admin, { [parameter]: value }), 400);
      expect(refused.body.error).toMatchObject({ code: 'invalid_request', details: [{ field: parameter }] });
    }
  });

  it('a parameter given twice is 400', async () => {
    const { token } = await signUpAdmin(service);
    for (const query of [
      'current_page=1&current_page=2',
      'per_page=5&per_page=5',
      'sort_by=ASC&sort_by=ASC',
      'name=a&name=b',
    ]) {
      expectStatus(await service.call('GET', `/labels?${query}`, { token }), 400);
    }
  });
});

describe('GET /labels: sort_by and order_by', () => {
  const SPELLINGS: [spelling: string, field: keyof Label][] = [
    ['name', 'name'],
    ['description', 'description'],
    ['color', 'color'],
    ['createdBy', 'createdBy'],
    ['created_by', 'createdBy'],
    ['updatedBy', 'updatedBy'],
    ['updated_by', 'updatedBy'],
    ['createdAt', 'createdAt'],
    ['created_at', 'createdAt'],
    ['updatedAt', 'updatedAt'],
    ['updated_at', 'updatedAt'],
  ];
  const NAMES =
    `Zebra apple Apple2 äpfel Äpfel-Mus Banana banana2 _under -dash #hash 10 9 2 éclair Eclair2 eclair3 zoo Öl öl2 ol
    Straße strassen Strasse2 ÉCOLE naïve naive2 Ñandú nandu2 Ωmega омега Омега2 ペン 日本 ça cab São sap Åre are2 %percent`.split(
      /\s+/,
    );
  const PEOPLE = ['ada', 'Ada', 'Zoë', 'zoe', 'Émile', 'emil'];
  const COLORS = ['#fff', 'FFF', '000', '#00ff00', 'ABCDEF'];
  // English sorts by the root collation.
  const collator = new Intl.Collator('en');

  let admin: Actor;
  let labels: Label[];
  beforeAll(async () => {
    admin = await signUpAdmin(service);
    const { token } = admin;
    for (const [index, name] of NAMES.entries()) {
      const [description, color] = [NAMES[index % 5], COLORS[index % COLORS.length]];
      const label = await create(admin, { name, description, color, userName: PEOPLE[index % PEOPLE.length] });
      const body = { userName: PEOPLE[(index * 7 + 3) % PEOPLE.length] };
      if (index % 3 === 0) expectStatus(await service.call('PUT', `/labels/${label.id}`, { token, body }), 200);
    }
    // Rounded to seconds, so that there are ties.
    await service.database.owner`
      UPDATE labels SET created_at = date_trunc('second', created_at), updated_at = date_trunc('second', updated_at)
      WHERE company_id = ${admin.companyId}`;
    labels = (await list(admin, { per_page: 1_000 })).body.data;
    expect(labels).toHaveLength(NAMES.length);
  });

  /** Texts by the ICU root collation, instants by time, ties by id. */
  function sorted(field: keyof Label, direction: 1 | -1): string[] {
    const isInstant = field === 'createdAt' || field === 'updatedAt';
    const compareIds = (one: string, two: string) => (one < two ? -1 : Number(one > two));
    const compare = isInstant ? compareIds : collator.compare;
    return [...labels]
      .sort((one, two) => direction * (compare(one[field], two[field]) || compareIds(one.id, two.id)))
      .map(({ id }) => id);
  }

  // Security (Bodies, paths and queries): Sorting is stable: no page repeats or drops a row
  it.each(SPELLINGS)(
    'order_by %s sorts on %s in both directions, and no page repeats or drops a row',
    async (spelling, field) => {
      for (const [sortBy, direction] of [
        ['ASC', 1],
        ['DESC', -1],
      ] as const) {
        const pages = await readPages(admin, { order_by: spelling, sort_by: sortBy, per_page: 7 });
        expect(pages.map(({ id }) => id)).toEqual(sorted(field, direction));
      }
    },
  );

  it('sort_by is ASC or DESC in any case', async () => {
    for (const sortBy of ['asc', 'Asc', 'aSC', 'desc', 'Desc', 'dEsC']) {
      const ids = (await list(admin, { sort_by: sortBy, per_page: 1_000 })).body.data.map(({ id }: Label) => id);
      expect(ids).toEqual(sorted('name', sortBy.toLowerCase() === 'asc' ? 1 : -1));
    }
  });

  it('a parameter that is not given has its default: DESC, or name', async () => {
    const ids = async (query: Record<string, string>) =>
      (await list(admin, { ...query, per_page: 1_000 })).body.data.map(({ id }: Label) => id);
    expect(await ids({ order_by: 'color' })).toEqual(sorted('color', -1));
    expect(await ids({ sort_by: 'ASC' })).toEqual(sorted('name', 1));
  });

  it('sorts and pages the results of a name search', async () => {
    const found = labels.filter(({ name }) => name.toLowerCase().includes('a')).map(({ id }) => id);
    const pages = await readPages(admin, { name: 'A', order_by: 'updatedBy', sort_by: 'asc', per_page: 4 });
    expect(pages.map(({ id }) => id)).toEqual(sorted('updatedBy', 1).filter((id) => found.includes(id)));
  });

  // Security (Bodies, paths and queries): Only listed fields can be sorted by
  it.each([
    [
      'order_by',
      [
        '',
        'id',
        'companyId',
        'user_id',
        'name desc',
        'name;--',
        '1',
        'created-at',
        'name,color',
        '__proto__',
        'constructor',
      ],
    ],
    ['sort_by', ['', 'up', 'name', 'ASC;', 'ASC NULLS LAST', '1', 'DESC, id', 'ascending']],
  ])('%s outside its list is 400', async (parameter, values) => {
    for (const value of values) {
      const refused = expectStatus(await list(admin, { [parameter]: value }), 400);
      expect(refused.body.error).toMatchObject({ code: 'invalid_request', details: [{ field: parameter }] });
    }
  });
});

// Security (Bodies, paths and queries): A search is literal: wildcards, quotes, backslashes
describe('GET /labels: name is a literal substring, compared without case', () => {
  const NAMES = [
    '100%',
    '100 percent',
    'a_b',
    'aXb',
    'back\\slash',
    'trailing\\',
    '\\',
    '%',
    '_',
    "quo'te",
    'dou"ble',
    'semi;colon',
  ];
  NAMES.push(
    'École élémentaire',
    'STRAẞE',
    'straße 2',
    'ПРИОРИТЕТ',
    '日本語',
    '\u{1F3F7} tag',
    "'; DROP TABLE labels; --",
    '$1',
    '[a-z]',
    'a*b',
    'x y',
  );
  const TERMS = [
    '%',
    '_',
    '\\',
    '\\\\',
    '%%',
    '0%',
    'a_b',
    'A_B',
    'axb',
    '_b',
    '\\s',
    '\\%',
    '\\_',
    "'",
    '"',
    ';',
    "'; drop",
    'école',
    'ÉLÉM',
    'ß',
  ];
  TERMS.push(
    'straße',
    'приор',
    '本',
    '\u{1F3F7}',
    '$1',
    '[a',
    '*',
    '.',
    ' ',
    'x y',
    ' x ',
    'nothing like it',
    '{}',
    'null',
    'e',
    'E',
  );

  let admin: Actor;
  beforeAll(async () => {
    admin = await signUpAdmin(service);
    for (const name of NAMES) await create(admin, { name });
  });

  it.each(TERMS)('%j', async (term) => {
    const answer = expectStatus(await list(admin, { name: term, per_page: 1_000 }), 200);
    const expected = NAMES.filter((name) => foldCase(name).includes(foldCase(term.trim())));
    expect(namesOf(answer).sort()).toEqual(expected.sort());
    expect(answer.body.total).toBe(expected.length);
  });

  it('finds any text in any names, as a plain string search does', async () => {
    const character = fc.constantFrom('a', 'A', 'b', '%', '_', '\\', "'", 'é', 'É', 'ß', 's', 'S', 'Σ', 'ς', '1', ' ');
    const text = (minLength: number, maxLength: number) => fc.string({ unit: character, minLength, maxLength });
    const keyOf = (name: string) => foldCase(name.trim());
    const names = fc.uniqueArray(text(1, 5), { selector: keyOf, minLength: 40, maxLength: 40 });
    const searched = await signUpAdmin(service);
    const kept = fc.sample(names, 1)[0]?.filter((name) => name.trim() !== '') ?? [];
    for (const name of kept) await create(searched, { name });
    await fc.assert(
      fc.asyncProperty(text(0, 3), async (term) => {
        const answer = expectStatus(await list(searched, { name: term, per_page: 1_000 }), 200);
        const expected = kept.filter((name) => keyOf(name).includes(keyOf(term))).map((name) => name.trim());
        expect(namesOf(answer).sort()).toEqual(expected.sort());
        expect(answer.body.total).toBe(expected.length);
      }),
      { numRuns: 60 },
    );
  });

  // Security (Bodies, paths and queries): A search of 10 kB is 400
  it('takes 255 characters; refuses more, U+0000 and invalid UTF-8', async () => {
    const { token } = admin;
    expect(expectStatus(await list(admin, { name: '%'.repeat(255) }), 200).body.total).toBe(0);
    for (const name of ['x'.repeat(256), 'x'.repeat(10_000)]) {
      expect(expectStatus(await list(admin, { name }), 400).body.error.details).toMatchObject([{ field: 'name' }]);
    }
    for (const query of ['name=a%00b', 'name=%ff', 'name=%ed%a0%80', 'name=%']) {
      expectStatus(await service.call('GET', `/labels?${query}`, { token }), 400);
    }
  });
});
