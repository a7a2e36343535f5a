import type { ESTree } from 'rolldown/utils';
import { boundIdentifiers } from './functions.ts';
import { type CodeFile, type Finding, findingAt, moduleName, type Project, type SyntaxNode } from './project.ts';

/** What may not stand in a name, alone or as a part of it, and what to write instead. */
const ABBREVIATIONS = new Map([
  ['acct', 'account'],
  ['addr', 'address'],
  ['amt', 'amount'],
  ['arr', 'list, or what it lists'],
  ['attr', 'attribute'],
  ['btn', 'button'],
  ['calc', 'calculate'],
  ['cb', 'callback'],
  ['cfg', 'config'],
  ['cnt', 'count'],
  ['conn', 'connection'],
  ['ctx', 'context'],
  ['curr', 'current, or currency'],
  ['cust', 'customer'],
  ['desc', 'description'],
  ['elem', 'element'],
  ['err', 'error'],
  ['evt', 'event'],
  ['fn', 'what the function does'],
  ['idx', 'index'],
  ['impl', 'what sets it apart'],
  ['inv', 'invoice'],
  ['len', 'length'],
  ['mgr', 'what it does'],
  ['msg', 'message'],
  ['num', 'number, or count'],
  ['obj', 'what it is'],
  ['opts', 'options'],
  ['pkg', 'package'],
  ['pmt', 'payment'],
  ['prev', 'previous'],
  ['pwd', 'password'],
  ['qty', 'quantity'],
  ['req', 'request'],
  ['res', 'response, or result'],
  ['resp', 'response'],
  ['str', 'text, or what it says'],
  ['svc', 'service'],
  ['tmp', 'temporary, or what it holds'],
  ['txn', 'tx, or payment'],
  ['usr', 'user'],
  ['util', 'what it does'],
  ['val', 'value'],
]);

type DeclaredName = { name: string; offset: number };

/** Names that are given here. Names that are only used (of libraries, of columns) are not ours to choose. */
export function abbreviations({ code }: Project): Finding[] {
  return code.flatMap((file) => [...declaredNames(file), fileName(file)].flatMap((declared) => judge(file, declared)));
}

function judge(file: CodeFile, { name, offset }: DeclaredName): Finding[] {
  for (const word of wordsOf(name)) {
    const abbreviation = [word, word.replace(/s$/, '')].find((form) => ABBREVIATIONS.has(form));
    if (abbreviation === undefined) continue;
    const message = `${name} abbreviates with "${abbreviation}"; write ${ABBREVIATIONS.get(abbreviation)}`;
    return [findingAt(file, offset, message, name)];
  }
  return [];
}

function wordsOf(name: string): string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  return spaced.toLowerCase().split(/[^a-z]+/);
}

function fileName({ path }: CodeFile): DeclaredName {
  return { name: path, offset: 0 };
}

function declaredNames(file: CodeFile): DeclaredName[] {
  const nodes = [...file.nodes.values()].flat();
  return nodes.flatMap(namesGivenBy).map(({ name, start }) => ({ name, offset: start }));
}

function namesGivenBy(node: SyntaxNode): { name: string; start: number }[] {
  switch (node.type) {
    case 'VariableDeclarator':
      return boundIdentifiers(node.id);
    case 'CatchClause':
      return boundIdentifiers(node.param);
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'TSDeclareFunction':
      return [...boundIdentifiers(node.id), ...node.params.flatMap((parameter) => boundIdentifiers(parameter))];
    case 'TSFunctionType':
    case 'TSMethodSignature':
    case 'TSCallSignatureDeclaration':
    case 'TSConstructorType':
      return [...keyName(node), ...node.params.flatMap((parameter) => boundIdentifiers(parameter))];
    case 'ClassDeclaration':
    case 'ClassExpression':
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      return boundIdentifiers(node.id);
    case 'TSTypeParameter':
      return boundIdentifiers(node.name);
    case 'PropertyDefinition':
    case 'MethodDefinition':
    case 'TSPropertySignature':
      return keyName(node);
    default:
      return importedAs(node);
  }
}

function keyName(node: SyntaxNode): { name: string; start: number }[] {
  if (!('key' in node) || !('computed' in node) || node.computed) return [];
  const key: ESTree.PropertyKey = node.key;
  return key.type === 'Identifier' || key.type === 'PrivateIdentifier' ? [{ name: key.name, start: key.start }] : [];
}

function importedAs(node: SyntaxNode): ESTree.BindingIdentifier[] {
  if (node.type === 'ImportDefaultSpecifier' || node.type === 'ImportNamespaceSpecifier') return [node.local];
  if (node.type !== 'ImportSpecifier' || node.local.name === moduleName(node.imported)) return [];
  return [node.local];
}
