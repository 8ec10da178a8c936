/** Phrases by which an account says that it is not the person or brand that it is named after. */

/**
 * By language, without accents. A `*` stands for any further letters. Languages share phrases: each is listed once.
 */
const PHRASES = {
  en: `parod* | satire | satirical | spoof | unofficial | not official | not the real one | not the real | not the official | not affiliated |
    no affiliation | not associated with | not endorsed by | fan account | fan acct | fanaccount | fan page | fanpage | fan club |
    fanclub | fan site | fansite | fan run | run by fans | run by a fan | made by fans | by fans for fans | tribute account |
    tribute page | fake account | roleplay account | role play account`,
  es: `satira | satiric* | no oficial | extraoficial | no es oficial | no es la cuenta oficial | cuenta fan | cuenta de fans |
    pagina de fans | club de fans | no afiliad* | sin afiliacion | cuenta falsa | cuenta de humor`,
  pt: `nao oficial | nao e oficial | conta de fa* | pagina de fa* | fa clube | faclube | nao afiliad* | sem vinculo com |
    conta fake | perfil fake | perfil falso | perfil de humor`,
  fr: `satirique | non officiel* | pas officiel* | inofficiel* | compte de fan* | compte fan | page de fan* | faux compte |
    non affilie*`,
  de: `inoffiziell* | nicht offiziell* | kein offiziell* | keine offiziell* | fanseite | fan seite | nicht der echte |
    nicht die echte | nicht das echte | satirisch* | fake account`,
  it: `satiric* | non ufficiale | non e ufficiale | account fan | pagina fan | pagina di fan | non affiliat* | profilo falso |
    fan ufficiale`,
  nl: `satirisch* | onofficie* | niet officie* | fanpagina | nepaccount | niet de echte`,
  pl: `satyra | satyrycz* | nieoficjaln* | nie oficjaln* | fanowsk* | strona fanow | konto fanow | fanklub | fejk*`,
  tr: `hiciv* | gayriresmi | resmi degil* | resmi olmayan | hayran sayfa* | hayran hesab* | fan sayfa* | fan hesab* | sahte hesap |
    mizah hesab*`,
  ru: `пароди* | сатир* | неофициальн* | не официальн* | фан страниц* | фан аккаунт* | фанатск* | фанклуб* | фан клуб* | фейк* |
    не настоящ*`,
  ar: `محاكاة ساخرة | حساب ساخر | صفحة ساخرة | ليس* رسمي* | غير رسمي* | غير الرسمي* | حساب معجب* | صفحة معجب* | صفحة المعجب* |
    حساب وهمي`,
  hi: `पैरोडी | पैरडी | व्यंग्य | अनाधिकारिक | अनधिकृत | गैर आधिकारिक | फैन पेज | फैन अकाउंट | फैन क्लब | प्रशंसक पेज |
    प्रशंसक अकाउंट | नकली अकाउंट`,
  ja: `パロディ | 非公式 | ファンアカウント | ファンページ | ファンクラブ | ファンサイト | ファン垢 | なりきり | ネタアカウント | 偽物 |
    本人ではありません | 公式ではありません | 風刺`,
  ko: `패러디 | 비공식 | 팬페이지 | 팬 페이지 | 팬계정 | 팬 계정 | 팬카페 | 팬클럽 | 공식 아님 | 공식이 아닙니다 | 본인 아님 |
    본인이 아닙니다 | 풍자 | 사칭`,
  zh: `恶搞 | 惡搞 | 戏仿 | 戲仿 | 模仿账号 | 模仿帳號 | 非官方 | 粉丝团 | 粉丝页 | 粉丝号 | 粉丝站 | 后援会 | 後援會 | 应援站 | 高仿 | 非本人 | 讽刺`,
  id: `tidak resmi | bukan resmi | bukan akun resmi | bukan akun asli | akun fans | akun fan | akun penggemar | halaman penggemar |
    fanbase | akun palsu`,
} as const satisfies Readonly<Record<string, string>>;

/** Words that say so in a name; in a bio somebody may be a fan of football. "Wei Fan" is a name. */
const IN_NAMES = `fans | fake | tribute | tributo | hommage | homenaje | hayran* | фан | фаны | ファン | 팬 | 粉丝 | 粉絲 |
  penggemar | फैन | प्रशंसक* | фанат* | ساخر* | معجب* | المعجب* | fan of | fan de | fan di | fan von`;
const FAN_AFTER_NAME = String.raw`fan(?<=\p{L}{2,}[^\p{L}]+\p{L}{2,}[^\p{L}]+fan)`;

/** Accents of Latin letters and vowel marks of Arabic. In other scripts marks are letters. */
const MARKS = /(?<=\p{Script=Latin})\p{M}+|[\u064b-\u0652]/gu;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const plain = (text: string): string =>
  text.normalize('NFKD').toLowerCase().replaceAll(MARKS, '').replaceAll('ı', 'i').normalize('NFC');

const patternOf = (phrase: string): string =>
  plain(phrase).replaceAll('*', String.raw`[\p{L}\p{M}]*`).replaceAll(' ', String.raw`[\s\p{P}]+`);

/** Finds any of the phrases: whole words, save in scripts without spaces. */
const anyOf = (texts: readonly string[], patterns: readonly string[] = []): RegExp => {
  const phrases = texts
    .flatMap((text) => text.split('|').map((phrase) => phrase.trim()))
    // A longer phrase may begin with a shorter one.
    .toSorted((one, other) => other.length - one.length);
  const { words = [], others = [] } = Object.groupBy(phrases, (phrase) =>
    SPACELESS.test(phrase) ? 'others' : 'words',
  );
  const whole = [...words.map(patternOf), ...patterns].join('|');
  return new RegExp(
    String.raw`(?<![\p{L}\p{M}])(?:${whole})(?![\p{L}\p{M}])|${others.map(patternOf).join('|')}`,
    'gu',
  );
};

const IN_TEXT = anyOf(Object.values(PHRASES));
const IN_NAME = anyOf([...Object.values(PHRASES), IN_NAMES], [FAN_AFTER_NAME]);

/** Whether a bio says so. */
export const isDisclaiming = (bio: string | null): boolean => bio !== null && plain(bio).search(IN_TEXT) >= 0;

/** A displayed name without the phrases that say so; null if it has none. */
export const withoutDisclaimer = (name: string): string | null => {
  const text = plain(name);
  const rest = text.replaceAll(IN_NAME, ' ');
  return rest === text ? null : rest;
};
