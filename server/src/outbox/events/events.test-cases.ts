import type { RouteCases } from '../../../test/battery/battery.ts';
import { ANY_ID, CURSOR, PAGE_SIZE, TIME } from '../../../test/battery/cases/query-values.ts';

export const CASES: RouteCases = {
  'GET /operator/events': {
    access: 'operator',
    parameters: {
      perPage: PAGE_SIZE,
      cursor: CURSOR,
      companyId: ANY_ID,
      type: { takes: ['card.created'], refuses: ['', 'x', 'card', 'card.created,card.updated', '*'] },
      startAt: TIME,
      endAt: TIME,
    },
  },
};
