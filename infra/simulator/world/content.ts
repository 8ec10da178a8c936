import { betweenLog } from './draws.ts';
import { mix, pick, scramble, unit } from './hash.ts';
import { PHRASES } from './phrases.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const HASHTAGS = words(`
  Photography StreetArt Ceramics TrailRunning HomeCooking OpenData Typography SmallBusiness Gardening ChessTwitter
  IndieDev PixelArt Birding Cycling VinylOnly BookTok Astronomy Makers WomenInTech Fermentation Sketchbook Mapping
  Climbing SlowTravel Jazz Knitting Weather Architecture Startups Biology Podcast Film Football Basketball Vegan
  Coffee Tea Baking DIY Repair Linux JavaScript Python Statistics History Poetry Theatre Dance Yoga Sailing Fishing
  Hiking Trains Aviation Robotics Climate Energy Housing Education Parenting Dogs Cats Reptiles Ramadan München Köln
  写真 猫 مصر новости`);
const OUTLETS = words(`
  dailyledger fieldnotes northpost thegazette openjournal riverside signalpost papertrail harbourtimes kitchenbook
  makersguild vinylclub stadionblatt lecourrier elperiodico`);
const TOPICS = words(
  'how why notes guide live recap part-two interview gallery shop tickets newsletter episode review',
);

const SLUG = 'abcdefghijklmnopqrstuvwxyz0123456789';
const NONE: readonly string[] = [];

export interface Content {
  readonly text: string;
  readonly lang: string;
  readonly hashtags: readonly string[];
  readonly links: readonly string[];
}

/** Texts of an account in its own language; some posts are in English whatever the account's language. */
export const contentOf = (
  accountKey: number,
  language: string,
  postKey: number,
  has: { readonly hashtags: boolean; readonly links: boolean; readonly length: boolean },
  named: readonly string[],
): Content => {
  const lang = unit(postKey, 127) < 0.08 ? 'en' : language;
  const phrases = (PHRASES[lang] ?? PHRASES.en)?.posts ?? [''];
  let text = pick(phrases, postKey, 128);
  if (has.length) {
    const more = 2 + Math.floor(unit(postKey, 129) * 3);
    for (let n = 0; n < more; n++) text += ` ${pick(phrases, mix(postKey, 130), n)}`;
  }
  let hashtags = NONE;
  if (has.hashtags) {
    const tags: string[] = [];
    const count = Math.floor(betweenLog(1, 5, unit(postKey, 131)));
    for (let n = 0; n < count; n++) {
      // An account has a few favourites.
      const tag = pick(HASHTAGS, mix(accountKey, 132), Math.floor(unit(postKey, 133 + n) ** 2 * 12));
      if (tags.includes(tag)) continue;
      tags.push(tag);
      text += ` #${tag}`;
    }
    hashtags = tags;
  }
  let links = NONE;
  if (has.links) {
    const link = `https://${pick(OUTLETS, accountKey, 139)}.example/${pick(TOPICS, postKey, 140)}-${scramble(SLUG, 7, postKey, 141)}`;
    links = [link];
    text += ` ${link}`;
  }
  for (const name of named) text += ` w/ ${name}`;
  return { text, lang, hashtags, links };
};
