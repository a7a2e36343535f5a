import { boundIdentifiers } from './functions.ts';
import { type CodeFile, type Finding, findingAt, moduleName, type Project, type SyntaxNode } from './project.ts';

/** What may not stand in a name, alone or as a part of it. */
const ABBREVIATIONS = new Set(
  `acct addr amt arr attr btn calc cb cfg cnt conn ctx curr cust desc elem err evt fn idx impl inv len mgr msg num obj opts pkg pmt prev pwd
  qty req res resp str svc tmp txn usr util val`.split(/\s+/),
);

/** Names that are given here. Names that are only used (of libraries, of columns) are not ours to choose. */
export function abbreviations({ code }: Project): Finding[] {
  return code.flatMap((file) =>
    [...declaredNames(file), { name: file.path, start: 0 }].flatMap(({ name, start }) => {
      const abbreviation = wordsOf(name).find(
        (word) => ABBREVIATIONS.has(word) || ABBREVIATIONS.has(word.replace(/s$/, '')),
      );
      if (abbreviation === undefined) return [];
      return [findingAt(file, start, `${name} abbreviates with "${abbreviation}"; write the word`, name)];
    }),
  );
}

function wordsOf(name: string): string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  return spaced.toLowerCase().split(/[^a-z]+/);
}

/** Where nodes of any type hold the names that they give: of variables, parameters, properties, imports. */
type Naming = {
  id?: SyntaxNode;
  param?: SyntaxNode;
  params?: SyntaxNode[];
  local?: SyntaxNode;
  key?: SyntaxNode;
  computed?: boolean;
};

function declaredNames(file: CodeFile): { name: string; start: number }[] {
  const nodes = [...file.nodes.values()].flat().filter((node) => !usesNames(node));
  return nodes.flatMap((node) => {
    const { id, param, params = [], local, key, computed } = node as Naming;
    const typeName = node.type === 'TSTypeParameter' ? node.name : undefined;
    return [id, param, ...params, local, computed ? undefined : key, typeName].flatMap((name) =>
      boundIdentifiers(name),
    );
  });
}

/** An object literal's keys may be a library's, and an import or export may pass a name on as it is. */
function usesNames(node: SyntaxNode): boolean {
  if (node.type === 'ImportSpecifier') return node.local.name === moduleName(node.imported);
  return node.type === 'Property' || node.type === 'ExportSpecifier';
}
