import type { ApiDocument, Schema } from './document.ts';
import { html, inline, type Markup } from './markup.ts';

/** How many fields an inner object may have to stand open at first. */
const MOST_OPEN_FIELDS = 8;

/** The fields of a schema, each with its type, its bounds and what it means; the fields of inner objects folded below it. */
export function renderFields(schema: Schema, document: ApiDocument, { isAnswer }: { isAnswer: boolean }): Markup {
  const { properties, required = [] } = objectIn(schema, document);
  if (properties === undefined) return html`<p class="type">${typeOf(schema)}</p>`;
  const rows = Object.entries(properties).map(([name, field]) => {
    const isRequired = !isAnswer && required.includes(name);
    return html`<li>${renderField({ name, schema: field, isRequired })}${renderInner(name, field, document, isAnswer)}</li>\n`;
  });
  return html`<ul class="fields">${rows}</ul>`;
}

/** One name with its type, its bounds and what it means. */
export function renderField(field: {
  name: string;
  schema: Schema;
  isRequired: boolean;
  description?: string;
}): Markup {
  const { name, schema, isRequired, description = schema.description } = field;
  const bounds = boundsOf(schema);
  return html`<p class="field"><code>${name}</code> <span class="type">${typeOf(schema)}</span>${
    isRequired && html` <span class="required">required</span>`
  }</p>${description !== undefined && html`<p>${inline(description)}</p>`}${
    bounds.length > 0 && html`<p class="bounds">${inline(bounds.join(' · '))}</p>`
  }`;
}

function renderInner(name: string, schema: Schema, document: ApiDocument, isAnswer: boolean): Markup | null {
  const inner = objectIn(schema, document);
  const count = Object.keys(inner.properties ?? {}).length;
  if (count === 0) return null;
  const fields = renderFields(inner, document, { isAnswer });
  return html`<details${count <= MOST_OPEN_FIELDS && html` open`}>
<summary>${count} fields of <code>${name}</code></summary>${fields}</details>`;
}

/** The object that a schema describes, lists or may be, if any. */
function objectIn(schema: Schema, document: ApiDocument): Schema {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return document.components.schemas[name] ?? {};
  if (schema.items !== undefined) return objectIn(schema.items, document);
  if (schema.anyOf === undefined) return schema;
  const objects = schema.anyOf.map((one) => objectIn(one, document));
  return { properties: Object.assign({}, ...objects.map(({ properties }) => properties)) };
}

function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  const types = [schema.type ?? (schema.enum === undefined ? 'anything' : 'string')].flat();
  const names = types.map((type) => {
    if (type === 'array')
      return schema.items === undefined ? 'array' : `array of ${typeOf(schema.items).replace(/^\w+/, '$&s')}`;
    return schema.format !== undefined && type === 'string' ? `${type} (${schema.format})` : type;
  });
  return names.join(' or ');
}

function boundsOf(schema: Schema): string[] {
  return [
    schema.enum === undefined ? '' : `one of ${schema.enum.map((value) => `\`${value}\``).join(', ')}`,
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
    schema.default === undefined ? '' : `default \`${JSON.stringify(schema.default)}\``,
  ].filter((bound) => bound !== '');
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const [low, high] = [least, most].map((bound) => bound?.toLocaleString('en'));
  if (high !== undefined) return low === undefined ? `at most ${high}${unit}` : `${low} to ${high}${unit}`;
  return low === undefined ? '' : `at least ${low}${unit}`;
}
