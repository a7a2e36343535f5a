import type { Static } from 'typebox';
import { externalIdText } from '../../../platform/http/company-ids/company-id.ts';
import { timestamp } from '../../../platform/http/schema/fields.ts';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../../platform/http/schema/pagination.ts';
import { Type } from '../../../platform/http/schema/type.ts';

const UnattributedUsage = namedObject('UnattributedUsage', {
  externalId: Type.String({ description: 'The external id that no company has.', examples: ['acme'] }),
  events: Type.Integer({ description: 'The number of events that wait.', examples: [12] }),
  quantity: Type.String({ description: 'Their total quantity.', examples: ['34'] }),
  firstAt: { ...timestamp(), description: 'When the first of them came.' },
  lastAt: { ...timestamp(), description: 'When the last of them came.' },
});
export type UnattributedUsage = Static<typeof UnattributedUsage>;

export const UnattributedUsageList = pageOf('UnattributedUsageList', UnattributedUsage);
export type UnattributedUsageList = Static<typeof UnattributedUsageList>;

export const UnattributedUsageQuery = Type.Object(pageQuery);
export type UnattributedUsageQuery = Static<typeof UnattributedUsageQuery>;

export const UnattributedUsageDeletion = Type.Object({
  externalId: externalIdText('The external id, without `external:`.'),
});
