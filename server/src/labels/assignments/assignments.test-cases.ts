import type { RouteCases } from '../../../test/battery/battery.ts';
import { PAGE, PAGE_SIZE, type Parameter } from '../../../test/battery/cases/query-values.ts';
import { LABEL } from '../labels.test-cases.ts';

const RECORD_TYPE: Parameter = {
  takes: ['agent', 'ticket', 'customer'],
  refuses: ['', 'x', 'Ticket', 'ticket,agent', 'null', "ticket'", '__proto__'],
};

function targetsBody(): object {
  return { targets: [{ type: 'ticket', id: crypto.randomUUID() }] };
}

export const CASES: RouteCases = {
  'GET /labels/assignments': {
    access: 'application.labels.view',
    sampleRefusal: /^400 id /,
    query: 'type=ticket&id=T-1',
    parameters: {
      type: RECORD_TYPE,
      id: { takes: ['T-1', 'a'.repeat(255), '%', "'"], refuses: ['', ' ', 'a,b', 'a\u0007b', 'a'.repeat(256)] },
      // Never beside an id.
      ids: {
        takes: [],
        refuses: [
          ...['', ',', 'a,', ',a', 'a,,b', 'a, ,b', 'a\u0007b', `b,${'a'.repeat(256)}`],
          Array(101).fill('a').join(),
        ],
      },
    },
  },
  'PUT /labels/assignments': {
    access: 'application.labels.all',
    sampleRefusal: /^400 label_ids /,
    body: () => ({ type: 'ticket', id: crypto.randomUUID(), label_ids: [] }),
    changesNothing: 'the record has no labels, and gets none',
    notReadBack: 'a record has no address of its own',
  },
  'GET /labels/:label_id/assignments': {
    access: 'application.labels.view',
    names: LABEL,
    parameters: { type: RECORD_TYPE, page: PAGE, per_page: PAGE_SIZE },
  },
  'POST /labels/:label_id/assignments': { access: 'application.labels.all', body: targetsBody, names: LABEL },
  'DELETE /labels/:label_id/assignments': {
    access: 'application.labels.all',
    body: targetsBody,
    names: LABEL,
    changesNothing: 'no record has the label',
  },
};
