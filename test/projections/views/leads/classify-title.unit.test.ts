import { describe, expect, it } from 'vitest';
import { classifyTitle } from '../../../../src/projections/views/leads/titles/classify-title.ts';

const classes = (title: string): string => {
  const { seniority, function: of } = classifyTitle(title);
  return `${seniority ?? 'unknown'} ${of ?? 'unknown'}`;
};

describe('classes of a job title', () => {
  it.each([
    ['Executive Director', 'director executive'],
    ['Director ejecutivo', 'cxo executive'],
    ['Chief Pharmacist', 'senior healthcare'],
    ['Chief of Police', 'director public_sector'],
    ['Project Coordinator', 'entry operations'],
    ['Coordenador de tesouraria', 'manager finance'],
    ['IT Architect', 'senior it'],
    ['Executive Producer', 'manager media'],
    ['Minister of Finance', 'cxo public_sector'],
    ['Gebietsleiterin', 'manager sales'],
    ['Flugbegleiterin', 'entry hospitality'],
    ['Regierungsinspektoranwärter', 'training public_sector'],
    ['Già Dirigente Informatico', 'unknown it'],
    ['Professor', 'senior education'],
    ['Assistant Professor', 'entry education'],
  ])('follow a convention between two classes: %s', (title, expected) => {
    expect(classes(title)).toBe(expected);
  });

  it.each([
    ['專案經理', '专案经理', 'manager operations'],
    ['技術長', '技术长', 'cxo engineering'],
    ['會計', '会計', 'entry finance'],
  ])('are the same in traditional and simplified characters: %s, %s', (one, other, expected) => {
    expect([classes(one), classes(other)]).toEqual([expected, expected]);
  });

  it('do not confuse a Chinese manager with a Japanese bookkeeper', () => {
    expect([classes('経理担当'), classes('经理')]).toEqual(['entry finance', 'manager unknown']);
  });

  it.each([
    ['Head of Growth', 'director marketing'],
    ['Vertriebsleiter Süd', 'director sales'],
    ['Vertriebsleiterin', 'director sales'],
    ['Teamleiter Kundenservice', 'manager customer_success'],
    ['Chargée de recrutement', 'entry hr'],
    ['Directeur commercial et marketing', 'director sales'],
    ['Contador público', 'entry finance'],
    ['Corretor de imóveis', 'entry real_estate'],
    ['Infermiere', 'entry healthcare'],
    ['Leraar basisonderwijs', 'entry education'],
    ['Specjalista ds. marketingu', 'entry marketing'],
    ['Руководитель отдела продаж', 'director sales'],
    ['Yazılım Mühendisi', 'entry engineering'],
    ['مدير المبيعات', 'manager sales'],
    ['営業部長', 'director sales'],
    ['采购经理', 'manager procurement'],
  ])('are read in the title’s language: %s', (title, expected) => {
    expect(classes(title)).toBe(expected);
  });

  it.each([
    ['Senior DevOps Engineer', 'senior it'],
    ['Platform Software Developer', 'entry engineering'],
    ['Entwicklungsingenieur Fahrwerk', 'entry engineering'],
    ['Ingénieure études de prix', 'entry engineering'],
    ['Chief Data Officer', 'cxo data'],
    ['Analista de datos junior', 'entry data'],
    ['Network Operations Engineer', 'entry it'],
    ['Beheerder werkplekken ICT', 'entry it'],
    ['Lead UX Designer', 'senior design'],
    ['Ilustradora infantil', 'entry design'],
    ['Head of Product', 'director product'],
    ['Jefa de Producto', 'manager product'],
    ['Influencer Marketing Manager', 'manager marketing'],
    ['Pressereferentin', 'entry marketing'],
    ['Regional Sales Director', 'director sales'],
    ['Verkaufsberaterin Möbel', 'entry sales'],
    ['Customer Care Agent', 'entry customer_success'],
    ['Responsable relation client', 'manager customer_success'],
    ['Auditor Senior', 'senior finance'],
    ['Kreditsachbearbeiter', 'entry finance'],
    ['Ragioniera', 'entry finance'],
    ['Talent Acquisition Partner', 'entry hr'],
    ['Generalist HR', 'entry hr'],
    ['Rechtsanwaltsfachangestellte', 'entry legal'],
    ['Juíza de Direito', 'entry legal'],
    ['Juriste droit social', 'entry legal'],
    ['Teamleiterin Lager', 'manager operations'],
    ['Kierowniczka zmiany', 'manager operations'],
    ['Supervisora de calidad', 'manager operations'],
    ['Strategische inkoper', 'entry procurement'],
    ['Acheteur projet', 'entry procurement'],
    ['Закупщик', 'entry procurement'],
    ['Laborantin', 'entry research'],
    ['Investigadora postdoctoral', 'entry research'],
    ['Unternehmensberaterin', 'entry consulting'],
    ['Consulente di direzione', 'entry consulting'],
    ['Bildredakteurin', 'entry media'],
    ['Montadora de vídeo', 'entry media'],
    ['Kindergärtnerin', 'entry education'],
    ['Maestra de primaria', 'entry education'],
    ['Учительница математики', 'entry education'],
    ['Zahnmedizinische Fachangestellte', 'entry healthcare'],
    ['Aide-soignante', 'entry healthcare'],
    ['Логопед', 'entry healthcare'],
    ['Detective Inspector', 'entry public_sector'],
    ['Agente de Polizia Locale', 'entry public_sector'],
    ['Urzędniczka', 'entry public_sector'],
    ['Letting Agent', 'entry real_estate'],
    ['Consultor Imobiliário', 'entry real_estate'],
    ['Wohnungsverwalterin', 'entry real_estate'],
    ['Souschefin', 'senior hospitality'],
    ['Pâtissière', 'entry hospitality'],
    ['Kelnerka', 'entry hospitality'],
    ['Dachdeckermeister', 'entry trades'],
    ['Carreleur', 'entry trades'],
    ['Слесарь-сантехник', 'entry trades'],
    ['Team Secretary', 'entry administration'],
    ['Auxiliar de escritório', 'entry administration'],
    ['Sekretarka', 'entry administration'],
    ['Yoga teacher', 'entry other'],
    ['Vigilante de seguridad', 'entry other'],
    ['Agricultora', 'entry other'],
    ['Managing Director Germany', 'cxo executive'],
    ['Mitgründerin', 'owner executive'],
    ['Kurucu Müdür', 'owner executive'],
    ['Senior Vice President, Compliance', 'vp legal'],
    ['Equity Partner', 'partner unknown'],
    ['Aspirante avvocato', 'training legal'],
    ['市场营销实习生', 'training marketing'],
    ['财务总监', 'director finance'],
    ['経理部長', 'director finance'],
    ['مدير التسويق', 'manager marketing'],
    ['مهندسة معمارية', 'entry engineering'],
  ])('cover every function and rank: %s', (title, expected) => {
    expect(classes(title)).toBe(expected);
  });

  it('have no rank if the title is a department', () => {
    expect(classes('Customer Support')).toBe('unknown customer_success');
    expect(classes('Recursos Humanos')).toBe('unknown hr');
    expect(classes('Wealth Management')).toBe('unknown finance');
    expect(classes('物流')).toBe('unknown operations');
    expect(classes('Customer Support Agent')).toBe('entry customer_success');
  });

  it('have no rank if the title is a sentence about others', () => {
    expect(classifyTitle('Helping founders scale their business').seniority).toBeNull();
    expect(classifyTitle('I help nurses find work').seniority).toBeNull();
    expect(classifyTitle('Ayudo a directores a vender').seniority).toBeNull();
    expect(classes('Helping people | Nurse')).toBe('entry healthcare');
  });

  it('are those of the more senior of two jobs', () => {
    expect(classes('Lehrer | Inhaber')).toBe('owner executive');
    expect(classes('Software Engineer, VP Finance')).toBe('vp finance');
    expect(classes('Accountant and CEO')).toBe('cxo executive');
  });

  it('are not those of the assisted person', () => {
    expect(classes('Executive Assistant to the CFO')).toBe('entry administration');
    expect(classes('Assistante de direction')).toBe('entry administration');
    expect(classes('Assistant Vice President')).toBe('vp unknown');
  });

  it('give an entry rank to account and partner managers, and not to product managers', () => {
    expect(classes('Key Account Manager')).toBe('entry sales');
    expect(classes('Customer Success Manager')).toBe('entry customer_success');
    expect(classes('Product Manager')).toBe('manager product');
  });

  it('distinguish a partner of a firm from a kind of partner', () => {
    expect(classes('Tax Partner')).toBe('partner finance');
    expect(classes('Partner at a law firm')).toBe('partner unknown');
    expect(classes('HR Business Partner')).toBe('entry hr');
    expect(classes('Partner Marketing Specialist')).toBe('entry marketing');
  });

  it('are unknown if the title does not show them', () => {
    expect(classifyTitle('Making things better, one day at a time')).toEqual({
      seniority: null,
      function: null,
    });
    expect(classes('Legal Services')).toBe('unknown legal');
    expect(classes('Regional Manager')).toBe('manager unknown');
    expect(classes('Former Marketing Director')).toBe('unknown marketing');
  });

  it('do not depend on case, accents, punctuation, width or one wrong letter', () => {
    expect(classes('GESCHAEFTSFUEHRERIN')).toBe(classes('Geschäftsführerin'));
    expect(classes('v.p. sales')).toBe('vp sales');
    expect(classes('ＭＡＲＫＥＴＩＮＧ　ＭＡＮＡＧＥＲ')).toBe('manager marketing');
    expect(classes('Marketing Manger')).toBe('manager marketing');
  });

  it('ignore the employer', () => {
    expect(classes('Recruiter at Director Media Marketing Group')).toBe('entry hr');
  });

  it.each([
    ['megabytes of one word', 'x'.repeat(1_000_000)],
    ['control characters', '\u0000\u0001\u0007'.repeat(100_000)],
    ['pictures', '😀🚀'.repeat(100_000)],
    ['lone surrogates', '\ud800'.repeat(10_000)],
    ['separators', '- | '.repeat(100_000)],
    ['nothing', ''],
  ])('are unknown for %s', (_, title) => {
    expect(classifyTitle(title)).toEqual({ seniority: null, function: null });
  });

  it('cost no more for a title of megabytes than for its start', () => {
    const words = 'senior marketing manager ';
    const beginning = words.repeat(12);
    expect(classifyTitle(words.repeat(100_000))).toEqual(classifyTitle(beginning));
  });
});
