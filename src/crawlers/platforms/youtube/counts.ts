import type { Fields } from '../shared/field-reader.ts';
import { hasNumber, labelledCount, nounOf } from '../shared/labelled-count.ts';

/*
 * What YouTube writes beside a count, in the languages of its pages. Words are recognized by their stems, as most are
 * inflected.
 */
const SUBSCRIBERS = [
  'subscri|subskr|subscritor|abonn|abonen|abonat|abonaț|abonues|abone|abunəçi|suscri|inscri|iscritt|seguidor',
  'intekena|pelanggan|pretplat|odběrat|odberat|tellija|harpide|ababhali|áskrif|wanaofuatili|wafuatili',
  'prenumer|feliratkoz|előfiz|obuna|pratila|pratilac|tilaaj|naročnik|đăng ký',
  'подписч|підписн|падпісч|абонат|абонент|жазыл|претпл|пратил|захиал|συνδρομ|բաժանորդ|გამომწერ',
  'מנוי|مشترك|مشترک|سبسکرائب',
  'सदस्य|सब्सक्रा|सब्स्क्रा|সাবস্ক্রাই|ছাবস্ক্ৰাই|ਸਬਸਕ੍ਰਾ|સબ્સ્ક્રા|ସବସ୍କ୍ରା|சந்தாதார|సబ్|సభ్య|ಸಬ್|ಚಂದಾದಾರ|സബ്|ග්\u200d?රාහක|දායක',
  'ผู้ติดตาม|ຜູ້ຕິດຕາມ|စာရင်းသွင်း|ተመዝጋቢ|អ្នកជាវ|チャンネル登録|登録|订阅|訂閱|訂戶|구독',
].join('|');

const VIDEOS = [
  'v[ií]d[eé][oóí](?:\\ssnim)?|bideo|amavidiyo|vidiyo|vaizdo įraš|myndskeið|film|wideo|видео(?:\\sсним)?|відео|відэа|бейне|видеа|βίντεο|տեսանյութ|ვიდეო',
  'סרטונ|فيديو|ویدیو|ویڈیو|वीडियो|वीडिओ|भिडियो|व्हिडिओ|ভিডিও|ভিডিঅ|ਵੀਡੀਓ|વીડિયો|વિડિઓ|ଭିଡିଓ|வீடியோ|వీడియో|ವೀಡಿಯೊ|വീഡിയോ|වීඩියෝ',
  'วิดีโอ|ວິດີໂອ|ဗီဒီယို|ቪዲዮ|វីដេអូ|動画|视频|視頻|影片|동영상',
].join('|');

const NOUNS = { followers: nounOf(SUBSCRIBERS), posts: nounOf(VIDEOS) } as const;

const NONE = /^(?:no|keine?|aucune?|sin|nessun[oa]?|nenhum|нет|немає|hiç|geen)(?![\p{L}\p{M}])/iu;

type Counted = keyof typeof NOUNS;

/** A text of a header, and what it counts where its field says that. */
export interface HeaderText {
  readonly text: string;
  readonly counts?: Counted;
}

/**
 * Subscribers and videos of a header, recognized by its fields or else by their words. A count whose word is unknown is
 * a warning.
 */
export const countsOf = (
  parts: readonly HeaderText[],
  fields: Fields,
): Readonly<Record<Counted, number | null>> => {
  const found: Record<Counted, number | null> = { followers: null, posts: null };
  const all = parts.map(({ text }) => text).join(' ');
  for (const { text, counts } of parts) {
    if (text.trim().startsWith('@')) continue;
    const said = (['followers', 'posts'] as const).find((name) => text.search(NOUNS[name]) >= 0);
    const name = counts ?? said;
    if (name === undefined) {
      if (hasNumber(text)) fields.unknownLabel(text);
      continue;
    }
    const isNone = !hasNumber(text) && NONE.test(text.trim());
    const value = isNone ? 0 : labelledCount(text, NOUNS[name], all);
    if (value === null && hasNumber(text)) fields.unknownLabel(text);
    found[name] ??= value;
  }
  return found;
};
