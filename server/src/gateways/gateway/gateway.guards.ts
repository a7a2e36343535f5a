/**
 * Small checks of untrusted JSON. Hand-written, because loading a validation library would slow every start of the
 * service.
 */

export type Guard<Value> = (value: unknown) => value is Value;
export type Guarded<Check> = Check extends Guard<infer Value> ? Value : never;

type Guards = Record<string, Guard<unknown>>;
type OptionalNames<Fields extends Guards> = {
  [Name in keyof Fields]: undefined extends Guarded<Fields[Name]> ? Name : never;
}[keyof Fields];
type Shaped<Fields extends Guards> = {
  [Name in Exclude<keyof Fields, OptionalNames<Fields>>]: Guarded<Fields[Name]>;
} & {
  [Name in OptionalNames<Fields>]?: Guarded<Fields[Name]>;
};

/** Null; an absent field does not pass. */
export const isNull: Guard<null> = (value): value is null => value === null;

/** A text that matches. Anchor the pattern; `$` without the m flag matches only at the very end. */
export function text(pattern: RegExp): Guard<string> {
  return (value): value is string => typeof value === 'string' && pattern.test(value);
}

/** Bounds inclusive. */
export function integer(minimum: number, maximum: number): Guard<number> {
  return (value): value is number => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
}

/** One of these texts. */
export function oneOf<const Value extends string>(values: readonly Value[]): Guard<Value> {
  return (value): value is Value => values.some((allowed) => allowed === value);
}

/** As the guard, or absent. */
export function optional<Value>(guard: Guard<Value>): Guard<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || guard(value);
}

/** Passes what either guard passes. */
export function either<Left, Right>(left: Guard<Left>, right: Guard<Right>): Guard<Left | Right> {
  return (value): value is Left | Right => left(value) || right(value);
}

/** Passes what both guards pass. */
export function both<Left, Right>(left: Guard<Left>, right: Guard<Right>): Guard<Left & Right> {
  return (value): value is Left & Right => left(value) && right(value);
}

/** A list whose items pass the guard. */
export function listOf<Value>(guard: Guard<Value>): Guard<Value[]> {
  return (value): value is Value[] => Array.isArray(value) && value.every(guard);
}

/** An object with these fields and possibly others. */
export function openObject<Fields extends Guards>(fields: Fields): Guard<Shaped<Fields>> {
  const checks = Object.entries(fields);
  return (value): value is Shaped<Fields> =>
    isRecord(value) && checks.every(([name, check]) => check(Object.hasOwn(value, name) ? value[name] : undefined));
}

/** An object with these fields and no others. */
export function closedObject<Fields extends Guards>(fields: Fields): Guard<Shaped<Fields>> {
  const isShaped = openObject(fields);
  return (value): value is Shaped<Fields> =>
    isShaped(value) && Object.keys(value).every((name) => Object.hasOwn(fields, name));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
