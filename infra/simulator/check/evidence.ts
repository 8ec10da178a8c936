import { MEMBERSHIP } from '../world/identity.ts';
import type { World } from '../world/world.ts';
import { type Measurement, near } from './measurement.ts';
import type { AccountRow, TruthReader } from './reader.ts';
import { mean, shareError } from './statistics.ts';

/** Characters of a picture that its crops have too. */
const MOTIF = 8;
const COMMON = 5;

const introOf = (bio: string): string => bio.split('\n')[0] ?? '';
/** What bios have in common that are alike: all but the last interest. */
const phraseOf = (intro: string): string => {
  const [phrase = '', interests = ''] = intro.split(' · ');
  return `${phrase} · ${interests.split(',')[0]}`;
};
/** A name without its ornaments. */
const plainName = (name: string): string => name.replace(/[^\p{L} .,_()]/gu, '').trim();

interface Shown {
  readonly row: AccountRow;
  readonly picture: string;
  readonly intro: string;
  readonly name: string;
}

/** Shares of pairs with equal and similar pictures, bios and names, by what two accounts are to each other. */
export const measureEvidence = (
  world: World,
  reader: TruthReader,
  accounts: readonly AccountRow[],
): Measurement[] => {
  const { pictures, bios, names } = reader.parameters.evidence;
  const shown = new Map<string, Shown>();
  const uses = new Map<string, number>();
  for (const row of accounts) {
    if (row.kind === 'company') continue;
    const { avatar } = world.account(row.platform, row.index, reader.at);
    uses.set(avatar, (uses.get(avatar) ?? 0) + 1);
    shown.set(`${row.platform} ${row.index}`, {
      row,
      picture: avatar,
      intro: introOf(row.bio),
      name: plainName(row.display_name),
    });
  }
  const all = [...shown.values()];
  type Pair = readonly [Shown, Shown];
  const ofRole = (role: string): readonly Pair[] =>
    all.flatMap((one) => {
      const { subject } = one.row;
      const other = one.row.role === role && subject && shown.get(`${subject.platform} ${subject.index}`);
      return other ? [[one, other] as const] : [];
    });
  const people = new Map<number, Shown[]>();
  // What fans and twins show is theirs for other reasons.
  for (const one of all)
    if (one.row.person !== null && one.row.role !== 'fan' && one.row.role !== 'twin') {
      const own = people.get(one.row.index) ?? [];
      own.push(one);
      people.set(one.row.index, own);
    }
  const persons: readonly Pair[] = [...people.values()].flatMap((own) =>
    own.flatMap((one, n) => own.slice(n + 1).map((other) => [one, other] as const)),
  );
  const same = (field: 'picture' | 'intro' | 'name') => (pair: Pair) => pair[0][field] === pair[1][field];
  const crop = ([a, b]: Pair) =>
    a.picture !== b.picture && a.picture.slice(0, MOTIF) === b.picture.slice(0, MOTIF);
  const alike = ([a, b]: Pair) => a.intro !== b.intro && phraseOf(a.intro) === phraseOf(b.intro);
  const [impersonators, fans, twins] = [ofRole('impersonator'), ofRole('fan'), ofRole('twin')];
  /** Pairs whose draws don't depend on each other: those of a person do, and twins are each other's. */
  const independent = (pairs: readonly Pair[]): number =>
    pairs === persons ? people.size : pairs === twins ? pairs.length / 2 : pairs.length;
  const share = (
    name: string,
    pairs: readonly Pair[],
    is: (pair: Pair) => boolean,
    parameter: number,
    chance = 0,
  ): Measurement[] => {
    if (pairs.length < 5) return [];
    const expected = parameter + (1 - parameter) * chance;
    const error = shareError(expected, independent(pairs));
    const tolerance = Math.max(0.02, parameter / 5);
    return [
      near(name, pairs.filter(is).length / pairs.length, expected, { tolerance, error, n: pairs.length }),
    ];
  };
  // Neighbours who have one name may be twins besides.
  const { sameName, differ } = reader.parameters.names;
  const namesakes = sameName * (1 - differ) * mean(Object.values(MEMBERSHIP).map((share) => share ** 2));
  const strangers = all.filter(({ row }) => row.person === null && row.role === null);
  const common = strangers.filter(({ picture }) => (uses.get(picture) ?? 0) >= COMMON).length;
  const few = strangers.filter(({ intro }) => !intro.includes(' · ')).length;
  const ofStrangers = (name: string, count: number, parameter: number) =>
    near(name, count / strangers.length, parameter, {
      tolerance: parameter / 5,
      error: shareError(parameter, strangers.length),
      n: strangers.length,
    });
  return [
    ...share('equal pictures of a person', persons, same('picture'), pictures.person),
    ...share('crops of a picture of a person', persons, crop, pictures.personSimilar),
    ...share('equal pictures of impersonators', impersonators, same('picture'), pictures.impersonator),
    ...share('crops of impersonators', impersonators, crop, pictures.impersonatorSimilar),
    ...share('equal pictures of fans', fans, same('picture'), pictures.fan),
    ...share('equal pictures of twins', twins, same('picture'), pictures.twin),
    // Of 60 pictures, in a small world some have few users.
    ...(accounts.length < 20_000 ? [] : [ofStrangers('pictures that many use', common, pictures.stranger)]),
    ...share('equal bios of a person', persons, same('intro'), bios.person),
    ...share('similar bios of a person', persons, alike, bios.personSimilar, 0.02),
    ...share('equal bios of impersonators', impersonators, same('intro'), bios.impersonator),
    ...share('similar bios of impersonators', impersonators, alike, bios.impersonatorSimilar),
    ...share('equal bios of fans', fans, same('intro'), bios.fan),
    ...share('equal bios of twins', twins, same('intro'), bios.twin),
    ofStrangers('bios that many use', few, bios.stranger),
    ...share('equal names of impersonators', impersonators, same('name'), names.impersonator),
    ...share('equal names of fans', fans, same('name'), names.fan),
    ...share('equal names of twins', twins, same('name'), names.twin, namesakes),
  ];
};
