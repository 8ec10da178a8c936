import type { FunctionTerms } from './terms.ts';

export const business: readonly FunctionTerms[] = [
  {
    of: 'finance',
    roles: `accountant* accounts_payable accounts_receivable bookkeep* auditor* controller* comptroller* treasurer* actuar* banker*
      bank_teller* teller* trader* broker* financial_analyst* financial_advisor* financial_planner* financial_consultant* investment_*
      underwriter* loan_* credit_* tax_* payroll_account* fund_manager* portfolio_manager* asset_manager* wealth_* private_banker* insurance_*
      investor* venture_capital* venture_partner private_equity* equity_* cfa cpa buchhalter* *buchhalter *buchhalterin steuerberater* steuerfach* wirtschaftsprüfer* bankkauf*
      finanzberater* finanzbuchhalt* versicherung* bankangestellt* bilanzbuchhalt* vermögensberater* schadenregulier* sachbearbeiter_rechnung* comptable* expert_comptable* contrôleur*_de_gestion
      auditeur* trésorier* conseill*_financier* conseill*_clientèle_banque conseill*_bancaire conseill*_en_patrimoine gestionnaire_de_patrimoine assureur* courtier* directeur_d_agence_bancaire contador* contable* auditor* tesorer* cajero_bancario asesor*_financier*
      analista_fiscal analista_contábil analista_financeir* assistente_financeir* auxiliar_contable auxiliar_financeir* contabilista* bancári* tesoureir* economista* contabil* ragionier* commercialista* contabile* revisor* tesorier* bancari* consulente_finanziari* assicurator* promotore_finanziari* boekhoud* *accountant administrateur_financier
      belastingadviseur* fiscalist* registeraccountant* księgow* główn*_księgow* audytor* doradca_finansow* бухгалтер* главный_бухгалтер* аудитор* экономист* финансист* кредитн* казначе*
      muhasebe* denetçi* mali_müşavir* bankacı* finans_uzman* محاسب* مدقق* مراجع_حسابات 経理 会計士 税理士 会计 会計 出纳 审计* 理财 投资经理 ファンドマネージャー risk_analyst* risk_manager*
      collections_* billing_* cost_accountant* wealth_advisor* economist* claims_* equity_research* stock* fixed_income* m&a_* quantitative_trader* gestor_de_fondos`,
    fields: `财务 财务部 税务 审计 成本 资金 結算 结算 cost kaufmännisch*_leit* kaufmännisch*_direkt* asset_liability capital_market* finance* financ* finanz* finans* финанс* accounting accounts_payable audit* tax taxation treasury banking bank banque banco banca bank* controlling investment* investor_relations insurance
      wealth capital_markets equity risk risks credit billing collections fintech buchhaltung* rechnungswesen steuer* steuern kredit* comptabilité fiscalité assurance* gestion_privée patrimoine trésorerie boursi* contabilidad*
      contabilidade tesorería tributari* seguros riesgos crédito* impuestos investimentos inversiones fiscal contabilità amministrazione_e_finanza tesoreria assicurazion* credito boekhouding verzekering* schuldbewaking incasso debiteuren belasting* księgowoś* podatk* ubezpiecz* банк* страхован* бухгалтери* инвестици* учет*
      налог* muhasebe mali sigorta* banka* yatırım* ماليه مالي مصرف* بنك* محاسبه استثمار* حسابات تامين 財務 金融 投资 投資 银行 保险 財会 税务 証券 保険 基金 风控 capital venture ventures fund underwriting intermediari_finanziari m&a cfo
      economia_e_finanza wealth_management payments`,
    weakFields: `econom* эконом* ekonomi* 经济`,
  },
  {
    of: 'hr',
    roles: `recruiter* talent_acquisition* headhunter* hr_* human_resource* human_resources* people_partner* people_operations* people_manager_hr payroll_* sourcer*
      hrbp hr_business_partner* talent_partner* compensation_and_benefits personalreferent* personalsachbearbeit* personalberater* personalleit* personaler* personalentwickl* chargé*_de_recrutement
      chargé*_rh gestionnaire_de_paie gestionnaire_paie recruteur* reclutador* selecciona* analista_de_rh analista_de_recursos_humanos generalista_de_rh recrutador* selezionatore addett*_paghe personeels* intercedent* loonadministr* rekruter*
      kadrow* специалист_по_подбору рекрутер* hr* кадров* ik_uzman* insan_kaynak* işe_alım* مسؤول_توظيف 人事担当 人事专员 招聘* hrbp 採用担当 career_coach training_manager* talent_specialist* staffing_* employment_consultant*
      departamento_personal people_and_culture_* chro talent_manager* outplacement* formador_de_empresa people_lead* consulent_uitzend* arbeitsvermittl*`,
    fields: `hr human_capital people people_ops personnel talent talents recruiting recruitment human_relations payroll diversity employee_relations personal personalwesen *personal personalabteilung rh drh ressources_humaines
      recrutement recursos_humanos rrhh capital_humano gente gente_e_gestão gente_y_gestión talento* pessoas personas recrutamento selección risorse_umane personale selezione hrm p&o personeelszaken werving uitzend* kadry kadr personaln* персонал* кадр* подбор*
      ik insan_kaynakları موارد_بشريه توظيف شوون_الموظفين 人事 人力资源 人力 採用 hr部 learning_and_development l&d culture personalmanagement workforce compensation rewards uitzendbureau nómina folha_de_pagamento training_and_development desarrollo_organizacional`,
    weakFields: `training formation formación formação schulung personel`,
  },
  {
    of: 'legal',
    roles: `lawyer* attorney* counsel* solicitor* barrister* paralegal* judge* notary* jurist* legal_counsel* legal_advisor* legal_assistant* law_clerk* general_counsel* compliance_* magistrate* prosecutor*
      rechtsanwalt* rechtsanwält* anwalt* anwält* *anwalt *anwältin jurist* notar* rechtsreferendar* richter* rechtsfachwirt* syndikus* avocat* juriste* notaire* huissier* magistrat* conseiller_juridique abogad* abogado* notari* juez jueza procurador*
      asesor_jurídico asesor_legal advogad* juiz juíza tabeli* promotor*_de_justiça consultor*_jurídic* avvocat* notaio giurist* legale magistrato giudice praticante_avvocato advocaat advocat* notaris* bedrijfsjurist* rechter radca_prawny radca adwokat* prawnik* notariusz sędzia
      юрист* адвокат* юрисконсульт* нотариус* судья avukat* hukuk* hakim noter savcı محام* محامي* مستشار_قانوني قاضي 弁護士 司法書士 法務担当 律师 法务* 法官 patent_attorney* privacy_officer data_protection_officer* datenschutzbeauftragt* mediator*`,
    fields: `legal law juridique* jurídic* giuridic* recht rechts* rechtsabteilung juridisch* prawn* prawo юридическ* право* правов* hukuk قانون* قانوني* شوون_قانونيه 法務 法务 法律 compliance direito derecho droit diritto intellectual_property privacy contentieux regulatory regulatory_affairs
      conformité cumplimiento contracts`,
  },
  {
    of: 'consulting',
    roles: `management_consultant* business_consultant* strategy_consultant* managing_consultant* unternehmensberat* consultant_en_stratégie consultor_de_negocios transformation_consultant* organisationsberat* consultant_en_management
      консультант_по_управлению 咨询顾问 コンサルタント 经营顾问 yönetim_danışman* مستشار_اداري engagement_manager* strategy_analyst* consulente_aziendale consulente_direzionale bedrijfsadviseur* organisatieadviseur*`,
    fields: `consulting consultancy beratung conseil consultoría consultoria consulenza advisory doradztw* консалтинг danışmanlık استشارات コンサルティング 咨询       business_transformation`,
    weakRoles: `consultant* berater* *berater *beraterin consultor* consulent* consulente adviseur* konsultant* doradca* консультант* danışman* مستشار* 顾问 顧問 advisor* adviser* conseiller* conseillère* asesor* assessor* advisory_*`,
  },
  {
    of: 'administration',
    roles: `executive_assistant* personal_assistant* office_manager* office_administrator* office_assistant* secretary* receptionist* data_entry* office_clerk* front_desk* pa_to admin_assistant* admin_officer* executive_secretary* virtual_assistant* typist* team_assistant*
      assistant_to assistants_to pa ea management_assistant* managementassist* directiesecretar* sekretär* *sekretär *sekretärin bürokauf* bürokraft assistenz* assistent*_der_geschäft* assistenz_der teamassist* vorstandsassist* bürofach* empfang* industriekauf* bürokommunikation secrétaire*
      assistant*_de_direction assistant*_administrati* agent_administratif gestionnaire_administrati* hôte*_d'accueil standardiste secretari* recepcionist* asistente_administrativ* auxiliar_administrativ* auxiliar_de_oficina asistente_de_gerencia
      asistente_de_dirección oficinista* assistente_administrativ* auxiliar_de_escritório secretária* assessor_administrativo escriturári* segretari* impiegat*_amministrativ* assistente_di_direzione receptionist* secretaresse* *secretaresse officemanager* administratief_medewerk* receptionist* baliemedewerk*
      sekretar* asystent*_zarządu pracownik_biurowy recepcjonist* секретар* делопроизводител* офис_менеджер* администратор* помощник_руководителя ассистент_руководителя sekreter* yönetici_asistan* idari_* büro_* resepsiyon* سكرتير* مساعد_اداري موظف_اداري اداري* موظف_استقبال
      秘書 受付 事務* 一般事務 秘书 前台 文员 行政* 総務 助理总 general_affairs office_coordinator* chief_administrative* administrateur_de_bureau`,
    fields: `admin verwaltung sekretariat secrétariat idari* اداره_اداريه 総務 行政 庶務 bureau büro`,
    weakRoles: `assistant* assistent* asistan* assistente* asistente* assistente auxiliar* clerk* employé* employée* angestellt* impiegat* medewerker* *medewerker mitarbeiter* *mitarbeiter *mitarbeiterin asystent* ассистент* помощник* مساعد* アシスタント 助理 administrative_* verwaltungs* kaufmännisch* *kaufmann *kauffrau sachbearbeiter* idari*`,
    weakFields: `administra* gestão_administrativa administration administrati* administración administração amministrazion* amministrativ* administratie* administracj* администрати* office back_office`,
  },
];
