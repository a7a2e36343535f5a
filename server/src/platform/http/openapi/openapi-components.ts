import { isDeepStrictEqual } from 'node:util';

export type Json = Record<string, unknown>;

type Kind = 'schemas' | 'responses' | 'parameters' | 'examples' | 'headers';

export type Reference = { $ref: string };

/** What the document says once, under a name, and refers to wherever it holds. */
export type Components = {
  /** @returns the reference to it. @throws Error where something else of that kind has the name */
  add: (kind: Kind, name: string, content: Json) => Reference;
  /** All of it, in the order of the names. */
  toJson: () => Record<string, Json>;
};

/** The components of a document, none as yet. */
export function createComponents(): Components {
  const kinds = new Map<Kind, Map<string, Json>>();
  return {
    add: (kind, name, content) => {
      const ofKind = kinds.get(kind) ?? new Map<string, Json>();
      kinds.set(kind, ofKind);
      const there = ofKind.get(name);
      if (there !== undefined && !isDeepStrictEqual(there, content)) {
        throw new Error(`Two different ${kind} of the API reference have the name ${name}.`);
      }
      ofKind.set(name, content);
      return { $ref: `#/components/${kind}/${name}` };
    },
    toJson: () => Object.fromEntries([...kinds].map(([kind, ofKind]) => [kind, sortByName(ofKind)])),
  };
}

function sortByName(contents: Map<string, Json>): Json {
  return Object.fromEntries([...contents].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** `label.created`, `label_name_taken` and `createLabel` as the names of components begin. */
export function pascalCase(text: string): string {
  return text
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
