import type { RouteCases } from '../../../test/battery/battery.ts';

export const CASES: RouteCases = { 'GET /operator/overview': { access: 'operator' } };
