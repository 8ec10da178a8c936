import { group, one } from './kinds.ts';

const CLONES = 'Goga et al. 2015: clones copy picture, name and bio; chosen';
const PAIRS = 'Goga et al. 2015: few matching profiles have similar pictures; chosen';
const STRANGERS = 'chosen';

const share = (subject: string, usual: number, min: number, max: number, source: string) =>
  one(subject, usual, min, max, 'share', source);

/** Equal and similar pictures, bios and names, by what two accounts are to each other. */
export const EVIDENCE = group({
  pictures: group({
    person: share('Pairs of a person’s accounts with an equal picture', 0.25, 0.1, 0.45, PAIRS),
    personSimilar: share('Pairs of a person’s accounts with a cropped picture', 0.15, 0.05, 0.3, PAIRS),
    impersonator: share('Impersonators with the picture of their subject', 0.7, 0.5, 0.9, CLONES),
    impersonatorSimilar: share('Impersonators with a crop of that picture', 0.1, 0.02, 0.1, CLONES),
    fan: share('Fans with the picture of their star', 0.1, 0.03, 0.25, STRANGERS),
    twin: share('Twins with one picture', 0.05, 0.01, 0.15, STRANGERS),
    stranger: share('Accounts with a picture that many others use', 0.02, 0.005, 0.05, STRANGERS),
  }),
  bios: group({
    person: share('Pairs of a person’s accounts with an equal bio', 0.2, 0.05, 0.4, PAIRS),
    personSimilar: share('Pairs of a person’s accounts with a similar bio', 0.2, 0.1, 0.3, PAIRS),
    impersonator: share('Impersonators with the bio of their subject', 0.6, 0.4, 0.8, CLONES),
    impersonatorSimilar: share('Impersonators with a bio like that one', 0.15, 0.05, 0.2, CLONES),
    fan: share('Fans with the bio of their star', 0.02, 0.005, 0.05, STRANGERS),
    twin: share('Twins with one bio', 0.9, 0.7, 1, STRANGERS),
    stranger: share('Accounts with a bio that many others use', 0.05, 0.01, 0.1, STRANGERS),
  }),
  names: group({
    impersonator: share('Impersonators with exactly the name of their subject', 0.8, 0.6, 0.95, CLONES),
    fan: share('Fans with exactly the name of their star', 0.05, 0.01, 0.15, STRANGERS),
    twin: share('Twins with one name', 0.05, 0.01, 0.15, STRANGERS),
  }),
});
