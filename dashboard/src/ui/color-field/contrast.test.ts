import { expect, it } from 'vitest';
import { readableOn } from './contrast.ts';

it('takes the text that can be read better, with the ratio of the WCAG', () => {
  expect(readableOn('#ffffff')).toEqual({ text: '#000000', ratio: 21 });
  expect(readableOn('#000000')).toEqual({ text: '#ffffff', ratio: 21 });
  expect(readableOn('#4F46E5')).toEqual({ text: '#ffffff', ratio: expect.closeTo(6.29, 2) });
  expect(readableOn('#facc15')).toEqual({ text: '#000000', ratio: expect.closeTo(13.73, 1) });
});

it('knows no colour but six digits', () => {
  expect(readableOn('#fff')).toBeNull();
  expect(readableOn('red')).toBeNull();
});
