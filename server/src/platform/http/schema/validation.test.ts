import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { Type } from './type.ts';
import { text, validateStrictly } from './validation.ts';

type Validate = { (body: unknown): boolean; errors?: unknown[] | null };

/** How a route of this body would validate it. */
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

test('of a list that is too long no item is looked at', () => {
  const validate = compile(lines(1_000));
  asked = 0;
  expect(validate(wrong(9_000))).toBe(false);
  expect([asked, validate.errors?.length]).toEqual([0, 1]);
});

test('of a body with very many values the first error ends it', () => {
  const validate = compile(lines(100_000));
  asked = 0;
  expect(validate(wrong(40_000))).toBe(false);
  expect([asked, validate.errors?.length]).toEqual([1, 1]);
});

test('of any other body all errors are found, each asked for once, and once more what ended the first look', () => {
  const validate = compile(lines(1_000));
  asked = 0;
  expect(validate(wrong(900))).toBe(false);
  expect([asked, validate.errors?.length]).toEqual([1 + 1_800, 1_800]);
});

test('a text that is far too long is handed to no rule', () => {
  const validate = compile(lines(1_000));
  asked = 0;
  expect(validate({ lines: [{ name: 'x'.repeat(41), note: 'y'.repeat(600) }] })).toBe(false);
  expect([asked, validate.errors?.length]).toEqual([0, 2]);
});

test('items are told apart by looking at each once, whatever they are', () => {
  const validate = compile({ type: 'array', uniqueItems: true });
  let looked = 0;
  const item = (number: number) => ({
    get number() {
      looked += 1;
      return number;
    },
  });
  expect(validate(Array.from({ length: 2_000 }, (_, number) => item(number)))).toBe(true);
  expect(looked).toBe(2_000);
  expect(validate([1, '1', true, 'true', null, 'null', { a: 1 }, [1], '{"a":1}'])).toBe(true);
  for (const twice of [
    [1, 1],
    ['a', 'b', 'a'],
    [{ a: 1 }, { a: 1 }],
    [null, null],
  ])
    expect(validate(twice)).toBe(false);
});
