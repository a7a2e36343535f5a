import type { Named, RouteCases } from '../../test/battery/battery.ts';
import { PAGE, PAGE_SIZE } from '../../test/battery/cases/query-values.ts';
import { expectStatus } from '../../test/customers/actors.ts';

/** A new label. */
export const LABEL: Named = {
  table: 'labels',
  make: async (service, { token }) =>
    expectStatus(await service.call('POST', '/labels', { token, body: labelBody() }), 201).body.id,
};

function labelBody(): object {
  return { name: `Label ${crypto.randomUUID()}`, description: 'Anything', color: '#ff8800', userName: 'Grace' };
}

const longTexts = { description: 2_000 };

export const CASES: RouteCases = {
  'POST /labels': { access: 'application.labels.all', body: labelBody, longTexts },
  'GET /labels': {
    access: 'application.labels.view',
    parameters: {
      current_page: PAGE,
      per_page: PAGE_SIZE,
      sort_by: {
        takes: ['ASC', 'DESC', 'asc', 'Desc'],
        refuses: ['', 'x', 'up', 'DESC;', 'DESC, id', 'ascending', '-1', 'null'],
      },
      order_by: {
        takes: ['name', 'description', 'color', 'createdBy', 'updatedBy', 'createdAt', 'updatedAt'].concat(
          'created_at',
          'updated_by',
        ),
        refuses: [
          ...['', 'x', 'id', 'companyId', 'company_id', 'user_id', 'NAME', 'name DESC', 'name,id'],
          ...['name;DROP TABLE labels', '1', '(SELECT 1)', '"name"', 'labels.name', '__proto__', 'constructor'],
          ...['toString', 'hasOwnProperty', 'null'],
        ],
      },
      name: {
        takes: [
          ...['', 'x', '%', '_', '\\', '\\\\', "'", '";', 'a'.repeat(255), '😀', '   ', '__proto__', 'null', '*'],
          ...['$1', '?'],
        ],
        refuses: ['a'.repeat(256), 'a'.repeat(10_000)],
      },
    },
  },
  'GET /labels/:label_id': { access: 'application.labels.view', names: LABEL },
  'PUT /labels/:label_id': {
    access: 'application.labels.all',
    sampleRefusal: /^409 .*this name/,
    body: labelBody,
    update: () => ({ ...labelBody(), description: 'Something else', color: '#0088ff' }),
    names: LABEL,
    longTexts,
  },
  'DELETE /labels': {
    access: 'application.labels.all',
    body: () => ({ label_ids: [crypto.randomUUID()] }),
    changesNothing: 'no label has the id',
  },
};
