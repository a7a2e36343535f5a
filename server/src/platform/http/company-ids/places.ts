/** Where in values of a schema fields of one kind stand. */
export type Places = {
  /** Whether the value itself is such a field. */
  isHere: boolean;
  properties: ReadonlyMap<string, Places>;
  items: Places | null;
};

/** `x-like`: what the value may be, where the API reference does not say so. */
type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; 'x-like'?: readonly Schema[] };

/** The places of a schema's fields of one kind; null when there are none. What a schema leaves open, such as `metadata`, has none. */
export function placesOf(schema: object, isOne: (name: string, field: object) => boolean): Places | null {
  return findPlaces(schema, '', isOne);
}

function findPlaces(schema: Schema, name: string, isOne: (name: string, field: object) => boolean): Places | null {
  const properties = Object.entries(schema.properties ?? {}).flatMap(([property, field]): [string, Places][] => {
    const places = findPlaces(field, property, isOne);
    return places === null ? [] : [[property, places]];
  });
  const items = schema.items === undefined ? null : findPlaces(schema.items, '', isOne);
  const choices = [...(schema.anyOf ?? []), ...(schema['x-like'] ?? [])].flatMap(
    (choice) => findPlaces(choice, name, isOne) ?? [],
  );
  const own: Places = { isHere: isOne(name, schema), properties: new Map(properties), items };
  const all = [own, ...choices].reduce(mergePlaces);
  return all.isHere || all.properties.size > 0 || all.items !== null ? all : null;
}

/** The places of either. */
function mergePlaces(left: Places, right: Places): Places {
  const properties = new Map(left.properties);
  for (const [name, places] of right.properties) {
    const known = properties.get(name);
    properties.set(name, known === undefined ? places : mergePlaces(known, places));
  }
  const items =
    left.items !== null && right.items !== null ? mergePlaces(left.items, right.items) : (left.items ?? right.items);
  return { isHere: left.isHere || right.isHere, properties, items };
}
