import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { EVENT_CATALOGUE } from '../../../server/src/features.ts';
import { actionsOf } from './audit-actions.ts';
import { choosableTypes, EVENT_TYPES } from './event-types.ts';
import { messages as de } from './messages/de.ts';
import { messages as en } from './messages/en.ts';
import { messages as es } from './messages/es.ts';
import { messages as fr } from './messages/fr.ts';

type Words = string | { readonly [key: string]: Words } | undefined;

/** What a catalogue says for a code such as `invoice.created`. */
function wordsFor(words: Words, code: string): Words {
  return code.split('.').reduce<Words>((part, key) => (typeof part === 'object' ? part[key] : undefined), words);
}

const reference = JSON.parse(await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'));
const eventTypes: string[] = reference.components.schemas.Event.properties.type.enum;

const auditActions: string[] = reference.components.schemas.AuditEntry.properties.action.enum;

describe.each(Object.entries({ en, de, fr, es }))('the catalogue %s', (_language, { events, eventGroups, actions }) => {
  test.each(eventTypes)('has words for the event %s', (type) => {
    expect(wordsFor(events, type)).toMatch(/^\p{Lu}.*[^.]$/u);
    expect(wordsFor(eventGroups, type.split('.', 1)[0] ?? '')).toMatch(/^\p{Lu}/u);
  });

  test.each(auditActions)('has words for the action %s of the audit log', (action) => {
    expect(wordsFor(events, action) ?? wordsFor(actions, action)).toMatch(/^\p{Lu}.*[^.]$/u);
  });
});

test('the filter of the audit log offers every action, and a company’s none of those on what is the operator’s', () => {
  expect(actionsOf('operator').toSorted()).toEqual(auditActions.toSorted());
  const companies = actionsOf('company');
  expect(companies).toContain('card.created');
  expect(companies).not.toContain('price.created');
});

test('an endpoint of a company can choose the events of companies, and one of the operator all events', () => {
  const types = Object.entries(EVENT_CATALOGUE).filter(([type]) => type !== 'webhook.ping');
  const chosen = (owner: 'company' | 'operator') => choosableTypes(owner).flatMap(([, ofGroup]) => ofGroup);
  expect(EVENT_TYPES.toSorted()).toEqual(Object.keys(EVENT_CATALOGUE).toSorted());
  expect(chosen('operator').toSorted()).toEqual(types.map(([type]) => type).toSorted());
  const ofCompanies = types.filter(([, { audience }]) => audience === 'company');
  expect(chosen('company').toSorted()).toEqual(ofCompanies.map(([type]) => type).toSorted());
});
