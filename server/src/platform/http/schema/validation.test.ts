import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { Type } from './type.ts';
import { text, validateStrictly } from './validation.ts';

type Validate = { (body: unknown): boolean; errors?: unknown[] | null };

/** Validates as a route with this body does. */
function compile(schema: object): Validate {
  const app = Fastify();
  validateStrictly(app);
  return app.validatorCompiler?.({ schema, httpPart: 'body' } as never) as Validate;
}

let asked = 0;
const rule = () => {
  asked += 1;
  return ['is never right'];
};
const lines = (maxItems: number) =>
  Type.Object({
    lines: Type.Array(Type.Object({ name: text({ rule, max: 20 }), note: text({ rule }) }), { maxItems }),
  });
const wrong = (count: number) => ({ lines: Array.from({ length: count }, () => ({ name: 'x', note: 'y' })) });

// Security (Bodies, paths and queries): A body of 1 MiB is validated by looking at each value at most once: no item of a list that is too
// long is checked, and none is compared with all others
test('no item of a list that is too long is checked', () => {
  const validate = compile(lines(1_000));
  asked = 0;
  expect(validate(wrong(9_000))).toBe(false);
  expect([asked, validate.errors?.length]).toEqual([0, 1]);
});

test('validation of a body with very many values stops at the first error', () => {
  const validate = compile(lines(100_000));
  asked = 0;
  expect(validate(wrong(40_000))).toBe(false);
  expect([asked, validate.errors?.length]).toEqual([1, 1]);
});

test('all errors of any other body are found, each rule called once, and once more for the first error', () => {
  const validate = compile(lines(1_000));
  asked = 0;
  expect(validate(wrong(900))).toBe(false);
  expect([asked, validate.errors?.length]).toEqual([1 + 1_800, 1_800]);
});

test('no rule is called with a text that is far too long', () => {
  const validate = compile(lines(1_000));
  asked = 0;
  expect(validate({ lines: [{ name: 'x'.repeat(41), note: 'y'.repeat(600) }] })).toBe(false);
  expect([asked, validate.errors?.length]).toEqual([0, 2]);
});

test('items are compared in linear time, whatever they are', () => {
  const validate = compile({ type: 'array', uniqueItems: true });
  let compared = 0;
  const item = (number: number) => ({
    get number() {
      compared += 1;
      return number;
    },
  });
  expect(validate(Array.from({ length: 2_000 }, (_, number) => item(number)))).toBe(true);
  expect(compared).toBe(2_000);
  expect(validate([1, '1', true, 'true', null, 'null', { a: 1 }, [1], '{"a":1}'])).toBe(true);
  for (const twice of [
    [1, 1],
    ['a', 'b', 'a'],
    [{ a: 1 }, { a: 1 }],
    [null, null],
  ])
    expect(validate(twice)).toBe(false);
});
