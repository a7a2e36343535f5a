import { readFileSync } from 'node:fs';
import { Marked, type Token } from 'marked';
import { html, type Markup, trusted } from './markup.ts';

/** A page of `docs/`, for people who run or use the service. */
export type Guide = {
  /** As in its address, `/docs/guides/billing`. */
  name: string;
  title: string;
  text: Markup;
  sections: readonly GuideSection[];
};

/** What stands below a heading of a guide: what a search finds. */
export type GuideSection = { title: string; anchor: string; text: string };

/** Guides as the index of `docs/` groups them. */
export type GuideGroup = { title: string; guides: readonly Guide[] };

const FOLDER = new URL('../../../../../docs/', import.meta.url);
const INDEX = 'README.md';

/** The guides that the index of `docs/` lists, in its order. */
export function readGuides(): GuideGroup[] {
  const groups = readFileSync(new URL(INDEX, FOLDER), 'utf8').split(/^\| (?=[^|]+ \| \|$)/m);
  return groups.slice(1).map((group) => {
    const names = [...group.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name = '']) => name);
    return { title: group.slice(0, group.indexOf(' |')), guides: names.map(readGuide) };
  });
}

function readGuide(name: string): Guide {
  const tokens = marked.lexer(readFileSync(new URL(`${name}.md`, FOLDER), 'utf8'));
  const sections = sectionsOf(tokens);
  return { name, title: sections[0]?.title ?? name, text: trusted(marked.parser(tokens)), sections };
}

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const anchor = anchorOf(text);
      return `<h${depth} id="${anchor}"><a href="#${anchor}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const address = addressOf(href);
      return address === null ? text : html`<a href="${address}">${trusted(text)}</a>`.markup;
    },
    // The guides are written in Markdown alone.
    html: () => '',
  },
});

/** Links between guides stay on this site. Null for a file that it does not show. */
function addressOf(href: string): string | null {
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name !== undefined) return `/docs/guides/${name}${anchor}`;
  return /^(https?:|#)/.test(href) ? href : null;
}

function sectionsOf(tokens: readonly Token[]): GuideSection[] {
  const sections: GuideSection[] = [];
  for (const token of tokens) {
    const last = sections.at(-1);
    if (token.type === 'heading' && token.depth <= 3)
      sections.push({ title: plain(token.text), anchor: anchorOf(token.text), text: '' });
    else if (last !== undefined) last.text += `${plain(token.raw.replace(/[|#]|```\w*/g, ' ')).replace(/\s+/g, ' ')} `;
  }
  return sections;
}

/** The fragment that GitHub gives to a heading, so that links to it hold there and here. */
function anchorOf(heading: string): string {
  return plain(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Text without the marks of Markdown. */
function plain(text: string): string {
  return text.replace(/[`*]|\]\([^)]*\)|\[/g, '');
}

/** The links to all guides, for the contents of a page; `current` is the one that is read. */
export function renderGuideLinks(groups: readonly GuideGroup[], current: string | null = null): Markup {
  const renderLink = ({ name, title }: Guide) =>
    html`<li><a href="/docs/guides/${name}"${name === current && trusted(' aria-current="page"')}>${title}</a></li>\n`;
  return html`${groups.map(({ title, guides }) => html`<h2>${title}</h2>\n<ul>${guides.map(renderLink)}</ul>\n`)}`;
}

/** What the search of the reference finds in the guides: a link and the text of each section, which stays hidden. */
export function renderGuideSections(groups: readonly GuideGroup[]): Markup {
  const sections = groups.flatMap(({ guides }) =>
    guides.flatMap((guide) => guide.sections.map((section) => ({ guide, section }))),
  );
  return html`<ul id="guides" class="guides" hidden>${sections.map(({ guide, section: { title, anchor, text } }) => {
    const heading = title === guide.title ? title : `${guide.title}: ${title}`;
    return html`<li hidden><a href="/docs/guides/${guide.name}#${anchor}">${heading}</a><span hidden>${text}</span></li>\n`;
  })}</ul>`;
}
