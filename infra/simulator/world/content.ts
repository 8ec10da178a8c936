import { betweenLog } from './draws.ts';
import { mix, pick, unit } from './hash.ts';
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
  const sentences = [pick(phrases, postKey, 128)];
  if (has.length)
    for (let n = 0; n < 2 + Math.floor(unit(postKey, 129) * 3); n++)
      sentences.push(pick(phrases, mix(postKey, 130), n));
  const hashtags: string[] = [];
  if (has.hashtags)
    for (let n = 0; n < Math.floor(betweenLog(1, 5, unit(postKey, 131))); n++) {
      // An account has a few favourites.
      const tag = pick(HASHTAGS, mix(accountKey, 132), Math.floor(unit(postKey, 133 + n) ** 2 * 12));
      if (!hashtags.includes(tag)) hashtags.push(tag);
    }
  const links = has.links
    ? [
        `https://${pick(OUTLETS, accountKey, 139)}.example/${pick(TOPICS, postKey, 140)}-${postKey.toString(36)}`,
      ]
    : [];
  return {
    text: [
      ...sentences,
      ...hashtags.map((tag) => `#${tag}`),
      ...links,
      ...named.map((name) => `w/ ${name}`),
    ].join(' '),
    lang,
    hashtags,
    links,
  };
};
