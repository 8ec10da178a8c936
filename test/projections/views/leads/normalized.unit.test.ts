import { describe, expect, it } from 'vitest';
import { countryCode } from '../../../../src/projections/views/leads/projection.ts';
import { industryKey, sizeBand } from '../../../../src/projections/views/leads/tables.ts';

describe('a country', () => {
  it.each([
    ['AT', null, 'AT'],
    ['de', null, 'DE'],
    ['Germany', null, 'DE'],
    ['Deutschland', null, 'DE'],
    ['Türkiye', null, 'TR'],
    ['日本', null, 'JP'],
    ['United Kingdom', null, 'GB'],
    ['UK', null, 'GB'],
    [null, 'Lyon, Auvergne-Rhône-Alpes, France', 'FR'],
    ['Atlantis', 'Lyon, France', null],
    [null, 'Atlanta, Georgia', null],
    [null, 'San Francisco, CA', null],
    [null, 'Graz', null],
    [null, null, null],
    ['ZZ', null, null],
    ['EU', null, null],
  ])('%s in %s is %s', (country, address, code) => {
    expect(countryCode(country, address)).toBe(code);
  });
});

describe('a company size', () => {
  it.each([
    ['51-200 employees', null, '51-200'],
    ['1,001-5,000 employees', null, '1001-5000'],
    ['1.001–5.000 Beschäftigte', null, '1001-5000'],
    ['10 001 employés et plus', null, '10001+'],
    ['10,001+ employees', null, '10001+'],
    ['1 employee', null, '1'],
    [null, 143, '51-200'],
    ['some', 7, '2-10'],
    [null, 0, null],
    [null, null, null],
  ])('of %s with %s employees is the band %s', (size, employees, band) => {
    expect(sizeBand(size, employees)).toBe(band);
  });
});

describe('an industry', () => {
  it('has one key in any spelling', () => {
    expect(industryKey('IT Services & Consulting')).toBe('it-services-and-consulting');
    expect(industryKey(' it services and  Consulting ')).toBe('it-services-and-consulting');
    expect(industryKey('Éducation')).toBe('education');
    expect(industryKey('建設業')).toBe('建設業');
  });

  it('has no key without letters', () => {
    expect([industryKey(null), industryKey(''), industryKey('—')]).toEqual([null, null, null]);
  });
});
