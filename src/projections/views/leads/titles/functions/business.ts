import type { FunctionTerms } from './terms.ts';

export const business: readonly FunctionTerms[] = [
  {
    of: 'finance',
    roles: `accountant* accounts_payable accounts_receivable bookkeep* auditor* controller* comptroller* treasurer* actuar* banker* bank_teller* teller* trader* broker*
      financial_analyst* financial_advisor* financial_planner* financial_consultant* underwriter* payroll_account* fund_manager* portfolio_manager* asset_manager*
      private_banker* investor* venture_capital* venture_partner private_equity* cfa cpa buchhalter* *buchhalter *buchhalterin steuerberater* steuerfach*
      wirtschaftsprüfer* bankkauf* finanzberater* finanzbuchhalt* versicherung* bankangestellt* bilanzbuchhalt* vermögensberater* schadenregulier* sachbearbeiter_rechnung*
      comptable* expert_comptable* contrôleur*_de_gestion auditeur* trésorier* conseill*_financier* conseill*_clientèle_banque conseill*_bancaire conseill*_en_patrimoine
      gestionnaire_de_patrimoine assureur* courtier* directeur_d_agence_bancaire contador* contable* tesorer* cajero_bancario asesor*_financier* analista_fiscal
      analista_contábil analista_financeir* assistente_financeir* auxiliar_contable auxiliar_financeir* contabilista* bancári* tesoureir* economista* contabil* ragionier*
      commercialista* contabile* revisor* tesorier* bancari* consulente_finanziari* assicurator* promotore_finanziari* boekhoud* *accountant administrateur_financier
      belastingadviseur* fiscalist* registeraccountant* księgow* główn*_księgow* audytor* doradca_finansow* бухгалтер* главный_бухгалтер* аудитор* экономист* финансист*
      кредитн* казначе* muhasebe* denetçi* mali_müşavir* bankacı* finans_uzman* محاسب* مدقق* مراجع_حسابات 経理 会計士 税理士 会计 会計 出纳 审计* 理财 投资经理 ファンドマネージャー risk_analyst*
      risk_manager* cost_accountant* wealth_advisor* economist* equity_research* stock* fixed_income* quantitative_trader* gestor_de_fondos ap_specialist* ar_specialist*
      accounts_assistant* account_assistant_finance accounts_clerk* accounts_manager accounts_executive accounts_officer* payroll_accountant* payroll_clerk*
      cost_controller* financial_controller* finance_business_partner* finance_manager* finance_officer* finance_analyst* finance_assistant* finance_specialist* fp&a*
      tax_consultant* tax_advisor* tax_specialist* tax_accountant* tax_manager* tax_associate* internal_audit* risk_specialist* investment_banker* investment_analyst*
      investment_manager* investment_advisor* investment_associate* investment_professional* equity_analyst* equity_trader* research_analyst_equity hedge_fund*
      bank_manager* branch_manager_bank bank_officer* bank_clerk* credit_analyst* credit_manager* credit_controller* credit_officer* loan_officer* insurance_broker*
      insurance_advisor* insurance_sales* insurance_specialist* claims_adjuster* claims_handler* claims_specialist* underwrit* bursar* cashier_bank chartered_accountant*
      cpa* acca fund_accountant* venture_capitalist* angel_investor* business_angel* aktuar* bankberater* bankbetriebswirt* bankfachwirt* firmenkundenberater*
      firmenkundenbetreuer* privatkundenberater* privatkundenbetreuer* privatkunden* firmenkunden* vermögensverwalt* anlageberater* finanzbeamt* finanzreferent*
      finanzfachwirt* finanzmanag* finanzleit* leiter_finanzen finanzplaner* finanzwirt* finanzdirekt* finanzierungsberater* kreditanalyst* kreditsachbearbeit*
      kreditberater* kreditoren* debitoren* lohnbuchhalt* steuerassist* steuerberatungs* steuerreferent* steuerexpert* treuhänder* treuhand* fachmann_versicherung
      versicherungsfach* versicherungskauf* versicherungsmakl* versicherungsvertret* versicherungsberat* schadensachbearbeit* schadenregul* mandatsleit* prüfungsassist*
      prüfungsleit* wirtschaftsprüf* controllerin* aide_comptable assistant*_comptable chef_comptable chef_de_mission_comptable collaborat*_comptable* responsable_comptab*
      responsable_financier responsable_administratif_et_financier responsable_administrative_et_financière analyste_financier* analyste_crédit analyste_financière
      conseill*_clientèle_particulier* conseill*_en_gestion conseill*_en_assurance* conseill*_en_investissement* conseill*_clientèle_bancaire conseill*_de_clientèle
      conseill*_professionnel*_banque chargé*_d'affaires_entreprises chargé*_d'affaires_professionnel* banquier* gestionnaire_de_portefeuille gestionnaire_sinistre*
      gestionnaire_d'actifs gestionnaire_de_paie_comptable gestionnaire_de_fortune rédact*_sinistres souscript* actuaire* commissaire_aux_comptes
      agent_général_d'assurance* agent_d'assurance* courti* contrôleur*_financier* contrôleur*_interne* fiscaliste* directeur_d'agence_bancaire asistente_contable
      auxiliar_contab* asistente_de_contabilidad analista_contable analista_financiero analista_de_crédito* analista_de_riesgo* analista_de_costos analista_de_tesorería
      jefe_de_finanzas jefe_de_contabilidad jefe_de_administración_y_finanzas jefe_de_tesorería coordinador*_financier* coordinador*_contable contador_general contralor*
      interventor* gestor*_patrimonial* asesor*_fiscal* asesor*_de_inversiones asesor*_de_seguros asesor*_patrimonial* agente_de_seguros corredor*_de_seguros
      corredor_de_bolsa ejecutiv*_de_banca ejecutiv*_de_crédito* ejecutiv*_bancari* gerente_de_finanzas gerente_financiero gerente_de_oficina_bancaria
      director*_de_oficina_bancaria cobrador* auditor*_contable actuari* perito* facturación analista_contab* analista_de_contas* analista_de_custos
      analista_de_faturamento analista_de_investimentos analista_tributári* analista_de_tesouraria assistente_contábil assistente_fiscal auxiliar_fiscal auxiliar_contábil
      auxiliar_de_contabilidade coordenador*_financeir* coordenador*_fiscal coordenador*_contábil gerente_financeir* gerente_de_contabilidade gerente_bancári*
      gerente_de_banco gerente_de_relacionamento_bancário assessor*_de_investimento* assessor*_financeir* consultor*_financeir* consultor*_de_investimento*
      consultor*_tributári* planejador*_financeir* corretor*_de_seguro* agente_autônomo_de_investimento* especialista_em_investimentos faturista* técnico_de_contas
      contabilist* perit* impiegat*_contabil* addett*_contabil* addett*_alla_contabilità addett*_amministrazione_e_contabilità responsabile_contabil* responsabile_finanza
      responsabile_amministrazione_finanza revisore_legale revisore_dei_conti revisore_contabile dottore_commercialista dottoressa_commercialista analista_finanziari*
      consulente_assicurativ* consulente_bancari* consulente_patrimoniale consulente_fiscale tributarista agente_assicurativ* agente_di_assicurazion* broker_assicurativ*
      subagente_assicurativo liquidatore gestore_corporate gestore_privati gestore_imprese promotor*_finanziar* direttore_di_banca controllore_di_gestione
      controller_di_gestione direttore_di_filiale_bancaria impiegat*_bancari* impiegat*_di_banca financieel_advis* financieel_medewerk* financieel_administr*
      financieel_analist* financieel_manager* financieel_controller* financieel_planner* assistent_accountant* assistent_controller* hypotheek* hypothecair*
      verzekeringsadv* verzekeringsagent* verzekering* schadebehandel* schade_expert* vermogensbeheerd* vermogensadv* kredietanalist* bankmedewerk* bankier* bankdirect*
      zakelijk_accountmanager_bank crediteuren* salarisadministr* belastingconsul* relatiemanager* beleggingsadvis* beleggings* gł_księgow* samodzieln*_księgow*
      specjalista_ds_księgowości specjalista_ds_finansowych specjalista_ds_rozliczeń analityk_finansow* analityk_kredytow* kontroler_finansow* kontroling* biegły_rewident
      doradca_podatkow* doradca_kredytow* doradca_bankow* agent_ubezpieczeniow* dyrektor_oddziału_banku skarbnik* likwidator_szkód bankowiec* makler* inwestor*
      финансовый_аналитик* финансовый_менеджер* финансовый_консультант* финансовый_контролер* финансовый_контролёр* главбух* гл_бухгалтер* зам_главного_бухгалтера
      инвестор* трейдер* брокер* страховой_агент* страховой_консультант* кредитный_специалист* кредитный_менеджер* ревизор* казначей* кассир_операционист* операционист*
      инвестиционн*_аналитик* актуари* налоговый_консультант* финансовый_советник* ön_muhasebe* muhasebeci* muhasebe_uzman* finans_müdür* finans_yönetic* finans_analist*
      mali_işler* bütçe* banka_memuru bankacılık banka_müdür* şube_müdür*_banka risk_uzman* sigortacı* sigorta_uzman* sigorta_danışman* yatırım_uzman* yatırım_danışman*
      yatırımcı* iç_denetçi* smmm ymm aktüer* hazine* رييس_حسابات مدير_حسابات مدير_مالي محلل_مالي محلل_ايتمان مستشار_مالي مراجع_داخلي مدقق_حسابات مدقق_داخلي امين_صندوق
      صراف موظف_بنك مصرفي خبير_مالي مستثمر خبير_ضرايب 財務担当 経理部 経理マネージャー 財務経理 会計担当 公認会計士 会計事務所 銀行員 証券マン 証券アナリスト ファイナンシャルプランナー ファイナンシャルアドバイザー 保険営業 投資家 アクチュアリー 监査 財務分析 财务主管
      财务专员 财务总监 财务分析师 财务顾问 会计师 会计主管 出纳员 成本会计 税务经理 税务师 审计师 审计经理 投资总监 投资分析师 投资顾问 投资人 理财顾问 理财师 基金经理 风控经理 风险经理 信贷经理 信贷员 银行客户经理 柜员 保险代理 保险经纪 精算师 证券分析师 交易员 资金经理 投行
      accounts_manager* assistant_manager_accounts responsable_comptable* windykac* seguro_agrario abschlussprüfer* bill_collector budget_officer börsenhändler*
      börsenmakler* börsianer* cash_collector cima debt_collector enrolled_agent fakturist* fiskalvertreter* fondsmanager* foreign_exchange fraud_investigator
      geldwechsler* geldwäschebeauftragte* geldwäschebeauftragter* geschäftsstellenleiter_sparkasse inkassosachbearbeiterin* innenrevisor* insolvency_practitioner
      insolvenzverwalter* kostenrechner* kämmerer* leiter_interne_revision leiter_revision liquidator loss_adjuster mahnwesen* microfinance_officer money_lender
      moneylender pawnbroker payment_specialist pfandleiher* portfoliomanager* rechnungsführer* rechnungsprüfer* risikoanalyst* risikomanager* risikovorstand*
      schadengutachter* schatzmeister* sparkassenbetriebswirt* volkswirt* wertpapierhändler* zahlungsverkehr* ökonom ökonomin budget_analyst* debiteurenadmin*
      analityczk*_finansow* analityk*_finansow* valuations_analyst* valuation_analyst* pricing_analyst* tesouraria`,
    fields: `财务 财务部 税务 审计 成本 资金 結算 结算 cost kaufmännisch*_leit* kaufmännisch*_direkt* asset_liability capital_market* finance* financ* finanz* finans* финанс* accounting
      accounts_payable audit* tax taxation treasury banking bank banque banco banca bank* controlling investment* investor_relations insurance wealth capital_markets risk
      risks credit billing collections fintech buchhaltung* rechnungswesen steuer* steuern kredit* comptabilité fiscalité assurance* gestion_privée patrimoine trésorerie
      boursi* contabilidad* contabilidade tesorería tributari* seguros riesgos crédito* impuestos investimentos inversiones fiscal contabilità amministrazione_e_finanza
      tesoreria assicurazion* credito boekhouding verzekering* schuldbewaking incasso debiteuren belasting* księgowoś* podatk* ubezpiecz* банк* страхован* бухгалтери*
      инвестици* учет* налог* muhasebe mali sigorta* banka* yatırım* ماليه مالي مصرف* بنك* محاسبه استثمار* حسابات تامين 財務 金融 投资 投資 银行 保险 財会 証券 保険 基金 风控 capital venture
      ventures fund underwriting intermediari_finanziari m&a cfo economia_e_finanza wealth_management payments касс* 稽核 księgow* anlagenbuchhaltung claims fakturierung
      inkasso interne_revision kostenrechnung rechnungsprüfung risikomanagement schadenabteilung fraud_prevention* trading equity valuations`,
    weakFields: `econom* эконом* ekonomi* 经济 equity`,
    areas: `investment_* wealth_* insurance_* collections_* billing_* claims_* m&a_* accounts_payable accounts_receivable ap_ar ar_ap tax_* credit_* loan_* loans
      wealth_management asset_management investment_banking investment_management fund_management private_banking private_wealth corporate_banking retail_banking
      commercial_banking corporate_finance structured_finance project_finance public_finance personal_finance trade_finance finance_operations financial_services
      financial_planning risk_management gestion_de_patrimoine gestion_d'actifs contrôle_de_gestion direction_financière administration_et_finances services_financiers
      servicios_financieros serviços_financeiros administración_y_finanzas administrativo_financiero administrativo_y_financiero administrativo_e_financeiro
      administrativo_financeiro administrativa_financeira administração_e_finanças amministrazione_finanza amministrazione_e_controllo controllo_di_gestione
      amministrazione_finanza_e_controllo controle_de_gestão controladoria contraloría contas_a_pagar contas_a_receber cuentas_por_pagar cuentas_por_cobrar
      crédito_y_cobranza* cobranza* cobrança* faturamento facturación finanzen_und_controlling rechnungswesen_und_controlling finanz_und_rechnungswesen
      finanzen_&_controlling finanzbuchhaltung lohnbuchhaltung lohn_und_gehalt* mergers_&_acquisitions mergers_and_acquisitions мсфо бюджетирован* iç_denetim accounting_*
      financial_* treasury_* audit_* banking_* mortgage_* actuarial_* fintech_* finansal_* kredi_* vergi_* private_equity equity_research cash_collection* renda_variável
      renda_fixa renta_variable renta_fija debt_collection* sustainable_growth_fund revenue_accounting windykac* seguros_* corporate_m&a m&a`,
  },
  {
    of: 'hr',
    roles: `recruiter* headhunter* people_partner* people_manager_hr sourcer* hrbp hr_business_partner* talent_partner* compensation_and_benefits personalreferent*
      personalsachbearbeit* personalberater* personalleit* personaler* personalentwickl* chargé*_de_recrutement chargé*_rh gestionnaire_de_paie gestionnaire_paie
      recruteur* reclutador* selecciona* analista_de_rh analista_de_recursos_humanos generalista_de_rh recrutador* selezionatore addett*_paghe personeels* intercedent*
      loonadministr* rekruter* kadrow* специалист_по_подбору рекрутер* кадров* ik_uzman* مسؤول_توظيف 人事担当 人事专员 採用担当 career_coach training_manager* talent_specialist*
      employment_consultant* departamento_personal chro talent_manager* outplacement* formador_de_empresa people_lead* arbeitsvermittl* hr_assistant* hr_specialist*
      hr_generalist* hr_officer* hr_consultant* hr_analyst* hr_manager* hr_coordinator* hr_administrator* hr_executive* hr_recruiter* human_resources_specialist*
      talent_scout* talent_sourcer* talent_advisor* talent_coordinator* talent_associate* recruitment_consultant* recruitment_specialist* recruitment_manager*
      recruitment_officer* recruiting_coordinator* recruiting_manager* employment_specialist* executive_search_consultant* payroll_specialist* payroll_manager*
      payroll_administrator* payroll_officer* career_advisor* career_consultant* career_counselor* career_counsellor* learning_specialist* learning_manager*
      learning_consultant* training_coordinator* training_officer* organizational_psychologist* personalberat* personaldisponent* personalmanag* personalassist*
      personalfachkauf* personalkauf* personalchef* personalvermittl* personalsachbearb* personaltrainer_hr rekrutier* lohn_und_gehaltsbuchhalt* hr_leiter* leiter_hr
      leiter_personal chargé*_de_ressources_humaines chargé*_de_mission_rh chargé*_de_recrutement* chargé*_de_formation chargé*_ressources_humaines
      chargé*_des_ressources_humaines conseill*_en_recrutement conseill*_rh conseill*_en_ressources_humaines conseill*_emploi conseill*_en_insertion
      conseill*_en_évolution* consultant*_en_recrutement consultant*_recrutement consultant*_rh assistant*_rh assistant*_ressources_humaines responsable_rh
      responsable_des_ressources_humaines responsable_formation responsable_recrutement responsable_paie gestionnaire_rh gestionnaire_des_ressources_humaines
      technicien*_paie directeur_des_ressources_humaines directrice_des_ressources_humaines directeur_rh chasseur*_de_tête* reclutad* analista_de_selección
      analista_de_nómina* analista_de_rrhh analista_rrhh analista_de_capacitación técnico_de_rrhh técnico_de_selección técnic*_de_recursos_humanos técnico_de_nóminas
      generalista_de_recursos_humanos asistente_de_rrhh consultor*_de_recursos_humanos consultor*_de_rh consultor*_de_rrhh psicólog*_organizacional* psicólog*_laboral
      psicólog*_industrial analista_de_dp analista_de_departamento_pessoal analista_de_recrutamento* analista_de_folha* analista_de_treinamento* auxiliar_de_rh
      auxiliar_de_departamento_pessoal assistente_de_dp assistente_de_rh assistente_rh coordenador*_de_rh gerente_de_rh gerente_de_gente business_partner_rh recrutad*
      selecionador* selezionat* selezionatric* addett*_alle_risorse_umane addett*_ufficio_personale consulente_del_lavoro consulente_hr responsabile_hr responsabile_paghe
      responsabile_del_personale specialista_hr hr_advis* p&o_adv* personeelsadvis* personeelsconsul* personeelsmanager* recruitmentadvis* recruitment_adviseur* loopbaan*
      arbeidsdeskundig* uitzendconsul* uitzendconsulent* salarisadministrateur* opleidingsadv* specjalista_ds_rekrutacji specjalista_ds_personaln* specjalista_ds_hr
      specjalista_ds_płac specjalista_ds_szkoleń doradca_zawodow* kierownik_kadr kierownik_personaln* hr_менеджер* hr_директор* hr_специалист* hr_generalist эйчар*
      менеджер_по_персоналу менеджер_по_подбору специалист_по_кадрам специалист_по_персоналу специалист_отдела_кадров специалист_по_обучению инспектор_по_кадрам
      инспектор_отдела_кадров начальник_отдела_кадров кадровик* ik_müdür* ik_yönetic* ik_direktör* ik_asistan* ik_sorumlu* insan_kaynakları_uzman* insan_kaynakları_müdür*
      işe_alım_uzman* bordro* eğitim_müdür* اخصايي_توظيف اخصايي_موارد_بشريه مدير_موارد_بشريه مسيول_توظيف مسيول_موارد_بشريه موظف_موارد_بشريه شوون_موظفين 人事課長 人事マネージャー
      採用マネージャー リクルーター キャリアアドバイザー キャリアコンサルタント ヘッドハンター 労務担当 社会保険労務士 社労士 人材コーディネーター 猎头* 人事经理 人事主管 人事助理 人事行政 人力资源专员 人力资源总监 人力资源主管 招聘经理 培训经理 培训专员 培训主管 薪酬经理 hr经理 hr专员 hrd
      learning_development_specialist* learning_development_manager* talent_acquisition_partner* salarisadmin* medewerker_salaris* secretarieel_recruit* arbeitsdirektor*
      ausbildungsreferent* betriebsrat* betriebsratsmitglied* betriebsratsvorsitzende* betriebsratsvorsitzender* bewerbungscoach* bewerbungstrainer* dei_specialist
      employment_agent entgeltabrechner* gehaltsabrechner* gleichstellungsbeauftragte_im_betrieb global_mobility_specialist industrial_relations_officer jobcoach*
      karrierecoach* labour_relations leiter_ausbildung personaldirektor* personalfachfrau* personalvorstand* talentmanager* weiterbildungsreferent* zeitarbeitsdisponent*`,
    fields: `hr human_capital people_ops personnel talent talents recruiting recruitment human_relations payroll diversity employee_relations personal personalwesen *personal
      personalabteilung rh drh ressources_humaines recrutement recursos_humanos rrhh capital_humano gente gente_e_gestão gente_y_gestión talento* pessoas personas
      recrutamento selección risorse_umane personale selezione hrm p&o personeelszaken werving uitzend* kadry kadr personaln* персонал* кадр* подбор* ik insan_kaynakları
      موارد_بشريه توظيف شوون_الموظفين 人事 人力资源 人力 採用 hr部 learning_and_development l&d personalmanagement workforce compensation rewards uitzendbureau nómina
      folha_de_pagamento training_and_development desarrollo_organizacional formazione formation formación formação reclutamiento reclutamento arbeitnehmervertretung
      aus_und_weiterbildung entgeltabrechnung gehaltsabrechnung lohnbüro personalbeschaffung personaldienstleistung`,
    weakFields: `training formation formación formação schulung personel people`,
    areas: `hr_* payroll_* staffing_* people_and_culture_* human_resource* human_resources* talent_acquisition* people_operations* insan_kaynak* işe_alım* 招聘* talent_management
      people_&_culture people_and_culture people_culture people_development employee_experience employer_branding organizational_development organisational_development
      organizational_psycholog* desarrollo_organizacional desenvolvimento_organizacional desenvolvimento_humano desarrollo_humano departamento_pessoal
      departamento_de_personal dp recursos_humanos rrhh gestión_humana gestión_del_talento gestión_de_personas gestão_de_pessoas talento_humano capital_humano
      bienestar_laboral relaciones_laborales relações_trabalhistas gestione_del_personale ricerca_e_selezione selezione_del_personale amministrazione_del_personale
      ufficio_personale sviluppo_organizzativo ressources_humaines gestion_du_personnel administration_du_personnel gestion_des_talents marque_employeur relations_sociales
      personalentwicklung personalwesen personalwirtschaft personalgewinnung personalmarketing personaladministration personalverwaltung personalbereich
      learning_development learning_&_development learning_and_development l&d training_&_development training_and_development treinamento_e_desenvolvimento t&d
      training_development capacitación_y_desarrollo opleiding_en_ontwikkeling kadry_i_płace kadr_i_płac zasobów_ludzkich zasoby_ludzkie zarządzani*_personelem
      управлени*_персонал* подбор*_персонал* обучени*_персонал* кадров*_служб* отдел*_кадр* organizasyonel_gelişim işe_alım eğitim_ve_gelişim insan_ve_kültür موارد_بشريه
      الموارد_البشريه شوون_الموظفين شوون_العاملين التوظيف 人材開発 人事総務 人材紹介 人事部 労務 人力资源 薪酬* 绩效* 组织发展 compensation_* benefits_* chief_talent_* learning_and_development_*
      learning_development_* learning_&_development_* company_culture workplace_culture`,
  },
  {
    of: 'legal',
    roles: `lawyer* attorney* counsel* solicitor* barrister* paralegal* judge* notary* jurist* legal_counsel* legal_advisor* legal_assistant* law_clerk* general_counsel*
      magistrate* prosecutor* rechtsanwalt* rechtsanwält* anwalt* anwält* *anwalt *anwältin notar* rechtsreferendar* richter* rechtsfachwirt* syndikus* avocat* juriste*
      notaire* huissier* magistrat* conseiller_juridique abogad* abogado* notari* juez jueza procurador* asesor_jurídico asesor_legal advogad* juiz juíza tabeli*
      promotor*_de_justiça consultor*_jurídic* avvocat* notaio giurist* legale magistrato giudice praticante_avvocato advocaat advocat* notaris* bedrijfsjurist* rechter
      radca_prawny radca adwokat* prawnik* notariusz sędzia юрист* адвокат* юрисконсульт* нотариус* судья avukat* hukuk* hakim noter savcı محام* محامي* مستشار_قانوني قاضي
      弁護士 司法書士 法務担当 律师 法务* 法官 patent_attorney* privacy_officer data_protection_officer* datenschutzbeauftragt* mediator* compliance_officer* compliance_manager*
      compliance_analyst* compliance_specialist* compliance_associate* legal_secretary* legal_executive* legal_consultant* legal_specialist* legal_intern* legal_manager*
      associate_attorney* associate_litigation in_house_counsel* legal_researcher* conveyancer* litigator* public_defender* law_student* law_intern* law_professor*
      advocate* attorney_at_law court_clerk* court_reporter* bailiff* legal_officer* contract_manager* contracts_manager* contract_administrator* contract_specialist*
      volljurist* wirtschaftsjurist* diplomjurist* unternehmensjurist* rechtsberater* rechtspfleger* rechtsanwaltsfach* rechtsassess* rechtsreferent* fachanwalt*
      fachanwält* patentanwalt* patentanwält* justiziar* justitiar* staatsanwalt* staatsanwält* notarfach* notarassess* rechtskundig* gerichtsvollzieh* assessor_jur*
      legal_counsel datenschutzmanager* compliancebeauftragt* compliance_beauftragt* juristin responsable_juridique directeur_juridique directrice_juridique
      assistant*_juridique conseill*_juridique* clerc_de_notaire clerc* greffier* avocat*_associé* avocat*_collaborat* avocat*_au_barreau élève_avocat* juge procureur* dpo
      délégué*_à_la_protection* médiateur*_judiciaire conseil_en_propriété_industrielle letrad* abogad*_asociad* abogad*_penalista* abogad*_corporativ*
      licenciad*_en_derecho asistente_legal asistente_jurídic* asesor*_legal* asesor*_jurídic* consultor*_legal* gerente_legal director*_legal director*_jurídic*
      responsable_legal responsable_jurídic* jefe_legal fiscal_adjunt* pasante_legal oficial_de_cumplimiento oficial_notaría escribano* advogad*_trabalhista*
      advogad*_júnior advogad*_associad* sócio_advogado estagiári*_de_direito analista_jurídic* assistente_jurídic* assessor*_jurídic* gerente_jurídic*
      coordenador*_jurídic* diretor*_jurídic* defensor*_públic* procurador*_do_estado oficial_de_justiça tabeliã* juiz_de_direito analista_judiciári* técnic*_judiciári*
      bacharel_em_direito avvocat*_civilist* avvocat*_penalist* avvocat*_del_foro praticante_legale praticante_notarile consulente_legale consulente_giuridic*
      responsabile_legale ufficio_legale giurista_d'impresa responsabile_affari_legali notai* cancelliere mediatore_civile procuratore_legale pubblico_ministero
      patrocinatore advocaten* advocaatstagiair* kandidaat_notaris* juridisch_advis* juridisch_medewerk* juridisch_consul* juridisch_secretar* gerechtsdeurwaard* griffier*
      officier_van_justitie rechtbank* aplikant_adwokack* aplikant_radcowsk* adwokatk* radczyni_prawna prawniczk* specjalista_ds_prawnych asystent_prawn* asesor_sądow*
      komornik* prokurator* notariuszka referendarz_sądow* rzecznik_patentow* юристка старший_юрист* ведущий_юрист* начальник_юридического_отдела помощник_юриста
      помощник_адвоката помощник_судьи следовател* прокурор* патентный_поверенный нотариальн* юрист_консульт* stajyer_avukat* hukuk_müşavir* hukuk_danışman* hukukçu*
      hâkim* yargıç* savcı* noter* arabulucu* محاميه مستشاره_قانونيه باحث_قانوني مدير_قانوني مدير_الشوون_القانونيه وكيل_نيابه قاضيه محكم موثق كاتب_عدل 弁護士* パラリーガル 弁理士 行政書士
      検察官 裁判官 法務部長 法務マネージャー コンプライアンス 律师助理 专利代理 专利工程师 法律顾问 法务专员 法务总监 检察官 公证员 合规* 法务主管 知识产权 律師 合伙人律师 gerichtsschreib* corporate_associate* advokat* berufsbetreuer*
      betreuungsrichter* chefjurist* chefsyndikus* coroner court_usher ediscovery_specialist forensic_document_examiner fürsprecher* gesetzlicher_betreuer ip_specialist
      jurastudent* justizwachtmeister* konzipient* licensing_officer nachlasspfleger* ombudsman ombudsmann* patentprüfer* patentreferent* rechtliche_betreuerin
      referendar_jura schlichter* schöffe* schöffin* strafverteidiger* title_examiner trust_officer urkundsbeamte* vertragsmanager* zulassungsmanager* jurimetrist*
      company_secretar*`,
    fields: `legal law juridique* jurídic* giuridic* recht rechts* rechtsabteilung juridisch* prawn* prawo юридическ* право* правов* hukuk قانون* قانوني* شوون_قانونيه 法務 法务 法律
      compliance direito derecho droit diritto intellectual_property privacy contentieux regulatory regulatory_affairs conformité cumplimiento contracts litigation
      legal_affairs affaires_juridiques asuntos_legales asuntos_jurídicos assuntos_jurídicos affari_legali propriété_intellectuelle propiedad_intelectual
      propriedade_intelectual proprietà_intellettuale datenschutz protection_des_données protección_de_datos proteção_de_dados corporate_m&a contract_management ip_law
      labor_law arbitration юриспруденци* юстици* судебн* محاماه قضاء prawa prawny rechten juridische_zaken vertragsmanagement justice giustizia jurídica judicial
      judiciary jurid* gericht* justiz patente zulassung`,
    areas: `compliance_* legal_* trademark_* patent_* aplikantka_*`,
  },
  {
    of: 'consulting',
    roles: `management_consultant* business_consultant* strategy_consultant* managing_consultant* unternehmensberat* consultant_en_stratégie consultor_de_negocios
      transformation_consultant* organisationsberat* consultant_en_management консультант_по_управлению 咨询顾问 コンサルタント 经营顾问 yönetim_danışman* مستشار_اداري
      engagement_manager* strategy_analyst* consulente_aziendale consulente_direzionale bedrijfsadviseur* organisatieadviseur* management_consult* associate_consultant*
      independent_consultant* strategic_advisor* business_advisor* consulting_manager* consulting_director* principal_consultant* strategieberat* managementberat*
      organisationsentwickl* prozessberat* inhouse_consult* consultant*_en_organisation consultant*_en_management consultant*_en_stratégie consultant*_indépendant*
      conseill*_en_management conseill*_en_organisation conseill*_d'entreprise conseill*_stratégi* consultor*_de_negócio* consultor*_de_negocio* consultor*_estratégic*
      consultor*_empresarial* consultor*_de_gestão consultor*_de_gestión consultor*_organizacional* consultor*_independiente* consultor*_de_empresas
      consultor*_en_estrategia asesor*_empresarial* asesor*_estratégic* assessor*_empresarial* consulente_di_direzione consulente_strategic* consulente_aziendal*
      consulente_di_management consulente_organizzativ* managementconsul* management_adv* organisatieadv* bedrijfskundig_adv* strategieconsul* strategisch_adv*
      bedrijfsadv* konsultant_zarządzani* konsultant_biznesow* doradca_biznesow* doradca_strategiczn* doradca_zarządu бизнес_консультант* консультант_по_бизнес*
      консультант_по_стратег* советник* бизнес_консалтинг* strateji_danışman* iş_danışman* kurumsal_danışman* مستشار_اعمال مستشار_استراتيجي استشاري* خبير_استشاري 経営コンサルタント
      戦略コンサルタント ビジネスコンサルタント 中小企業診断士 シニアコンサルタント 咨询师 管理咨询* 战略咨询* 咨询经理 咨询总监 企业顾问 高级顾问 首席顾问 operations_consultant* strategy_*_consultant strategy_operations_consultant
      berater_für* beraterin_für* consultant_für* business_coach* executive_coach* leadership_coach* beratungsmanager* facilitator führungskräftecoach*
      veränderungsbegleiter*`,
    fields: `consulting consultancy beratung conseil consultoría consultoria consulenza advisory doradztw* консалтинг danışmanlık استشارات コンサルティング 咨询 business_transformation
      strategic_consulting consultoría_estratégica unternehmensberatung management_consulting strategy_consulting consulting_services professional_services
      professional_service`,
    weakRoles: `consultant* berater* *berater *beraterin consultor* consulent* consulente adviseur* konsultant* doradca* консультант* danışman* مستشار* 顾问 顧問 advisor* adviser* conseiller*
      conseillère* asesor* assessor* advisory_*`,
  },
  {
    of: 'administration',
    roles: `executive_assistant* personal_assistant* office_manager* office_administrator* office_assistant* secretary* receptionist* data_entry* office_clerk* front_desk* pa_to
      admin_assistant* admin_officer* executive_secretary* virtual_assistant* typist* team_assistant* assistant_to assistants_to pa ea management_assistant*
      managementassist* directiesecretar* sekretär* *sekretär *sekretärin bürokauf* bürokraft assistenz* assistent*_der_geschäft* assistenz_der teamassist*
      vorstandsassist* bürofach* empfang* industriekauf* bürokommunikation secrétaire* assistant*_de_direction assistant*_administrati* agent_administratif
      gestionnaire_administrati* hôte*_d'accueil standardiste secretari* recepcionist* asistente_administrativ* auxiliar_administrativ* auxiliar_de_oficina
      asistente_de_gerencia asistente_de_dirección oficinista* assistente_administrativ* auxiliar_de_escritório secretária* assessor_administrativo escriturári* segretari*
      impiegat*_amministrativ* assistente_di_direzione secretaresse* *secretaresse officemanager* administratief_medewerk* baliemedewerk* sekretar* asystent*_zarządu
      pracownik_biurowy recepcjonist* секретар* делопроизводител* офис_менеджер* администратор* помощник_руководителя ассистент_руководителя sekreter* yönetici_asistan*
      resepsiyon* سكرتير* مساعد_اداري موظف_اداري اداري* موظف_استقبال 秘書 受付 一般事務 秘书 前台 文员 総務 助理总 general_affairs office_coordinator* chief_administrative*
      administrateur_de_bureau office_associate* office_secretary* office_staff* administrative_assistant* administrative_officer* administrative_specialist*
      administrative_manager* administrative_associate* administrative_clerk* administrative_secretary* executive_administrator* filing_clerk* file_clerk*
      document_controller* document_control* archivist* mail_clerk* mailroom* switchboard* telephone_operator* personal_secretary* executive_admin* chief_secretary*
      secretarial* clerical* bürohilfe* bürofachkraft* büroleit* büroassist* büroangestellt* kaufmann_für_büro* kauffrau_für_büro* kaufmann_für_bürokommunikation
      verwaltungsangestellt* verwaltungskraft* verwaltungsassist* verwaltungsmitarb* verwaltungskauf* direktionsassist* geschäftsleitungsassist* vorstandssekret*
      chefsekret* teamsekret* fremdsprachenkorr* fremdsprachensekret* rezeptionist* empfangs* datentypist* datenerfass* archivar* schreibkraft* sekretariat*
      secrétaire_de_direction assistant*_de_manager assistant*_polyvalent* assistant*_de_gestion assistant*_administratif* assistant*_adm employé*_administratif*
      employé*_de_bureau agent*_administratif* agent_d'accueil chargé*_d'accueil hôte*_accueil gestionnaire_administratif* adjoint*_administratif*
      responsable_administrati* opérat*_de_saisie auxiliar_de_administración auxiliar_adm* técnic*_administrativ* asistente_ejecutiv* asistente_virtual
      asistente_de_oficina recepcion* capturist* digitador* data_entry coordinador*_administrativ* encargad*_administrativ* jefe_administrativ* jefe_de_administración
      gerente_administrativ* responsable_de_administración supervisor*_administrativ* analista_administrativ* assistente_adm* aux_adm* aux_administrativ*
      coordenador*_administrativ* encarregad*_administrativ* secretári* assistente_executiv* assistente_virtual agente_administrativ* assistente_de_diretoria arquivist*
      office_boy impiegat*_d'ufficio impiegat*_di_ufficio impiegat*_back_office addett*_segreteria addett*_alla_segreteria addett*_reception addett*_front_office
      centralinist* collaborat*_amministrativ* assistente_amministrativ* assistente_alla_direzione assistente_personale coordinat*_amministrativ* ufficio_amministrativo
      administrati*_medewerk* secretar* secretaress* directiesecr* directieassist* officemanag* officemedewerk* kantoormedewerk* kantoormanag* telefoniste* gegevensinvoer*
      archiefmedewerk* archivaris* bureaumanager* hoofd_administratie pracownik_administracyjn* pracownik_biura specjalista_ds_administrac* kierownik_biura
      kierownik_administrac* asystent*_biura asystent*_administracyjn* asystentk* sekretark* sekretarz* referent_administracyjn* archiwist* administrator_biura
      офис_администратор* секретарш* секретар*_референт* ассистент_руководител* личный_помощник* персональный_ассистент* бизнес_ассистент* администратор_офиса оператор_пк
      оператор_эвм архивариус* документовед* специалист_по_документообороту ресепшн* начальник_ахо sekreteri yönetici_sekreter* büro_memur* ofis_yönetic* ofis_müdür*
      ofis_asistan* veri_giriş* danışma_memur* santral* arşiv* evrak* مدير_مكتب مديره_مكتب مدير_اداري مديره_اداريه مساعده_اداريه منسق_اداري موظفه_اداريه مدخل_بيانات
      ادخال_بيانات كاتب_اداري مساعد_تنفيذي مساعد_شخصي امين_ارشيف ارشيف استقبال موظفه_استقبال 事務員 総務担当 総務部* 総務課* 秘書室 受付スタッフ 受付担当 役員秘書 データ入力 庶務 オフィスマネージャー アシスタント業務 行政专员 行政经理
      行政主管 行政总监 行政前台 前台文员 总经理秘书 总裁秘书 办公室主任 办公室文员 文秘 档案管理员 资料员 录入员 总经理助理 董事长秘书 内勤 行政人员 front_office_executive* front_office_assistant* front_office_manager_adm
      responsabile_amministrativ* technicien*_administrati* technicien*_globale_administr* bürobote* büromanager* chefassistentin* dateneingabe* dokumentar*
      dokumentenmanager* kv_lernende phonotypistin* poststelle* registrator* stenograf* stenographer stenotypistin* telefonzentrale* verwaltungsleit*`,
    fields: `admin verwaltung sekretariat secrétariat idari* اداره_اداريه 総務 行政 庶務 bureau büro reception archiv backoffice büromanagement büroorganisation poststelle_abteilung
      sachbearbeitung zentrale_dienste`,
    weakRoles: `assistant* assistent* asistan* assistente* asistente* assistente auxiliar* clerk* employé* employée* angestellt* impiegat* medewerker* *medewerker mitarbeiter*
      *mitarbeiter *mitarbeiterin asystent* ассистент* помощник* مساعد* アシスタント 助理 administrative_* verwaltungs* kaufmännisch* *kaufmann *kauffrau sachbearbeiter* idari*
      asst`,
    weakFields: `administra* gestão_administrativa administration administrati* administración administração amministrazion* amministrativ* administratie* administracj* администрати*
      office back_office`,
    areas: `idari_* büro_* 事務 segreteria biuro 行政 secretarial admin_* records_* administrativ*_* administratief_* administratieve_* ofis_* سكرتيره_*`,
  },
];
