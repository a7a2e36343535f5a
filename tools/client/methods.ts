import { type Document, parametersIn } from './document.ts';
import { nameOperations, toName } from './names.ts';

const [BEGIN, END] = ['<!-- methods: written by `npm run openapi` -->\n', '<!-- end of methods -->\n'];

/** Replaces the table of methods in the README of the client. @throws Error when the README has no place for it */
export function writeMethods(readme: string, document: Document): string {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('The README of the client has no table of methods.');
  return `${before}${BEGIN}\n${tableOf(document)}\n${END}${after}`;
}

function tableOf(document: Document): string {
  const rows = [...nameOperations(document)].map(([name, { method, path, described }]) => {
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => toName(id));
    const body = described.requestBody === undefined ? [] : ['body'];
    const query = parametersIn('query', described, document).length === 0 ? [] : ['query'];
    return `| \`${name}(${[...ids, ...body, ...query].join(', ')})\` | \`${method.toUpperCase()} ${path}\` |\n`;
  });
  return `| Method of the client | Request |\n|---|---|\n${rows.sort().join('')}`;
}
