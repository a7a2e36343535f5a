import type { TSchema } from 'typebox';
import type { Audience } from '../../operator-scope.ts';
import { companyIdsOrNull } from '../company-ids/company-id.ts';
import { timestamp, uuid } from '../schema/fields.ts';
import { namedObject } from '../schema/named.ts';
import { Type } from '../schema/type.ts';
import { type Components, type Json, pascalCase } from './openapi-components.ts';
import { describeAnswer } from './openapi-content.ts';

/** What a type of event means and brings along. */
export type EventDeclaration = {
  /** `operator`: endpoints of companies do not get it, and `companyId` is null, whichever company it is about. */
  audience: Audience;
  /** When it happens. */
  summary: string;
  /** What `data` holds: the same as the API shows. */
  data: TSchema;
  /** Where its example differs from what the fields' examples add up to. */
  example?: object;
};

/** What is sent to webhook endpoints, by type. */
export type WebhookCatalogue = Readonly<Record<string, EventDeclaration>>;

const HEADERS = {
  'webhook-id':
    'The id of the event, which is the same on every attempt. Ignore an event that you have already received.',
  'webhook-timestamp': 'When this attempt was made, in seconds since 1970.',
  'webhook-signature':
    'One signature, or two while a secret is being rotated, separated by a space. A signature is `v1,` followed by base64.',
};

/** The section `webhooks` of the OpenAPI document: each type of event, with an example. */
export function describeWebhooks(catalogue: WebhookCatalogue, components: Components): Json {
  const parameters = Object.entries(HEADERS).map(([name, description]) =>
    components.add('parameters', name.split('-').map(pascalCase).join(''), {
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    }),
  );
  const responses = {
    '2XX': components.add('responses', 'EventTaken', {
      description: 'The event was accepted. Paydesk does not send it again.',
    }),
    410: components.add('responses', 'EventUnwanted', {
      description: 'Your server wants no more events. Paydesk disables the endpoint.',
    }),
    default: components.add('responses', 'EventNotTaken', {
      description: 'Paydesk sends the event again later, ten times in all over about 75 hours.',
    }),
  };
  const describe = ([type, { summary, data, example }]: [string, EventDeclaration]) => {
    const name = `${pascalCase(type)}Event`;
    const post = {
      operationId: `receive${pascalCase(type)}`,
      tags: ['Webhooks'],
      summary,
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: describeAnswer(eventSchema(name, type, data), components, example && { data: example }),
      },
      responses,
    };
    return [type, { post }];
  };
  return Object.fromEntries(Object.entries(catalogue).map(describe));
}

function eventSchema(name: string, type: string, data: TSchema): TSchema {
  return namedObject(name, {
    id: uuid('The `webhook-id`.'),
    type: Type.Enum([type]),
    timestamp: timestamp(),
    ...companyIdsOrNull('The company that the event is about. Null for an event that is about no company.'),
    data,
  });
}

/** The types of events as a table, for the page. */
export function eventTable(catalogue: WebhookCatalogue): string {
  const rows = Object.entries(catalogue).map(([type, { summary }]) => `| \`${type}\` | ${summary} |`);
  return ['| event | when |', '|---|---|', ...rows].join('\n');
}
