import { describe, expect, it } from 'vitest';
import { DISCLAIMERS } from '../../../infra/simulator/world/phrases.ts';
import { isDisclaiming, withoutDisclaimer } from '../../../src/write/people/disclaimers.ts';
import { readName, relateNames } from '../../../src/write/people/names.ts';

describe('disclaimers', () => {
  it('are understood in every language of the simulated world, in names and bios', () => {
    for (const [language, { names, bios }] of Object.entries(DISCLAIMERS)) {
      for (const name of names) {
        const read = readName(`Nora Quill Hess ${name}`);
        expect(read?.isDisclaimed, `${language}: ${name}`).toBe(true);
        expect(relateNames(read, readName('Nora Quill Hess')), `${language}: ${name}`).toBe('equal');
      }
      for (const bio of bios) expect(isDisclaiming(`☕ · ${bio}`), `${language}: ${bio}`).toBe(true);
    }
  });

  it.each([
    'Cuenta NO OFICIAL de noticias',
    'Nicht-offizielle Seite',
    '非公式ファン',
    'Perfil não oficial',
    'Pagina non ufficiale',
    'неофициальная страница',
    'resmi değildir',
    '공식이 아닙니다',
    '非官方賬號',
    'Bukan akun resmi',
  ])('are in "%s"', (bio) => {
    expect(isDisclaiming(bio)).toBe(true);
  });

  it.each([
    'Football fan, coffee lover',
    'Cuenta oficial',
    'Resmi hesap',
    '公式アカウント',
    'Фанат футбола',
    'Fanny Hess',
  ])('are not in "%s"', (bio) => {
    expect(isDisclaiming(bio)).toBe(false);
  });

  it('are fans in a name, unless Fan is the name', () => {
    expect(withoutDisclaimer('Nora Hess Fan')).not.toBeNull();
    expect(withoutDisclaimer('Wei Fan')).toBeNull();
    expect(withoutDisclaimer('Fan Bingbing')).toBeNull();
  });
});
