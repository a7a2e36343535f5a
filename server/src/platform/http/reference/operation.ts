import {
  type ApiDocument,
  bodyOf,
  type Content,
  type DescribedOperation,
  exampleIn,
  type Parameter,
  type PathOperation,
  type Response,
} from './document.ts';
import { renderField, renderFields } from './fields.ts';
import { breakable, html, inline, jsonMarkup, type Markup, markdown } from './markup.ts';
import { curlSample } from './sample.ts';

/** One operation: what it takes and answers on the one side, a request and its answers on the other. */
export function renderOperation(placed: PathOperation, document: ApiDocument): Markup {
  const { method, path, operation } = placed;
  const { operationId: id, summary, description } = operation;
  return html`<article id="${id}" aria-labelledby="${id}-name">
<div class="explanation">
<h3 id="${id}-name"><a href="#${id}">${summary}</a></h3>
<p class="endpoint">${renderMethod(method)} <code>${breakable(path)}</code></p>
<p class="access">${accessOf(operation)}</p>
${markdown(description)}
${renderParameters(operation.parameters)}
${operation.requestBody && html`<h4>Body</h4>${renderFields(bodyOf(operation.requestBody.content).schema, document, { isAnswer: false })}`}
${successesOf(operation).map(([status, response]) => renderSuccess(status, response, document))}
${renderErrors(operation)}
</div>
<div class="shown">
${renderSample('Request', html`${curlSample(placed)}`)}
${successesOf(operation).map(([status, { content }]) => renderExample(status, content))}
</div>
</article>`;
}

/** The method of a request, in its colour. */
export function renderMethod(method: string): Markup {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

function accessOf({ security }: DescribedOperation): string {
  const [scheme] = security;
  if (scheme === undefined) return 'No credential';
  if (!('operatorKey' in scheme)) return 'Access token';
  return security.length > 1 ? 'Operator key, or access token of staff' : 'Operator key';
}

function renderParameters(parameters: Parameter[]): Markup[] {
  return Object.entries({ path: 'In the path', query: 'Query', header: 'Headers' }).flatMap(([location, title]) => {
    const here = parameters.filter((parameter) => parameter.in === location);
    if (here.length === 0) return [];
    const rows = here.map(({ name, schema, required, description }) => {
      return html`<li>${renderField({ name, schema, isRequired: required, ...(description && { description }) })}</li>\n`;
    });
    return [html`<h4>${title}</h4><ul class="fields">${rows}</ul>`];
  });
}

function successesOf({ responses }: DescribedOperation): [string, Response][] {
  return Object.entries(responses).filter(([status]) => status < '400');
}

function renderSuccess(status: string, response: Response, document: ApiDocument): Markup {
  const { content, headers = {}, description } = response;
  const schema = content && bodyOf(content).schema;
  return html`<h4>Answer <span class="status">${status}</span> <span class="outcome">${inline(description)}</span></h4>
${Object.entries(headers).map(([name, header]) => html`<p class="header"><code>${name}</code>: ${inline(header.description ?? '')}</p>`)}
${schema && html`<details class="answer" open><summary>Fields</summary>${renderFields(schema, document, { isAnswer: true })}</details>`}`;
}

function renderErrors({ responses }: DescribedOperation): Markup | null {
  const errors = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status < '400'
      ? []
      : Object.entries(bodyOf(content).examples ?? {}).map(([code, { summary = '', value }]) => {
          return html`<li><details><summary><span class="status refused">${status}</span> <code>${code}</code>
<span class="meaning">${inline(summary)}</span></summary><pre tabindex="0"><code>${jsonMarkup(value)}</code></pre></details></li>\n`;
        }),
  );
  return errors.length === 0 ? null : html`<h4>Errors</h4><ul class="errors">${errors}</ul>`;
}

function renderExample(status: string, content: Content | undefined): Markup | null {
  if (content === undefined) return null;
  const [mediaType = ''] = Object.keys(content);
  const example = exampleIn(bodyOf(content));
  if (!mediaType.includes('json'))
    return typeof example === 'string' && example !== '' ? renderSample(`Answer ${status}`, html`${example}`) : null;
  return renderSample(`Answer ${status}`, jsonMarkup(example));
}

function renderSample(title: string, text: Markup): Markup {
  return html`<figure><figcaption>${title}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`;
}
