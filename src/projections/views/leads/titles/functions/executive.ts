import type { FunctionTerms } from './terms.ts';

/** General management. Where a title names a subject as well, that decides. */
export const executive: readonly FunctionTerms[] = [
  {
    of: 'executive',
    roles: `company_director einzelunternehmer* franchisee franchisenehmer* jungunternehmer* leiter_unternehmensentwicklung präsidentin* regionaldirektor* vereinsvorstand*`,
    fields: `strategic_planning planificación_estratégica planejamento_estratégico planeamento_estratégico pianificazione_strategica planification_stratégique
      strategische_planung strateg*_planowan* стратегическ*_планирован* stratejik_planlama التخطيط_الاستراتيجي تخطيط_استراتيجي 战略 经营企划 経営企画 corporate_strategy
      corporate_development chief_of_staff inteligência_estratégica inteligencia_estratégica executive_in_residence strategieabteilung unternehmensentwicklung
      unternehmensstrategie head_of_business`,
    weakFields: `strategy stratégie estrategia estratégia strategia strategie strategic corporate general_management executive_management geschäftsführung* geschäftsleitung* unternehmensleitung unternehmensführung direction_générale dirección_general direção_geral direzione_generale executive_office executive_committee board comex codir directie zarząd* правлен* yönetim_kurulu مجلس_الاداره 経営* 管理层 direction`,
  },
];
