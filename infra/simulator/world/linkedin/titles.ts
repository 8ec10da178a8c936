import { mix, pick, unit } from '../hash.ts';

/** Language, seniority and department of a job title. */
export interface Title {
  readonly text: string;
  readonly language: string;
  readonly level: 'chief' | 'vice_president' | 'director' | 'head' | 'manager' | 'staff' | 'owner';
  readonly department: Department;
}

export type Department =
  | 'general'
  | 'product'
  | 'engineering'
  | 'marketing'
  | 'sales'
  | 'finance'
  | 'people'
  | 'operations'
  | 'legal'
  | 'design'
  | 'data';

type Level = Title['level'];
type Words = Readonly<Record<Exclude<Department, 'general'>, string>>;

/** Departments and levels as each language says them; `{d}` is the department. */
const GRAMMAR: Readonly<
  Record<string, { readonly departments: Words; readonly levels: readonly (readonly [Level, string])[] }>
> = {
  en: {
    departments: {
      product: 'Product',
      engineering: 'Engineering',
      marketing: 'Marketing',
      sales: 'Sales',
      finance: 'Finance',
      people: 'Human Resources',
      operations: 'Operations',
      legal: 'Legal',
      design: 'Design',
      data: 'Data',
    },
    levels: [
      ['vice_president', 'VP {d}'],
      ['vice_president', 'Vice President of {d}'],
      ['director', 'Director of {d}'],
      ['head', 'Head of {d}'],
      ['manager', '{d} Manager'],
      ['manager', 'Senior {d} Manager'],
      ['staff', '{d} Specialist'],
      ['staff', '{d} Analyst'],
    ],
  },
  de: {
    departments: {
      product: 'Produktmanagement',
      engineering: 'Entwicklung',
      marketing: 'Marketing',
      sales: 'Vertrieb',
      finance: 'Finanzen',
      people: 'Personal',
      operations: 'Betrieb',
      legal: 'Recht',
      design: 'Design',
      data: 'Daten',
    },
    levels: [
      ['chief', 'Vorstand {d}'],
      ['director', 'Bereichsleitung {d}'],
      ['head', 'Leiter {d}'],
      ['head', 'Leiterin {d}'],
      ['manager', 'Teamleiter {d}'],
      ['staff', 'Sachbearbeiterin {d}'],
    ],
  },
  fr: {
    departments: {
      product: 'produit',
      engineering: 'technique',
      marketing: 'marketing',
      sales: 'commercial',
      finance: 'financier',
      people: 'des ressources humaines',
      operations: 'des opérations',
      legal: 'juridique',
      design: 'design',
      data: 'data',
    },
    levels: [
      ['director', 'Directeur {d}'],
      ['director', 'Directrice {d}'],
      ['head', 'Responsable {d}'],
      ['manager', 'Chef de projet {d}'],
      ['staff', 'Chargée de mission {d}'],
    ],
  },
  es: {
    departments: {
      product: 'Producto',
      engineering: 'Ingeniería',
      marketing: 'Marketing',
      sales: 'Ventas',
      finance: 'Finanzas',
      people: 'Recursos Humanos',
      operations: 'Operaciones',
      legal: 'Asesoría Jurídica',
      design: 'Diseño',
      data: 'Datos',
    },
    levels: [
      ['vice_president', 'Vicepresidenta de {d}'],
      ['director', 'Director de {d}'],
      ['director', 'Directora de {d}'],
      ['head', 'Jefe de {d}'],
      ['manager', 'Responsable de {d}'],
      ['staff', 'Técnica de {d}'],
    ],
  },
  pt: {
    departments: {
      product: 'Produto',
      engineering: 'Engenharia',
      marketing: 'Marketing',
      sales: 'Vendas',
      finance: 'Finanças',
      people: 'Recursos Humanos',
      operations: 'Operações',
      legal: 'Jurídico',
      design: 'Design',
      data: 'Dados',
    },
    levels: [
      ['director', 'Diretor de {d}'],
      ['director', 'Diretora de {d}'],
      ['head', 'Líder de {d}'],
      ['manager', 'Gerente de {d}'],
      ['staff', 'Analista de {d}'],
    ],
  },
  it: {
    departments: {
      product: 'Prodotto',
      engineering: 'Ingegneria',
      marketing: 'Marketing',
      sales: 'Vendite',
      finance: 'Finanza',
      people: 'Risorse Umane',
      operations: 'Operazioni',
      legal: 'Affari Legali',
      design: 'Design',
      data: 'Dati',
    },
    levels: [
      ['director', 'Direttore {d}'],
      ['director', 'Direttrice {d}'],
      ['head', 'Responsabile {d}'],
      ['staff', 'Specialista {d}'],
    ],
  },
  nl: {
    departments: {
      product: 'Product',
      engineering: 'Techniek',
      marketing: 'Marketing',
      sales: 'Verkoop',
      finance: 'Financiën',
      people: 'Personeelszaken',
      operations: 'Bedrijfsvoering',
      legal: 'Juridische Zaken',
      design: 'Vormgeving',
      data: 'Data',
    },
    levels: [
      ['director', 'Directeur {d}'],
      ['head', 'Hoofd {d}'],
      ['manager', 'Teamleider {d}'],
      ['staff', 'Medewerker {d}'],
    ],
  },
};

/** Titles that no rule makes. */
const SINGLE: readonly Title[] = (
  [
    ['Founder', 'en', 'owner', 'general'],
    ['Co-Founder & CEO', 'en', 'owner', 'general'],
    ['Owner', 'en', 'owner', 'general'],
    ['Chief Executive Officer', 'en', 'chief', 'general'],
    ['CEO', 'en', 'chief', 'general'],
    ['Managing Director', 'en', 'chief', 'general'],
    ['CTO', 'en', 'chief', 'engineering'],
    ['Chief Technology Officer', 'en', 'chief', 'engineering'],
    ['CFO', 'en', 'chief', 'finance'],
    ['Chief Financial Officer', 'en', 'chief', 'finance'],
    ['CMO', 'en', 'chief', 'marketing'],
    ['Chief Product Officer', 'en', 'chief', 'product'],
    ['Chief People Officer', 'en', 'chief', 'people'],
    ['Chief Operating Officer', 'en', 'chief', 'operations'],
    ['General Counsel', 'en', 'chief', 'legal'],
    ['Software Engineer', 'en', 'staff', 'engineering'],
    ['Data Engineer', 'en', 'staff', 'data'],
    ['Account Executive', 'en', 'staff', 'sales'],
    ['Recruiter', 'en', 'staff', 'people'],
    ['Designer', 'en', 'staff', 'design'],
    ['Geschäftsführer', 'de', 'chief', 'general'],
    ['Geschäftsführerin', 'de', 'chief', 'general'],
    ['Inhaberin', 'de', 'owner', 'general'],
    ['Prokurist', 'de', 'head', 'general'],
    ['Softwareentwickler', 'de', 'staff', 'engineering'],
    ['Président-directeur général', 'fr', 'chief', 'general'],
    ['Gérante', 'fr', 'owner', 'general'],
    ['Développeuse web', 'fr', 'staff', 'engineering'],
    ['Fundador', 'es', 'owner', 'general'],
    ['Consejera delegada', 'es', 'chief', 'general'],
    ['Sócio-gerente', 'pt', 'owner', 'general'],
    ['Amministratore delegato', 'it', 'chief', 'general'],
    ['Titolare', 'it', 'owner', 'general'],
    ['Eigenaar', 'nl', 'owner', 'general'],
    ['代表取締役', 'ja', 'chief', 'general'],
    ['営業部長', 'ja', 'director', 'sales'],
    ['人事部長', 'ja', 'director', 'people'],
    ['エンジニア', 'ja', 'staff', 'engineering'],
  ] as const
).map(([text, language, level, department]) => ({ text, language, level, department }));

/** All titles of the world: more than three hundred, in eight languages. */
const TITLES: readonly Title[] = [
  ...SINGLE,
  ...Object.entries(GRAMMAR).flatMap(([language, { departments, levels }]) =>
    levels.flatMap(([level, form]) =>
      (Object.entries(departments) as [Exclude<Department, 'general'>, string][]).map(
        ([department, word]): Title => ({ text: form.replace('{d}', word), language, level, department }),
      ),
    ),
  ),
];

const ofLanguage = new Map<string, readonly Title[]>();
for (const { language } of TITLES)
  ofLanguage.set(
    language,
    TITLES.filter((title) => title.language === language),
  );

/** A title of a person: in the language of the person, or in English. */
export const titleOf = (key: number, language: string): Title => {
  const own = ofLanguage.get(language);
  // Other languages of the countries have their share.
  const spread = ['en', 'fr', 'it', 'nl'];
  const list = own && unit(key, 174) < 0.75 ? own : ofLanguage.get(pick(spread, mix(key, 175), 0));
  return pick(list ?? TITLES, key, 170);
};
