import type { ESTree } from 'rolldown/utils';
import { type CodeFile, type Finding, findingAt, type Project, visit } from './project.ts';

const ABBREVIATIONS =
  `acct addr amt arr attr btn calc cb cfg cnt conn ctx curr cust desc elem err evt fn idx impl inv len mgr msg num obj
  opts pkg pmt prev pwd qty req res resp str svc tmp txn usr util val`.split(/\s+/);

const alternatives = ABBREVIATIONS.join('|');
const capitalized = ABBREVIATIONS.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('|');

/** An abbreviation as a word of a name: `amt`, `totalAmt`, `MAX_AMT`, `amts`. */
const ABBREVIATION = new RegExp(
  `(?<![a-zA-Z])(${alternatives})s?(?![a-z])|(${capitalized})s?(?![a-z])|(?<![A-Z])(${alternatives.toUpperCase()})S?(?![a-zA-Z])`,
);

/** Names are full words of the field. What a library calls its things is not ours to choose. */
export function abbreviations({ code }: Project): Finding[] {
  return code.flatMap((file) =>
    [...namesIn(file), { name: file.path, start: 0 }].flatMap(({ name, start }) => {
      const [abbreviation] = ABBREVIATION.exec(name) ?? [];
      return abbreviation
        ? [findingAt(file, start, `${name} abbreviates: write "${abbreviation}" as a full word`)]
        : [];
    }),
  );
}

type Identifier = ESTree.Node & { name: string };

/** The names in a file, each once, without those that a library gives to its members, options, types and exports. */
function namesIn(file: CodeFile): Identifier[] {
  if (!ABBREVIATION.test(file.text)) return [];
  const names: Identifier[] = [];
  const given = new Set<ESTree.Node>();
  const imported = new Set<string>();
  visit(file, {
    Identifier: (node) => void names.push(node),
    PrivateIdentifier: (node) => void names.push(node),
    MemberExpression: ({ property }) => void given.add(property),
    TSQualifiedName: ({ right }) => void given.add(right),
    Property: ({ key, shorthand }) => void (shorthand || given.add(key)),
    ExportSpecifier: ({ local, exported }) => void given.add(local).add(exported),
    ImportSpecifier: ({ imported: name, local }) => {
      given.add(name);
      if (name.type === 'Identifier' && name.name === local.name) imported.add(name.name);
    },
  });
  const ours = names.filter((node) => !given.has(node) && !imported.has(node.name));
  return [...Map.groupBy(ours, ({ name }) => name).values()].flatMap(([first]) => first ?? []);
}
