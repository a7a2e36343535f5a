import { memberName, rootName } from './functions.ts';
import { type Finding, findingAt, nodesOf, type Project } from './project.ts';

/** Classes other than errors. */
export function classes({ code }: Project): Finding[] {
  return code.flatMap((file) =>
    [...nodesOf(file, 'ClassDeclaration'), ...nodesOf(file, 'ClassExpression')]
      .filter(
        ({ superClass }) => !/Error$/.test(superClass ? (memberName(superClass) ?? rootName(superClass) ?? '') : ''),
      )
      .map((node) => {
        const name = node.id?.name ?? 'without a name';
        return findingAt(file, node.start, `class ${name}; use functions`, name);
      }),
  );
}

/** Notes about work left over, and what switches the type checker off for a file: in comments of code, anywhere in other files. */
export function leftovers({ files, code }: Project): Finding[] {
  const words = /\b(TODO|FIXME)\b|@ts-nocheck\b/g;
  const codePaths = new Set(code.map(({ path }) => path));
  const texts = files.filter(({ path }) => !codePaths.has(path) && !path.endsWith('package-lock.json'));
  return [
    ...code.flatMap((file) => file.comments.map(({ text, start }) => ({ file, text, start }))),
    ...texts.map((file) => ({ file, text: file.text, start: 0 })),
  ].flatMap(({ file, text, start }) =>
    [...text.matchAll(words)].map((match) => findingAt(file, start + match.index, `leaves a ${match[0]}`)),
  );
}
