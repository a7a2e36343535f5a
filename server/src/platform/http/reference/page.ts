import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dereference } from '../openapi/dereference.ts';
import { type ApiDocument, anchorOf, operationsOf } from './document.ts';
import { renderFields } from './fields.ts';
import { type Guide, type GuideGroup, renderGuideLinks, renderGuideSections } from './guides.ts';
import { html, inline, type Markup, markdown, trusted } from './markup.ts';
import { renderMethod, renderOperation } from './operation.ts';

export type Page = {
  text: string;
  /** Allows the page's own style and script, by their hashes, and nothing else. */
  contentSecurityPolicy: string;
};

/**
 * The page that shows an OpenAPI document to people. It is whole in itself: it asks for nothing more, and everything on it
 * can be read without its script, which adds the search and the buttons that copy.
 */
export function renderReferencePage(given: ApiDocument, guides: readonly GuideGroup[]): Page {
  const document = dereference(given);
  const script = readBeside('./browser/search.js') + readBeside('./browser/page.js');
  const { info, tags } = document;
  const errorFields = renderFields(document.components.schemas.Error ?? {}, document, { isAnswer: true });
  const page = html`<a class="skip" href="#main">Skip to the operations</a>
<header class="bar">
<a class="brand" href="#top">${info.title}</a>
<button type="button" popovertarget="contents">Contents</button>
</header>
${renderContents(document, guides)}
<main id="main">
<div id="top" class="introduction">
<h1>${info.title} API</h1>
<p class="version">Version ${info.version} · <a href="/openapi.json">OpenAPI document</a></p>
${markdown(info.description, anchorOf)}
<details><summary>Fields of an error</summary>${errorFields}</details>
</div>
${renderGuideSections(guides)}
<div id="results" hidden><p id="nothing" hidden></p></div>
${tags.map((tag) => renderTag(tag, document))}
</main>`;
  return renderPage({ title: `${info.title} API reference`, body: page, script });
}

/** A guide beside the links to all of them. */
export function renderGuidePage({ name, title, text }: Guide, guides: readonly GuideGroup[]): Page {
  const body = html`<header class="bar">
<a class="brand" href="/docs">Paydesk</a>
<button type="button" popovertarget="contents">Contents</button>
</header>
<nav id="contents" class="contents" popover aria-label="Contents">
<a class="brand" href="/docs">Paydesk</a>
<ul><li><a href="/docs">API reference and search</a></li></ul>
${renderGuideLinks(guides, name)}
</nav>
<main id="main" class="guide">
${text}
</main>`;
  return renderPage({ title: `${title} · Paydesk`, body, script: null });
}

/** A page that brings its own style and script along and allows no other. */
function renderPage({ title, body, script }: { title: string; body: Markup; script: string | null }): Page {
  const style =
    readBeside('./browser/page.css') + readBeside('./browser/operation.css') + readBeside('./browser/guides.css');
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
${body}
${script !== null && html`<script>${trusted(script)}</script>\n`}</body>
</html>
`;
  const contentSecurityPolicy =
    `default-src 'none'; style-src ${hashOf(style)}; ${script === null ? '' : `script-src ${hashOf(script)}; `}` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return { text: page.markup, contentSecurityPolicy };
}

function renderContents(document: ApiDocument, guides: readonly GuideGroup[]): Markup {
  const headings = [...document.info.description.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  return html`<nav id="contents" class="contents" popover aria-label="Contents">
<a class="brand" href="#top">${document.info.title}</a>
<div class="search" role="search" hidden>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="Path, field, error code or word"
 aria-describedby="found">
<p id="found" role="status"></p>
</div>
<ul id="ranked"></ul>
<ul>${headings.map((heading) => html`<li><a href="#${anchorOf(heading)}">${heading}</a></li>\n`)}</ul>
${document.tags.map(({ name }) => {
  const links = operationsOf(document, name).map(({ method, operation: { operationId, summary } }) => {
    return html`<li><a href="#${operationId}"><span>${summary}</span> ${renderMethod(method)}</a></li>\n`;
  });
  return html`<h2><a href="#${anchorOf(name)}">${name}</a></h2>\n<ul>${links}</ul>`;
})}
${renderGuideLinks(guides)}
</nav>`;
}

function renderTag({ name, description }: ApiDocument['tags'][number], document: ApiDocument): Markup {
  const id = anchorOf(name);
  return html`<section id="${id}" aria-labelledby="${id}-name">
<div class="tag"><h2 id="${id}-name"><a href="#${id}">${name}</a></h2>${description && html`<p>${inline(description)}</p>`}</div>
${operationsOf(document, name).map((placed) => renderOperation(placed, document))}
</section>`;
}

function readBeside(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
