import { expect, it } from 'vitest';
import { readAdoptWords } from './adopt-words.ts';

const ACME = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40';
const OTHER = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b41';
const read = (text: string) => readAdoptWords(['--adopt', '--company', text]).companies;

it.each([
  [ACME, OTHER],
  [ACME, 'external:acme'],
  ['external:acme', OTHER],
  [ACME, 'external:eu=acme'],
  ['external:eu=acme=', OTHER],
  ['external:a=b', 'external:c=d'],
  [`external:${ACME}`, `external:${OTHER}`],
  [`external:a=${ACME}`, OTHER],
])('reads %s=%s, also where an external id has an equals sign', (companyId, newCompanyId) => {
  expect(read(`${companyId}=${newCompanyId}`)).toEqual([{ companyId, newCompanyId }]);
});

it('refuses what can be read in more than one way', () => {
  expect(() => read('external:a=external:b=external:c')).toThrow('more than one way');
});

it.each(['', '=', ACME, `${ACME}=`, `=${ACME}`, `${ACME}=acme`, `${ACME}=external:`, 'old=new', `${ACME}=${OTHER}=`])(
  'explains itself for %j',
  (text) => {
    expect(() => read(text)).toThrow('Usage: npm run paydesk -- reconcile --adopt');
  },
);
