import { type Actor, expectStatus } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';

const LABEL = { table: 'labels', make: createLabel };

/** The battery's cases of labels, and of what has them. */
export const LABEL_CASES = {
  'POST /labels': { access: 'application.labels.all' as const, body: labelBody },
  'GET /labels': { access: 'application.labels.view' as const },
  'GET /labels/:label_id': { access: 'application.labels.view' as const, names: LABEL },
  'PUT /labels/:label_id': {
    access: 'application.labels.all' as const,
    body: labelBody,
    update: () => ({ ...labelBody(), description: 'Something else', color: '#0088ff' }),
    names: LABEL,
  },
  'DELETE /labels': {
    access: 'application.labels.all' as const,
    body: () => ({ label_ids: [crypto.randomUUID()] }),
  },
  'GET /labels/assignments': { access: 'application.labels.view' as const, query: 'type=ticket&id=T-1' },
  'PUT /labels/assignments': {
    access: 'application.labels.all' as const,
    body: () => ({ type: 'ticket', id: crypto.randomUUID(), label_ids: [] }),
  },
  'GET /labels/:label_id/assignments': { access: 'application.labels.view' as const, names: LABEL },
  'POST /labels/:label_id/assignments': {
    access: 'application.labels.all' as const,
    body: targetsBody,
    names: LABEL,
  },
  'DELETE /labels/:label_id/assignments': {
    access: 'application.labels.all' as const,
    body: targetsBody,
    names: LABEL,
  },
};

function labelBody(): object {
  return { name: `Label ${crypto.randomUUID()}`, description: 'Anything', color: '#ff8800', userName: 'Grace' };
}

function targetsBody(): object {
  return { targets: [{ type: 'ticket', id: crypto.randomUUID() }] };
}

async function createLabel(service: TestService, { token }: Actor): Promise<string> {
  return expectStatus(await service.call('POST', '/labels', { token, body: labelBody() }), 201).body.id;
}

type Parameter = { takes: string[]; refuses: string[] };

const RECORD_TYPE = {
  takes: ['agent', 'ticket', 'customer'],
  refuses: ['', 'x', 'Ticket', 'ticket,agent', 'null', "ticket'", '__proto__'],
};

/** What the queries of labels take and refuse. */
export const labelParameters = (page: Parameter, pageSize: Parameter): Record<string, Record<string, Parameter>> => ({
  'GET /labels': {
    current_page: page,
    per_page: pageSize,
    sort_by: {
      takes: ['ASC', 'DESC', 'asc', 'Desc'],
      refuses: ['', 'x', 'up', 'DESC;', 'DESC, id', 'ascending', '-1', 'null'],
    },
    order_by: {
      takes: [
        'name',
        'description',
        'color',
        'createdBy',
        'updatedBy',
        'createdAt',
        'updatedAt',
        'created_at',
        'updated_by',
      ],
      refuses: [
        '',
        'x',
        'id',
        'companyId',
        'company_id',
        'user_id',
        'NAME',
        'name DESC',
        'name,id',
        'name;DROP TABLE labels',
        '1',
      ].concat('(SELECT 1)', '"name"', 'labels.name', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null'),
    },
    name: {
      takes: [
        '',
        'x',
        '%',
        '_',
        '\\',
        '\\\\',
        "'",
        '";',
        'a'.repeat(255),
        '😀',
        '   ',
        '__proto__',
        'null',
        '*',
        '$1',
        '?',
      ],
      refuses: ['a'.repeat(256), 'a'.repeat(10_000)],
    },
  },
  'GET /labels/assignments': {
    type: RECORD_TYPE,
    id: { takes: ['T-1', 'a'.repeat(255), '%', "'"], refuses: ['', ' ', 'a,b', 'a\u0007b', 'a'.repeat(256)] },
    // Never beside an id.
    ids: {
      takes: [],
      refuses: ['', ',', 'a,', ',a', 'a,,b', 'a, ,b', 'a\u0007b', `b,${'a'.repeat(256)}`, Array(101).fill('a').join()],
    },
  },
  'GET /labels/:label_id/assignments': { type: RECORD_TYPE, page, per_page: pageSize },
});
