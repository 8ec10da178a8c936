import type { JobFunction, Seniority } from './classes.ts';

/** What a term says of the rank. */
export interface RankTerm {
  /** Null: the words say nothing of the rank, although parts of them would. */
  readonly rank: Seniority | null;
  /** The function that the rank has if the title names no other. */
  readonly of?: JobFunction;
  /** The function that the rank includes. */
  readonly is?: JobFunction;
  /** Counts only if it is the last word of a job, or a preposition follows. */
  readonly isAlone?: boolean;
  /** Counts only if it is the whole job. */
  readonly isWhole?: boolean;
}

/** Terms by what they say, in the notation of `lexicon.ts`. */
export const rankTerms: readonly (readonly [value: RankTerm, terms: string])[] = [
  [
    { rank: 'owner', is: 'executive' },
    `founding_member* sole_trader* shopkeeper* franchisee* franchisenehmer* restaurateur* hotelier* gastwirt* gastronom gastronomin jungunternehmer* einzelunternehmer* managing_shareholder* founding_principal* principal_founder* geschäftsführender_gesellschafter* gesellschafter_und_geschäftsführ* founder* cofounder* co_founder* owner* co_owner* coowner* business_owner* proprietor* entrepreneur* solopreneur* founding_partner* owner_operator inhaber* *inhaber
     *inhaberin gründer* *gründer mitgründer* firmeninhaber* eigentümer* unternehmer* geschäftsinhaber* existenzgründer* fondateur* fondatrice* cofondateur* cofondatrice*
     co_fondat* associé*_fondat* propriétaire* chef_d'entreprise chef_d_entreprise cheffe_d'entreprise chefs_d'entreprise dirigeant*_fondat* auto_entrepreneur*
     autoentrepreneur* gérant*_fondat* créateur_d'entreprise créatrice_d'entreprise chef_entreprise fundador* cofundador* co_fundador* socio_fundador* socia_fundadora dueñ*
     propietari* empresari* emprendedor* proprietári* empresári* empreendedor* microempreendedor* titolare titolari fondator* fondatric* cofondator* proprietari* imprendit*
     oprichter* mede_oprichter* medeoprichter* eigenaar* mede_eigenaar* eigenares* ondernemer* zzp* właściciel* współwłaściciel* założyciel* współzałożyciel* przedsiębiorc*
     владел* совладел* основател* сооснова* учредител* предпринимател* собственник* ип kurucu* girişimci* işletme_sahib* firma_sahib* şirket_sahib* sahib* işveren* iş_insan*
     iş_adamı مؤسس* موسس* مالك* صاحب رجل_اعمال رايد_اعمال رائده_اعمال 創業者 創業 創設者 共同創業者 オーナー 個人事業主 起業家 事業主 创始人 聯合創始人 创办人 老板 企业主 创业者 所有者 合伙创始人 个体户 店主 dono dona donos
     donne_d'ordre duen* socio_fundador sócio_fundador sócia_fundadora sócio_proprietári* sócia_proprietári* socio_propietari* socio_fondatore socia_fondatrice soci_fondatori
     geschäftsführende*_gesellschafter* gesellschafter_geschäftsführ* gründungs* co_ceo_founder founding_ceo repreneur* exploitant_agricole_propriétaire cheffe_entreprise
     patron patronne gérant_propriétaire emprended* propietário* titular_de_la_empresa titolare_d'azienda socio_titolare medeeigenaar* eigenaresse vennoot_eigenaar
     ik_ben_eigenaar własna_działalność prowadzę_własną ко_фаундер* фаундер* кофаундер* сооснователь* индивидуальный_предприниматель хозяин işletmeci* kurucusu kurucu
     şirket_ortağı_kurucu صاحب_شركه صاحب_عمل صاحبه موسسه شريك_موسس 共同創設者 創立者 経営者 ファウンダー 合伙创办人 联合创办人 联合创始人 店长兼老板 dga`,
  ],
  [
    { rank: 'cxo', is: 'executive' },
    `ceo 執行長 法人 директор_компании директор_предприятия директор_фирмы директор_организации chief_executive* präsidentin *vorstand_officer managing_director* chairman* chairwoman
     chairperson chair_of_the_board chair executive_chair* country_president geschäftsführ* *geschäftsführer *geschäftsführerin geschäftsleit* vorsitzend* generaldirektor*
     hauptgeschäftsführ* vice_chair* vice_chairman deputy_chairman pdg président_directeur_général président* présidente* directeur_général directrice_générale
     directeur_exécutif dg gérant* cogérant* administrateur_délégué dirigeant* vice_président_du_conseil director_general directora_general director*_ejecutiv* presidente*
     presidenta* consejero_delegado consejera_delegada gerente_general gerenta_general director_gerente administrador_único administrador_general miembro_del_directorio
     diretor*_geral diretor*_executiv* diretor*_presidente diretor_superintendente presidente_do_conselho vice_presidente_do_conselho* gerente_geral administrador_geral
     amministrat*_delegat* amministrat*_unic* amministratore direttore_generale direttrice_generale presidente_del_cda vice_presidente_del_cda consigliere_delegato
     algemeen_directeur* directeur_eigenaar bestuurder* voorzitter* commissaris statutair_directeur prezes* dyrektor_generaln* dyrektor_naczeln* dyrektor_zarządzając*
     wiceprezes_zarządu przewodniczący генеральн*_директор* гендиректор* президент* председател* исполнительн*_директор* управляющ*_директор* председатель_правления
     genel_müdür* genel_koordinatör başkan* icra_direktör* المدير_العام مدير_عام رييس_تنفيذي الرئيس_التنفيذي رييس_مجلس* رئيس_مجلس* مدير_تنفيذي العضو_المنتدب رييس_الشركه 代表取締役*
     代表 社長 会長 最高経営責任者 最高経営 理事長 総支配人 総経理 总经理 總經理 董事长 总裁 首席执行官 法定代表人 行政总裁 执行董事 董事總經理 执行总裁 chief_strategy* chief_strategic* chief_corporate* directeur_gérant directrice_exécutive
     dyrektor_wykonawcz* algemene_directie algemeen_manager ceo's generalsekretär* secretary_general* secretario_general secretária_geral direktor_general geschäftsleitung
     mitglied_der_geschäftsleitung mitglied_der_geschäftsführung mitglied_des_vorstand* mitglied_im_vorstand director*_gerente* vorstandsvorsitz* vorstandssprecher*
     sprecher_der_geschäftsführung sprecher_des_vorstands генеральн*_дир* ген_директор* ген_дир президентка правлени*_председател* عضو_منتدب مدير_الشركه مدير_شركه الرييس 社長代理
     代表理事 代表社員 ceo兼 执行总经理 首席代表`,
  ],
  [
    { rank: 'cxo', is: 'finance' },
    `財務長 cfo directeur_financier directrice_financière director_financiero directora_financiera diretor_financeiro diretora_financeira direttore_finanziario
     direttore_amministrativo_e_finanziario chief_financial* chief_finance* finanzvorstand* kaufmännisch*_geschäftsführ* directeur_administratif_et_financier
     directrice_administrative_et_financière daf raf financieel_directeur financiële_directeur финансов*_директор* المدير_المالي مدير_مالي 首席财务官 最高財務責任者 dyrektor_finansow*
     mali_işler_direktör* mali_işler_başkan* chief_investment* chief_risk* chief_credit* chief_accounting*`,
  ],
  [
    { rank: 'cxo', is: 'engineering' },
    `技术长 cto chief_technology* chief_technical* chief_technologist chief_engineering* technischer_geschäftsführ* technisch_directeur технический_директор техническ*_директор* 首席技术官
     最高技術責任者 directeur_général_technique технич*_директор chief_software* chief_architect_officer vp_cto`,
  ],
  [
    { rank: 'cxo', is: 'it' },
    `资讯长 cio ciso chief_information* chief_digital* chief_security* chief_cyber* директор_по_информационн* 首席信息官 最高情報責任者`,
  ],
  [
    { rank: 'cxo', is: 'operations' },
    `营运长 coo chief_operating* chief_operations* chief_supply* chief_quality* операционный_директор операционн*_директор* operationeel_directeur 首席运营官 最高執行責任者`,
  ],
  [
    { rank: 'cxo', is: 'marketing' },
    `行销长 cmo chief_marketing* chief_brand* chief_communication* chief_growth* chief_content* 首席营销官`,
  ],
  [
    { rank: 'cxo', is: 'sales' },
    `cro cco chief_commercial* chief_revenue* chief_sales* chief_business* 首席商务官 коммерческ*_директор* cso_sales director_comercial_general`,
  ],
  [{ rank: 'cxo', is: 'product' }, `cpo chief_product*`],
  [
    { rank: 'cxo', is: 'hr' },
    `人资长 chro chief_people* chief_human* chief_hr* chief_talent* chief_learning* chief_diversity* директор_по_персоналу hr_директор 首席人才官 首席人力 chief_people_officer*
     chief_human_resources_officer* chief_talent_officer*`,
  ],
  [
    { rank: 'cxo', of: 'executive', isAlone: true },
    `md cso bereichsvorstand* ressortvorstand* vorsitz* aufsichtsrät* beirat* beirät* stiftungsrat* stiftungsrät* trustee* board_director* board_advisor* independent_director*
     non_exec* ned administrateur_indépendant administratrice_indépendante administrateur_de_sociétés consejer*_independiente* miembro_de_la_junta miembro_del_directorio
     membro_de_conselho membro_do_comitê_executivo consigliera_di_amministrazione lid_van_de_raad commissariss* toezichthouder raad_van_toezicht bestuursvoorzitt* voorzitter
     członek_rady_nadzorczej przewodnicząc*_rady член_совета_директоров председатель_совета член_наблюдательного bürgermeister* oberbürgermeister* maire sindaco sindaca alcalde
     alcaldesa prefeito prefeita burgemeester* burmistrz* wójt* mayor belediye_başkan*`,
  ],
  [{ rank: 'cxo', is: 'executive', isWhole: true }, `директор`],
  [{ rank: 'cxo', is: 'legal' }, `general_counsel* clo chief_legal* chief_compliance* chief_privacy*`],
  [{ rank: 'cxo', is: 'data' }, `cdo chief_data* chief_analytics* chief_ai* 首席数据官 caio`],
  [{ rank: 'cxo', is: 'healthcare' }, `chief_medical* chief_nursing* chief_clinical*`],
  [{ rank: 'cxo', is: 'research' }, `chief_scientific* chief_science* chief_research* chief_innovation*`],
  [
    { rank: 'cxo', is: 'public_sector' },
    `minister ministerin ministers landrat landrätin ministerpräsident* staatssekretär* staatsminister* stadtpräsident* prime_minister*
     secretary_of_state`,
  ],
  [{ rank: 'cxo', is: 'procurement' }, `chief_procurement* chief_purchasing*`],
  [{ rank: 'cxo', is: 'customer_success' }, `chief_customer* chief_experience* chief_client*`],
  [{ rank: 'cxo', is: 'consulting' }, `chief_transformation*`],
  [{ rank: 'cxo', is: 'design' }, `chief_design* chief_creative*`],
  [{ rank: 'cxo', is: 'administration' }, `chief_administrative*`],
  [{ rank: 'cxo', of: 'other' }, `chief_*_officer chief_*_*_officer`],
  [
    { rank: 'cxo', of: 'executive' },
    `president* board_member* member_of_the_board board_of_directors* non_executive_director* vorstand* aufsichtsrat* verwaltungsrat* vorständ* membre_du_directoire
     membre_du_conseil* consejer* miembro_del_consejo* conselheir*_de_administração conselheir*_administrativ* membro_do_conselho* consigliere_di_amministrazione
     membro_del_consiglio* bestuurslid* raad_van_bestuur lid_raad_van* członek_zarządu członkini_zarządu członek_rady* член_правления член_совета* yönetim_kurulu* icra_kurulu*
     عضو_مجلس* 取締役 董事 监事 執行役員  advisory_board* directors_board cso 执行总裁   cxo c_level 首席 役員 执行官 最高责任 最高責任者`,
  ],
  [{ rank: 'cxo', of: 'executive', isAlone: true }, `chief chiefs`],
  [
    { rank: 'partner' },
    `seniorpartner* juniorpartner* senior_partner* equity_partner* general_partner* limited_partner* junior_partner* associate_partner* tax_partner* audit_partner* investment_partner* venture_partner*
     law_partner* partner_at associé associée associés gesellschafter* *gesellschafter sócio_administrador socio_gerente vennoot* maat wspólnik* партнер партнёр
     управляющ*_партнер* ortak* شريك* パートナー 合伙人 合夥人 共同経営者 socio socia socios socias soci socie sócio sócia sócios sócias socio_director socia_directora sócio_diretor
     sócia_diretora local_partner* founding_associate_partner name_partner* avocat*_associé* notaire_associé* expert_comptable_associé* socio_local socio_principal socio_senior
     wspólniczk* компаньон* şirket_ortağı شريكه パートナー弁護士`,
  ],
  [
    { rank: 'partner', of: 'executive' },
    `socio_director socia_directora managing_partner* associé_gérant associée_gérante sócio_administrador 執行合伙人 管理合伙人 управляющ*_партнер* socio_gerente sócio_gerente
     sócio_administrador* sócia_administradora socio_administrador socio_amministratore socia_amministratrice`,
  ],
  [{ rank: 'partner', isAlone: true }, `partner partners partnerin partenaire`],
  [
    { rank: 'vp' },
    `grup_başkan* 執行副總 副總 vp svp evp avp rvp gvp vice_president* vice_presidents vice_présid* vice_presid* vicepresid* vicepresident* viceprésid* vizepräsident* vize_präsident*
     assistant_vice_president* senior_vice_president* executive_vice_pres* exec_vice* vice_preside* vicepresidente* vice_prezes wiceprezes* вице_президент* başkan_yardımcı*
     نايب_الرييس نايب_رييس نائب_الرئيس نائب_رئيس 副社長 副总裁 副總裁 副总 vice_directeur deputy_president v_président vice_pres v_p dy_general_manager vise_president
     sous_directeur_général vicepresidencia vice_presidência vice_presidenza deputy_minister*`,
  ],
  [
    { rank: 'director' },
    `teniente_de_alcalde начальник_*_отдела verkaufsleit* chefjurist* chefsyndikus* einkaufschef* personalchef* chefredaktor* intendant* prorektor* botschafter* dezernent* headmistress* chief_business_process* pró_reitor* pro_reitor* vice_rector* vicerrector* academic_chair* رييسه_قسم رييس_قسم deputy_executive_director* executive_director_of executive_director_for department_chair* assistant_director* chief_of руководител*_подразделен* *leiter *leiterin начальник_отдела начальник_управлен* начальник_департамент* начальник_службы руководитель_отдела руководитель_департамент* руководитель_управлен*
     заведующ*_кафедр* 院長 總經理室 處長 director* dir directors director_of head_of head heads global_head* group_head* deputy_head deputy_director* associate_director*
     regional_director* area_director*  vice_dean provost direktor* *direktor *direktorin leiter leiterin *bereichsleiter *bereichsleiterin abteilungsleit*
     *abteilungsleiter hauptabteilungsleit* bereichsleit* leitung leitend*_direktor ressortleit* standortleit* werkleit* werksleit* betriebsleit* niederlassungsleit*
     gebietsdirekt* prokurist* directeur* directrice* director_adjunt* directora* sous_directeur* sous_directrice chef_de_département chef_de_division subdirector* diretor*
     diretora* superintendente* subdiretor* direttore direttrice direttor* dirigente vicedirettore* capo_dipartimento directeur_van hoofd* afdelingshoofd* sectorhoofd
     landenmanager dyrektor* dyrektorka wicedyrektor* zastępca_dyrektora szef* директор* директриса замдиректор* заместител*_директор* глава начальник_департамента
     руководител*_департамент* руководител*_направлени* директор_департамента начальник_управления direktör* bölge_direktör* daire_başkan* departman_başkan* مدير_اقليمي
     رييس_قطاع مدير_دايره رييس_قسم 部長 本部長 事業部長 統括部長 局長 統括 副部長 総監督 総支配 总监 總監 部长 院长 副总监 处长 局长 理事 总工程师 總工程師 党委书记 工場長 支店長 支社長 所長 校長 校长 总编辑 *leitung dean deans school_principal
     principal_school rektor* rector* chancellor* hauptgeschäftsstellenleit* geschäftsbereichsleit* geschäftsstellenleit* regionalleit* regionaldirektor* vertriebsdirekt*
     responsable_national proviseur* directeur*_adjoint* head_master headmaster* director*_asociad* direktorin* direttore_associato geschäftsfeldleit* konzernleit*
     regional_head* practice_head* vice_director* sub_director* managing_principal* dyrektork* zam_dyrektora z_ca_dyrektora з_директора зам_директора замначальника
     директор_филиала директор_по direktör_yardımcı* dekan* enstitü_müdür* رييس_جامعه عميد* وكيل_وزاره 学部長 研究科長 事業責任者 営業所長 センター長 病院長 園長 区域总监 分公司总经理 系主任 schulleit* главный_врач
     главврач* chief_physician*`,
  ],
  [
    { rank: 'director', of: 'executive' },
    `executive_director* general_manager* gm country_manager* country_head* country_director* chief_of_staff landesleit* landesgeschäftsführ* responsable_pays ülke_müdür* cabinet_director
     chef_de_cabinet`,
  ],
  [
    { rank: 'manager' },
    `gerente_geral_de_loja executive_producer* プロデューサー produktleit* ladenleit* gebietsleit* gebietsverkaufsleit* verkaufsgebietsleit* bezirksverkaufsleit* kassenleit* callcenterleit* fuhrparkleit* projektgruppenleit* arbeitsgruppenleit* forschungsgruppenleit* studienleit* studiengangsleit* internatsleit* therapieleit* wachleit* dienstgruppenleit* empfangsleit* hauswirtschaftsleit* bankettleit* kantinenleit* montageleit* oberbauleit* salonleit* hofleit* einsatzleit* superintendent* plant_superintendent* coordinador* старший_мастер supervising_* 廠長 kundendienstleit* serviceleit* bauleit* schichtleit* kitaleit* küchenleit* stationsleit* pflegedienstleit* marktleit* storeleit* restaurantleit* hotelleit* lagerleit*
     werkstattleit* teilprojektleit* sachgebietsleit* referatsleit* stellvertretend*_filialleit* quadro quadro_direttivo 經理 副理 協理 襄理 店長 課長 組長 lead_manager
     manager* managers *manager *managerin mgr mngr mgmt manageress supervisor* superviser* team_lead* teamlead* team_leader* group_lead* group_leader* squad_lead* shift_lead*
     leader* crew_leader* section_head* department_head* foreman* forewoman managing_editor managing_consultant managing_architect managing_counsel head_chef head_nurse
     head_coach head_teacher head_waiter head_cook headteacher executive_chef editor_in_chief chief_editor chief_steward captain matron overseer registrar chief_accountant
     branch_chief teamleit* gruppenleit* projektleit* filialleit* küchenchef* chefkoch* chefredakteur* chefarzt* vorarbeiter* polier* vorgesetzt* verantwortlich*
     *verantwortlicher chef_de chef_du chef_des cheffe_de chef_d cheffe_d chef_projet chef_produit chef_equipe chef_secteur chef_agence responsable* responsab* resp
     contremaître* encadrant* chef_cuisine chef_cuisinier rédact*_en_chef directeur_de_magasin directrice_de_magasin directeur_d'agence directrice_d'agence
     directeur_d'agence_bancaire directrice_de_succursale directeur_de_succursale directrice_d'école directeur_d'école directeur_de_restaurant directeur_de_projet
     directrice_de_projet gerente* gerent* sub_gerente* subgerente* jefe* jefa* encargad* supervisora* líder_de* lider_de coordinador_general jefe_de capataz maestro_de_obra
     director_de_proyecto* director_de_tienda director_de_sucursal director_de_escuela coordenador* gestor* encarregad* chefe* lider* supervisora gerência responsabile* capo*
     capoturno caporeparto capocantiere coordinatore* coordinatrice* direttore_di_filiale direttore_di_negozio direttore_di_punto_vendita store_director* direttore_lavori
     direttore_tecnico_cantiere caposala capufficio teamleid* teammanager* teamleider* afdelingsleid* bedrijfsleid* leidinggevend* ploegleid* projectleid* filiaalleid*
     vestigingsleid* *leider *leidster unitleid* chef_kok uitvoerder eindredact* kierowni* menedżer* manadżer* menadżer* managerk* brygadzist* koordynator_zespołu naczelnik*
     przełożon* dyrektor_szkoły менеджер* руководител* начальник* заведующ* завед* зав супервайзер* супервизор* управляющ* тимлид* бригадир* мастер_участка старший_менеджер
     прораб* завуч главный_редактор* главн*_бухгалтер* шеф_повар* зав_отдел* лидер_команды müdür* *müdürü yönetici* şef* şefi takım_lideri ekip_lideri ekip_lider* grup_lideri
     süpervizör* supervizör* amir* ustabaşı okul_müdür* müdür_yardımcı*  birim_yönetici* مدير* مديره مشرف* رييس* رئيس* قايد_فريق مسوول_فريق マネージャ* マネジャー リーダー 係長 室長
     班長 チーフ 主査 グループ長 チーム長 主幹 料理長 編集長 スーパーバイザー 次長 课长 科长 经理 主管 组长 班长 店长 主編 主编 负责人 厨师长 领班 车间主任 团队负责人 队长 站长 护士长 监理 项目总 工长 总管 主任 filiaaldirecteur* filiaalmanag* clubmanager*
     chef_de_chantier conducteur*_de_travaux chef_d'atelier mestre_de_obras mestre_d'obras aşçıbaşı baş_aşçı maitre_d'hotel hoofdverpleegkundig* teamhoofd foremen floor_lead
     główn*_księgow* gł_księgow* mistrz_produkcji мастер_смены мастер_цеха мастер_производства старший_смены lead_of_team line_leader* crew_chief* bezirksleit* kolonnenführer*
     truppführ* ausbildungsleit* heimleit* einrichtungsleit* gruppenführ* schichtführer* koordinationsleit* kanzleileit* büroleit* praxisleit* praxismanag* lager_leit*
     logistikleit* qualitätsleit* laborleit* produktionsgruppenleit* versandleit* disposition_leit* hausleit* wohnbereichsleit* pflegeleit* hortleit* serviceleiter*
     servicecenterleit* call_center_leit* objektleit* projektmanag* programmleit* redaktionsleit* ressortchef* redaktionschef* responsável* gerencia superviseur* superviseuse
     gestionnaire_de_projet* animateur_d'équipe chef_infirmi* cadre_de_santé surveillant_chef maître_d'hôtel mayordomo capitán gobernanta ama_de_llaves caporedattore
     caposervizio capocuoco capo_cuoco capo_sala capo_cantiere responsabile capostazione coordinatore_infermieristic* hoofdredacteur* teamverantwoordelijke verantwoordelijke
     ploegbaas meewerkend_voorman voorman productieleid* kierowniczk* zastępca_kierownika zca_kierownika szef_kuchni szef_zmiany sztygar* majster lider_zespołu
     заместитель_начальника* зам_начальника замначальника_отдела заведующая начальница ст_мастер бригадирша müdiresi şefliği müdürü* şantiye_şef* vardiya_amir* takım_kaptan*
     baş_hemşire* başhemşire* sorumlu_müdür* ملاحظ رييس_فريق رييس_وحده رييسه_وحده قايد 看護師長 師長 支配人 副店長 所長代理 マネージャ 责任人 领队 主厨 行政总厨 教务主任 年级主任 产线组长 product_owner* meister
     werkmeister* industriemeister* küchenmeister* produktionsmeister* schichtmeister* elektromeister* kfz_meister* handwerksmeister* montagemeister* betriebsmeister*
     менеджер_по_продукту менеджер_продукта менеджер_по_проектам менеджер_по_управлению_проектами kategorie_manager sorumlu_müdür владелец_продукта* ürün_sahib*
     właściciel_produktu مالك_المنتج producteigenaar* verantwoordelijk* *verantwoordelijke directeur_agence directrice_agence directeur_d_agence`,
  ],
  [
    { rank: 'vp', of: 'executive' },
    `deputy_general_director* deputy_general_manager* deputy_gm deputy_managing_director* stellvertretend*_geschäftsführ* directeur*_général*_adjoint* directrice_générale_adjointe
     directeur_général_délégué subdirector_general subgerente_general vice_direttore_generale vicedirettore_generale zastępca_dyrektora_generalnego adjunct_directeur_generaal
     deputy_ceo deputy_chief_executive* genel_müdür_yardımcı* 副总经理 副總經理 نايب_المدير_العام заместител*_генеральн*_директор* зам_генеральн*`,
  ],
  [{ rank: 'director', is: 'hr' }, `drh`],
  [{ rank: 'director', is: 'it' }, `dsi`],
  [{ rank: 'manager', is: 'hr' }, `rrh`],
  [{ rank: 'entry', of: 'sales', isWhole: true }, `commercial commerciale comercial`],
  [{ rank: 'manager', of: 'operations' }, `project_manager* programme_manager* program_manager*`],
  [
    { rank: 'senior' },
    `technical_fellow* líder_técnic* старш*_менеджер_по* 业务主任 master_engineer* chief master_electrician* master_plumber* professor_associad* professor_titular* profesor_titular* profesora_titular* professor_adjunto* art_director* アートディレクター 首席 engenheiro_master application*_architect* integration_architect* network_architect* infrastructure_architect* mobile_architect* ios_architect* android_architect* java_architect* sap_architect* devops_architect* platform_architect* technology_architect* principal_architect* lead_architect* aws_architect* azure_architect* architetto_java architetto_software architetto_it architetto_di_soluzioni lösungsarchitekt* professor_in profesor_investigador chief_buyer chief_pilot chief_designer chief_analyst chief_programmer chief_technician chief_inspector chief_investigator chief_electrician sen staff_*_engineer staff_*_*_engineer staff_scientist staff_developer staff_designer associate_professor* solution*_architect* software_architect* system*_architect*
     enterprise_architect* cloud_architect* data_architect* it_architect* security_architect* technical_architect* architekt_system* architekt_oprogramowania softwarearchitekt*
     systemarchitekt* it_architekt* architecte_logiciel* architecte_système* architecte_solution* arquitecto*_de_software arquitecto*_de_soluciones arquiteto*_de_software
     arquiteto*_de_soluções архитектор_систем* системн*_архитектор* sous_chef* 副教授 准教授 教授 professor_of professor_für professor_emeritus distinguished_professor доцент*
     доктор_наук 架构师 架構師 アーキテクト senior sr snr lead principal staff_engineer staff_software staff_data distinguished chief_engineer* chief_architect* chief_scientist* sme
     full_professor* professor_ordinari* professore_ordinario professoressa_ordinaria catedrátic* hoogleraar ordinarius lehrstuhlinhaber* erfahren* leitend* confirmé*
     principale principaux référent* senior* sênior sênior* principal* experimentad* starsz* główn* samodzieln* старш* ведущ* главн* kıdemli* اول كبير رييسي シニア 上席 主席 高级 高級 资深
     資深 首席工程师 首席架构师 专家 first_officer specialist_ii doyen baş oberarzt* oberärzt* funktionsoberarzt facharzt_leitend iii principal_consultant lead_engineer* lead_developer*
     tech_lead* technical_lead* techlead staff_software_engineer staff_product_designer principal_engineer* lead_consultant* lead_designer* expert_senior expérimenté* confirmée
     senior_associate* ltd_senior especialista_sênior especialista_senior ст_преподаватель ст_научный starszy starsza wiodący uzman_doktor doç prof_dr senior_uzman اول* كبيره
     كبار شيف_اول チーフエンジニア リードエンジニア テックリード 主任医師 主任技師 主任研究員 主幹研究員 主治医师 副主任医师 高工 主任工程师 主任设计师 资深工程师 首席设计师 总工 police_sergeant* doçent* doçent doçent_dr souschef*`,
  ],
  [
    { rank: 'entry' },
    `founder_associate* client_partner* *begleiter *begleiterin kursleit* seminarleit* übungsleit* praxisanleit* reiseleit* jugendleit* chorleit* aufnahmeleit* fahrdienstleit* koordinatör* post_doc* junior_art_director* graduate_engineering_* account_*_manager client_solutions_manager* asst exec_asst junior jr entry_level specialist* associate* coordinator* officer* representative* rep agent* advisor* adviser* analyst* administrator* assistant* technician* operator*
     clerk* worker* employee* staff member consultant* executive administrador* contractor* practitioner* professional* account_manager* accounts_manager* key_account_manager*
     kam partner_manager* customer_success_manager* client_success_manager* relationship_manager* partnership*_manager* community_manager* social_media_manager* case_manager*
     accountmanager* strategist* expert* evangelist* planner* estimator* inspector* examiner* investigator* adjuster* handler* helper* attendant* guard* keeper* editor*
     recruiter* ambassador* liaison* generalist* fellow* controller* business_partner* talent_partner* people_partner* partner_marketing mitarbeiter* *mitarbeiter
     *mitarbeiterin sachbearbeiter* *sachbearbeiter *sachbearbeiterin fachkraft* *fachkraft referent* *referent *referentin angestellt* *angestellter *angestellte berater*
     *berater *beraterin assistent* *assistent *assistentin spezialist* *spezialist techniker* beauftragt* *beauftragter betreuer* *betreuer *kaufmann *kauffrau helfer* *helfer
     aushilfe* *arbeiter bearbeiter* disponent* planer* *planer gehilf* fachangestellt* *fachangestellte fachmann* fachberater* chargé* conseill* employé* technicien*
     gestionnaire* opérateur* opératrice* collaborateur* collaboratrice* attaché* adjoint* animateur* animatrice* médiateur* médiatrice* spécialiste* intervenant* auxiliaire*
     préparat* accompagnant* délégué* négociat* correspondant* analyste* ejecutiv* asesor* técnic* tecnic* auxiliar* asistente* analista* especialista* operador* operari*
     agente*  promotor* consultor* administrativo administrativa ayudante* emplead* encuestador* representante* delegad* gestor_comercial profesional* colaborador*
     peón gestor_de_cuentas gestor_de_contas gerente_de_cuentas gerente_de_contas gerente_de_cuenta gerente_de_relacionamento assistente* assessor* atendente* ajudante* pleno
     instrutor* impiegat* addett* operatore operatrice operatori consulent* specialista* collaboratore collaboratrice collaboratori tecnico* agente_di* referente* incaricat*
     ausiliari* libero_professionista funzionari* promotore* rappresentant* medewerk* *medewerker *medewerkster adviseur* *adviseur *specialist beheerder* *beheerder
     begeleider* vakman beleidsmedewerk* hulp* *kracht adviseuse pracownik* pracownic* specjalist* asystent* doradc* konsultant* inspektor* ekspert* technik* młodsz*
     koordynator* przedstawiciel* специалист* сотрудник* консультант* ассистент* помощник* аналитик* эксперт* инспектор* оператор* работник* техник* младший координатор*
     представител* агент* менеджер_по* менеджер_по_* администратор* методист* офис_менеджер* клиентск*_менеджер* аккаунт_менеджер* uzman* temsilci* danışman* asistan* görevli*
     eleman* sorumlu* teknisyen* memur* çalışan* personeli operatör* tekniker* yardımcı* yetkili* uzmanı موظف* اخصايي* اخصائي* مسوول* مسئول* مساعد* مندوب* منسق* مستشار* فني
     محلل* عامل* ممثل* كاتب* خبير* 担当 担当者 スタッフ 社員 職員 アシスタント 係 コーディネーター スペシャリスト アドバイザー コンサルタント オペレーター 营业员 专员 專員 助理 文员 员 師 师 工程师 销售代表 業務代表 业务代表 医药代表 客户代表 证券事务代表 顾问 顧問 客户经理 客戶經理
     职员 技术员 人员 业务员 秘书 员工 家 管理员 业务经理 理财经理 投资经理 者 士 会員 事務 hr_менеджер* eyçar* event_менеджер* smm_менеджер* pr_менеджер* контент_менеджер* бренд_менеджер* интернет_маркетолог*
     категорийн*_менеджер* resident resident_physician* residente* assistant_professor* adjunct_professor* visiting_professor* visiting_lecturer* assistenzarzt* assistenzärzt*
     hausmeister* platzwart* wachmeister* polizeimeister* оператор служащ* chef_de_publicité chef_de_pub chef_de_partie chef_de_rang scrum_master* agile_coach* office_associate
     lojistik_uzman* gerente_de_relacionamento* gerente_de_negócios gerente_de_conta gerente_pessoa_física pm_assistant responsable_clientèle personalreferent* freelance_*
     contractor reps crew schaffner* scout bombero advisor_to junior* kracht vakkracht stylist influencer member_of_technical_staff mts 事務員 一般職 店员 職 مهندس* مصمم* معلم* مدرس*
     مترجم* مطور* مبرمج* طباخ* مصور* باحث* باحثه* فنان* designer* professeur* professor* professora profesor* maestro maestra docente* ingenier* engenheir* ingenieur* inżynier*
     инженер* mühendis* kaptan assistant_buyer* desenhista* operatore* medico médico médica graphic_designer* writer* musician* sistem_yönetic* ağ_yönetic* veritabanı_yönetic*
     dipl ingénieur_d'affaires comptable* docent`,
  ],
  [{ rank: 'senior', isWhole: true }, `professor`],
  [
    { rank: 'training' },
    `*anwärter *anwärterin *lehrling *schüler *schülerin famulant* lernende kv_lernende seminarian articled_clerk* student_body_president* masters_thesis master_thesis bachelor_thesis masterarbeit bachelorarbeit diplomarbeit freiwilliges_soziales_jahr fsj bundesfreiwilligen* bfd تحت_التمرين تحت_التدريب 儲備幹部 儲備 intern interns internship* trainee* *trainee apprentice* student student_* graduate graduate_trainee* graduate_student* undergraduate* phd_candidate* phd_student*
     doctoral_candidate* doctoral_student* graduate_teaching* graduate_research* graduate_assistant* extern co_op coop_student fresher* bachelor_student master_student
     mba_candidate mba_student candidate_phd summer_intern* praktik* *praktikant *praktikantin azubi* auszubildend* werkstudent* *student *studentin volontär* referendar*
     *referendar *referendarin lehrling* umschüler* dual* doktorand* schüler* studier* stagiaire* stage stages alternant* alternance apprenti* étudiant* doctorant* élève*
     becari* practicante* pasante* pasantía estudiante* aprendiz* prácticas alumn* en_prácticas doctorand* estagiári* estágio bolsista* estudante* acadêmic*_de menor_aprendiz
     jovem_aprendiz aluno aluna graduand* doutorand* mestrand* stagist* tirocin* studente* studentessa apprendist* dottorand* praticante* laureand* neolaureat* specializzand*
     stagiair* leerling* student* scholier* afstudeer* promovend* stażyst* praktykan* uczeń uczennica stażysta doktorant* aplikant* стажер* стажёр* студент* практикант*
     аспирант* интерн* ученик* учащ* ординатор* stajyer* öğrenci* çırak* doktora_öğrenci* طالب* متدرب* تدريب_صيفي متدربه インターン* 学生 大学生 大学院生 実習生 研修生 研修医 見習い 新卒 博士課程 修士 实习生 实习
     研究生 博士生 硕士生 管培生 学徒 应届* 在读 培训生 étudiant_en en_stage en_alternance en_apprentissage recherche_alternance werkstudierend* masterand* bachelorand* diplomand* abiturient*
     praktikum* referendariat volontariat* volontärin* auszubild* ausbildung_zum ausbildung_zur ausbildung duales_studium dh_student* rechtsreferendar* lehramtsanwärter*
     anwärter* summer_analyst* summer_associate* graduate_engineer_trainee management_trainee* scholar_student college_student* high_school_student* pre_med premed mba_student*
     llm_candidate jd_candidate law_student* undergrad* trainee_solicitor* pupil_barrister* practicum cadet* aspirante élève_ingénieur élève_avocat* cursante pregrado
     estudante_de estudant* trainees estagi* formand* studentess* laureanda tirocini* stagelop* stagiaire bbl studente praktykant* studentk* na_stażu стажир* студентк* учащаяся
     учащийся интерн staj stajer* asistan_öğrenci yüksek_lisans_öğrencisi lisans_öğrencisi طالبه طالب_* تلميذ امتياز 内定者 就活生 在学 修士課程 院生 インターンシップ 学部生 専門学生 高校生 大四 大三 在校生 毕业生 应届生
     研究生在读 实习律师 实习医生 管理培训生 储备干部 phd_researcher* doutorado doctorado mestrado`,
  ],
  [
    // Words within these would name a rank.
    { rank: null },
    `self_employed employed danışmanlık* md_phd md_mba md_facp phd_md md_msc sales_lead_gen partner_program* aspiring students student_records student_affairs student_services
     student_recruitment internal internist* international management_consult* ownership lead_generation leads leadership product_leadership thought_leader headhunter*
     headquarters executive_search board_certified presidential partnership* direction_assist* process_owner* membro member_of partner_network master_data mastering headless
     presidency leading president's_club kapitan directeurs_assist* directiesecret* managementassist* management_assist* vorstandsassist* assistenz_der_geschäftsführung
     assistent*_der_geschäfts* assistenz_geschäftsf* geschäftsführungsassist* yönetici_asistan* yönetici_sekreter* secretári*_executiv* asistente_de_gerencia
     asistente_de_dirección asistente_de_presidencia asistente_de_direccion assistente_de_diretoria assistente_de_direção assistente_di_direzione assistant*_de_direction
     assistant*_de_gestion asystent*_zarządu asystent*_dyrektora помощник_руководителя ассистент_руководителя помощник_директора секретарь_руководителя помощник_генеральн*
     مساعد_مدير_تنفيذي 総経理助理 总经理助理 总裁助理 董事长助理 社長秘書 总经理秘书 役員秘書 学生募集 学生支援 student_counsel* student_advisor* student_support studentenberat* student_recruit* studienberat* members
     recherche_d'emploi recherche_d_emploi recherche_active recherche_un recherche_d'une интернет* nationwide heads_up student_life student_housing student_success* graduated
     leader_in leaders_in world_leader market_leader industry_leader proud_owner home_owner* homeowner* owner_relations* social_soci partner_success* partner_management
     partner_relations* partner_development partner_sales partner_account* vice_versa assistant_de_dir board_games presidents_club direktionsassist* direktionssekret*
     chefsekret* chefassist* chefarztsekret* secretaria_de_presidencia secretaria_de_gerencia secretária_da_diretoria secretária_de_diretoria assistente_da_diretoria
     assistente_de_presidência directiesecretar* directieassist* management_support asystent*_prezesa sekretarz_zarządu секретарь_директора ассистент_директора
     genel_müdür_asistan* müdür_asistan* yönetim_asistan* genel_müdür_sekreter* سكرتير_مدير سكرتيره_مدير سكرتير_المدير مدير_مكتب_سكرتير مساعد_المدير 社長室 校长助理 店长助理 经理助理 總經理助理
     internet product_ownership project_management programme_management program_management helping helping_founders talent_acquisition_partner* acquisition_partner*`,
  ],
];
