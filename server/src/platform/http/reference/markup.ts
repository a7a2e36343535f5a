/** Markup that may stand in a page as it is. */
export type Markup = { readonly markup: string };
export type Piece = Markup | string | number | false | null | undefined | readonly Piece[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A template for markup. Every value in it is escaped, unless it is markup already. */
export function html(texts: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  return { markup: texts.map((text, index) => text + render(values[index])).join('') };
}

/** Takes a text for markup: only for what stands in this project's own files. */
export function trusted(markup: string): Markup {
  return { markup };
}

function render(piece: Piece): string {
  if (piece === undefined || piece === null || piece === false) return '';
  if (typeof piece === 'object') return 'markup' in piece ? piece.markup : piece.map(render).join('');
  return escapeMarkup(String(piece));
}

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** The Markdown that our descriptions use: paragraphs, `##` headings, tables, and code spans. */
export function markdown(text: string, anchor: (heading: string) => string = (heading) => heading): Markup[] {
  return text.split(/\n{2,}/).map((block) => {
    const heading = /^## (.+)$/.exec(block)?.[1];
    if (heading !== undefined) return html`<h2 id="${anchor(heading)}">${heading}</h2>`;
    if (block.startsWith('|')) return table(block);
    return html`<p>${inline(block)}</p>`;
  });
}

/** One line of Markdown: code spans, and nothing else. */
export function inline(text: string): Markup[] {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith('`') ? html`<code>${breakable(part.slice(1, -1))}</code>` : html`${part}`));
}

/** A name or a path that a narrow screen may break where its parts meet. */
export function breakable(text: string): Markup[] {
  return text.split(/(?<=[_/])/).map((part, index) => (index === 0 ? html`${part}` : html`<wbr>${part}`));
}

function table(block: string): Markup {
  const [head = [], , ...rows] = block.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return html`<div class="table"><table>
<thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>\n`)}</tbody>
</table></div>`;
}

/** A value as indented JSON, its names and literals marked for colour. */
export function jsonMarkup(value: unknown): Markup {
  const parts = JSON.stringify(value, null, 2).split(
    /("(?:\\.|[^"\\])*"(?:\s*:)?)|(\btrue\b|\bfalse\b|\bnull\b|-?\d[\d.eE+-]*)/,
  );
  return html`${parts.map((part) => colour(part))}`;
}

function colour(part: string | undefined): Piece {
  if (part === undefined || part === '') return null;
  if (part.endsWith(':') && part.startsWith('"')) return html`<i class="key">${part.slice(0, -1)}</i>:`;
  if (part.startsWith('"')) return html`<i class="text">${part}</i>`;
  return /^[-\dtfn]/.test(part) ? html`<i class="literal">${part}</i>` : part;
}
