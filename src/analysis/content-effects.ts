import { fisherP, student95, studentP } from '../kernel/distributions.ts';
import { effectsModel } from './effects-model.ts';
import type { Persistences } from './engagement.ts';
import type { Offsets } from './local-time.ts';
import { benjaminiHochberg, FALSE_DISCOVERIES } from './multiple-tests.ts';
import type { Trait } from './post-traits.ts';
import { contrastOf, jointF } from './regression.ts';
import { isLack } from './response.ts';
import type { Lack, Sample } from './sample.ts';

export interface ContentEffect {
  readonly trait: Trait;
  /** Share of posts that have it. */
  readonly share: number;
  /** Engagement of a post with it against one without, in percent, with its 95 % interval. */
  readonly effect_pct: number;
  readonly low: number;
  readonly high: number;
  readonly q: number;
  readonly significant: boolean;
}

export interface ContentEffects {
  /** Effects that the posts show; a trait that nearly all or none of them have is left out. */
  readonly effects: readonly ContentEffect[];
  /** Code units, without those of links, hashtags and mentions, from which a text of the account is long. */
  readonly long_from: number | null;
  readonly n: number;
}

const percent = (ln: number): number => 100 * (Math.exp(ln) - 1);

/**
 * What media, hashtags, links and a long text go with, by the model of `effects-model.ts`: a trait that is more
 * frequent at good hours, or in newer posts, is not credited with them. Tests by t, with Benjamini and Hochberg at 0.05
 * over the account's traits, protected by F (Fisher 1935): none is significant where all of them together are not.
 * Estimand: the factor of a post with the trait against the same post without it. A difference between posts as they
 * were published is no experiment.
 *
 * @returns the lack of posts or of engagement; null if the posts are too alike.
 */
export const contentEffects = (
  sample: Sample,
  offsets: Offsets,
  persistences: Persistences,
): ContentEffects | Lack | null => {
  const model = effectsModel(sample, offsets, persistences);
  if (model === null || isLack(model)) return model;
  const { fit, firstTrait, posts, traits } = model;
  const contrasts = traits.columns.map((_, k) =>
    contrastOf(
      fit,
      fit.coefficients.map((_value, i) => (i === firstTrait + k ? 1 : 0)),
    ),
  );
  const q = benjaminiHochberg(contrasts.map(({ value, error }) => studentP(value / error, fit.df)));
  const columns = traits.columns.map((_, k) => firstTrait + k);
  const isAny = fisherP(jointF(fit, columns) ?? 0, columns.length, fit.df) <= FALSE_DISCOVERIES;
  const reach = student95(fit.df);
  return {
    long_from: traits.longFrom,
    n: posts.length,
    effects: traits.columns.map(({ trait, column }, k) => {
      const { value, error } = contrasts[k] as { value: number; error: number };
      return {
        trait,
        share: column.filter((one) => one).length / posts.length,
        effect_pct: percent(value),
        low: percent(value - reach * error),
        high: percent(value + reach * error),
        q: q[k] as number,
        significant: isAny && (q[k] as number) <= FALSE_DISCOVERIES,
      };
    }),
  };
};
