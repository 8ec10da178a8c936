import type { FunctionTerms } from './terms.ts';

export const technology: readonly FunctionTerms[] = [
  {
    of: 'engineering',
    roles: `ingegner*_mecc* ingenier*_mec* engenheir*_mec* ingénieur*_méc* ingegner*_elet* ingenier*_eléc* engenheir*_elét* ingénieur*_élec* инженер*_механик* инженер*_электрик*
      inżynier*_mechanik* architekt_system* architekt_oprogramowania architecte_logiciel* arquitecto*_de_software arquiteto*_de_software metallurg* metalurg* developer*
      software_engineer* software_developer* software_development_engineer* programmer* coder sde swe sdet frontend front_end backend back_end fullstack full_stack
      web_developer* webdeveloper* dev software_architect* qa tester* test_engineer* test_automation firmware* embedded* mechanical_engineer* electrical_engineer*
      civil_engineer* chemical_engineer* process_engineer* design_engineer* structural_engineer* field_engineer* automation_engineer* robotics* mechatronic*
      hardware_engineer* systems_engineer* entwickler* *entwickler *entwicklerin softwareentwickl* programmierer* informatiker* konstrukteur* elektroingenieur*
      maschinenbauingenieur* bauingenieur* verfahrensingenieur* entwicklungsingenieur* développeur* développeuse* programmeur* programmeuse* desarrollador* programador*
      desenvolvedor* sviluppator* programmatore ontwikkelaar* *ontwikkelaar softwareontwikkelaar* programist* deweloper* konstruktor* разработчик* программист*
      тестировщик* инженер_программист* фронтенд* бэкенд* верстальщик* инженер_конструктор* конструктор* yazılım* geliştirici* bilgisayar_mühendis* makine_mühendis*
      elektrik_mühendis* inşaat_mühendis* مبرمج* مطور* مهندس_برمجيات プログラマ* ソフトウェアエンジニア 開発者 開発エンジニア 程序员 软件工程师 软件开发 前端 后端 研发工程师 测试工程师 算法工程师 開發 disegnatore_cad
      disegnatore_tecnico cad_designer cad_technician draughtsman drafter draftsman projeteur* dessinateur_projeteur* projetista delineante technical_lead tech_lead
      techlead software_ingenieur* *softwareengineer ingénieur_logiciel* ingeniero_de_software engenheiro_de_software ingegnere_del_software ios_developer* game_developer*
      smart_contract* flutter java javascript dotnet react computer_engineer* aerospace_engineer* r&d_engineer* ingénieur_développement* analista_programador*
      analista_desenvolvedor* mechanical_design* product_engineer* project_engineer* manufacturing_engineer* industrial_engineer* production_engineer*
      maintenance_engineer* mining_engineer* marine_engineer* naval_architect* nuclear_engineer* biomedical_engineer* environmental_engineer* telecom_engineer*
      rf_engineer* radio_engineer* validation_engineer* commissioning_engineer* control_engineer* controls_engineer* application_engineer* applications_engineer*
      vehicle_engineer* engineering_technician* engineering_intern* mobile_developer* mobile_engineer* ui_developer* web_engineer* salesforce_developer* game_programmer*
      game_engineer* test_analyst* quality_assurance_engineer* systems_architect* software elektrokonstrukt* maschinenbau* maschinenbautechnik* wirtschaftsingenieur*
      projektingenieur* prozessingenieur* versuchsingenieur* prüfingenieur* berechnungsingenieur* testingenieur* hardwareentwickl* softwareingenieur* softwaretester*
      webentwickl* frontendentwickl* backendentwickl* anwendungsentwickl* app_entwickl* konstruktionsleit* entwicklungsleit* entwicklungs* technisch*_zeichn*
      technisch*_produktdesign* bauzeichner* statiker* tragwerksplan* planungsingenieur* vermessung* automatisierung* mechatronikingenieur* wirtschaftsinformatik*
      ingénieur*_mécanique ingénieur*_études ingénieur*_développement ingénieur*_procédés ingénieur*_travaux ingénieur*_structure ingénieur*_projet ingénieur*_génie*
      ingénieur*_électr* dessinat*_industriel* dessinat*_projeteur* dessinateur_industriel technicien*_bureau_d'études bureau_d'études développeu* lead_dev lead_developer*
      intégrat*_web testeur* architecte_technique proyectista* delineante* dibujante_técnic* analista_desarrollador* analista_qa tester_qa ingeniero_de_desarrollo
      jefe_de_desarrollo jefe_de_ingeniería topógraf* analista_de_testes analista_de_desenvolvimento projetist* desenhista_técnic* desenhista_projetista
      arquitet*_de_sistemas coordenador*_de_engenharia técnico_em_edificações técnico_em_mecatrônica progettist* perito_meccanico perito_elettronico disegnator* geometra*
      sviluppat* programmator* collaudator* sistemista_embedded responsabile_tecnic* responsabile_ufficio_tecnico tecnico_progettista analista_programmatore
      capo_progetto_software werktuigbouw* constructeur* projectingenieur* procesingenieur* tekenaar* technisch_tekenaar* calculator_bouw werkvoorbereid*
      softwarearchitect* softwareontwikkel* webontwikkel* testengineer* ontwerper_technisch projektant_instalacji projektant_konstrukcji projektant_mechanik
      projektant_elektr* asystent_projektanta programistk* testerk* inżynier_budowy automatyk* kosztorysant* geodet* инженер_проектировщик* проектировщик* главный_инженер*
      гип главный_конструктор* асу_тп асутп инженер_кип тестировщи* программистк* разработчи* qa_инженер* веб_разработчик* мобильный_разработчик* mühendisi teknik_ressam*
      endüstri_mühendis* elektronik_mühendis* kimya_mühendis* çevre_mühendis* gıda_mühendis* maden_mühendis* yazılımcı* programcı* geliştiric* arge_mühendis*
      proje_mühendis* bakım_mühendis* saha_mühendis* مهندسه رسام_هندسي مبرمجه 機械設計 電気設計 回路設計 組込み 組み込み 開発部長 開発リーダー バックエンド フロントエンド webエンジニア アプリ開発 プログラマー テストエンジニア 設計者 機械エンジニア
      生産技術 施工エンジニア 技術職 技術開発 cadオペレーター 結構 机械工程师 电气工程师 电子工程师 结构工程师 硬件工程师 嵌入式 工艺工程师 土木工程师 自动化工程师 测试 软件测试 架构师 技术经理 技术主管 研发经理 研发总监 java开发 web开发 全栈 设备工程师 项目工程师 产品工程师 工业工程师 架構師
      軟體工程師 技术负责人 安卓 后台开发 游戏开发 客户端开发 化学工程师 制图员 テスター robotertechnik* perfuração marine_surveyor* akustiker* anlagenplaner* brandschutzplaner* cartographer dipl_ing
      draftsperson draughtswoman energietechnikerin* fachplaner* geoinformatiker* geomatics geomatiker* geotechnikerin* holztechnikerin* inbetriebnehmer*
      informatikstudent* kartograf* kartograph* kunststofftechnikerin* landschaftsarchitekt* lösungsarchitekt* messtechnikerin* metrologist mikrotechnologe*
      nachrichtentechnikerin* optronik* photogrammetrist rohrleitungsplaner* sachverständige_kfz sachverständiger_kfz staatlich_geprüfte_technikerin student_informatik
      testautomatisierer* testmanager* textiltechnikerin* tga_planer verfahrenstechnikerin* verkehrsplaner* versuchstechnikerin* werkstoffprüfer* conseiller*_technique
      teknik_müdür* 技术长`,
    fields: `engineering software* eng r&d_software technology_officer technical_officer development_team desarrollo_de_software desenvolvimento_de_software
      développement_logiciel ingénierie ingeniería engenharia ingegneria softwareentwicklung konstruktion entwicklung mühendislik разработк* разработки_по هندسه برمجه
      برمجيات 开发 技术总监 工程部 エンジニアリング 技術部 技術責任者 開発部 開発 システム開発 robotik* elektrotechnik maschinenbau mechatronik bautechnik informatique_industrielle machine_design mechanics
      electronics électronique electrónica eletrônica elettronica elektronik* elektronika inżynieri* инженерн* avionics aerospace civil_works technical_director
      technischer_leiter technischer_direktor directeur_technique direttore_tecnico director_técnico diretor_técnico diretor_de_tecnologia director_de_tecnología
      dyrektor_techniczny технический_директор teknik_müdür المدير_التقني 技术 techniek technologie* tecnología tecnologia технолог* quality_assurance product_engineering
      aerodynamic* robotic* robótic* c++ c# bouwbureau otomasyon* propeller* maschinen automation_department coordenação_técnica prototypenbau telecommunications
      verfahrenstechnik web_development area_tecnica área_técnica agile programação`,
    commonRoles: `engineer* ingenieur* *ingenieur *ingenieurin ingénieur* ingénieure* ingeniero* ingeniera* engenheiro* engenheira* ingegner* inżynier* инженер* mühendis* مهندس* エンジニア 工程师
      工程師`,
    weakRoles: `arquitect* arquitet* architett* architekt* архитектор* mimar* معماري 建築士 建筑师 技術者 技术员 architect* systemarchitekt* tekniker technologist*`,
    weakFields: `technology technical technique* technisch* técnico* tecnic* technicz* техническ* teknoloj* technik технич*`,
    areas: `android_* blockchain_* python_* php_* wordpress_* geotechnical_* mechanical_* electrical_* petroleum_* instrumentation_* plc_* hardware_* fpga_* asic_* vlsi_* cad_* bim_*
      .net_* angular_* node_* ruby_* golang_* c++_* rust_* unity_* sw_* ingeniero_* ingeniera_* engenheir*_* inżynier_* инженер_* mühendis_* harita_* مهندس_* مطوره_*`,
  },
  {
    of: 'data',
    roles: `machine_learning_engineer* ml_engineer* ai_engineer* data_scientist* data_analyst* data_engineer* data_architect* bi_analyst* bi_developer* database_developer*
      statistician* datenanalyst* datenwissenschaftler* data_analist* cientista_de_dados científic*_de_datos analista_de_dados analista_de_datos ingeniero_de_datos
      engenheiro_de_dados analista_dati data_scientist ingénieur_data ingénieur_données analyste_de_données analyste_données statisticien* estadístic* statistik*
      veri_analist* veri_bilim* дата_сайентист* аналитик_данных дата_инженер* analityk_danych محلل_بيانات عالم_بيانات データサイエンティスト データアナリスト データエンジニア 数据分析师 数据科学家 数据工程师 数据分析
      quantitative_analyst* analytics_engineer* power_bi* reporting_analyst* bi_consultant* bi_specialist* insights_analyst* analytics_consultant* data_steward*
      analyste_data ai_research* ai_specialist* ai_developer* ai_scientist* ai_consultant* data_manager* data_specialist* data_consultant* data_modeler* data_lead*
      data_governance* business_analyst* business_intelligence_analyst* insights_manager* insight_analyst* analytics_manager* decision_scientist* quantitative_researcher*
      research_analyst_data web_analyst* digital_analyst* biostatistic* datenbankentwickl* dateningenieur* datenmanager* datenspezialist* bi_entwickl* bi_berater*
      ki_entwickl* ki_experte* consultant*_data consultant*_bi chef_de_projet_data ingénieur*_donnée* ingénieur*_data* chargé*_d'études_statistiques analista_de_negocio*
      analista_de_negócio* analista_de_información analista_bi analista_de_bi analista_de_inteligencia* analista_de_inteligência* analista_data arquitecto_de_datos
      arquiteto_de_dados engenheir*_de_dados ingenier*_de_datos estatístic* especialista_en_datos especialista_em_dados analista_di_dati analista_di_business
      ingegnere_dei_dati statistic* gegevensanalist* business_analist* inżynier_danych analityczk* analityk_biznesow* analityk_bi specjalista_ds_analiz statystyk*
      бизнес_аналитик* бизнес_анализ* инженер_данных дата_аналитик* data_аналитик* bi_аналитик* продуктовый_аналитик* веб_аналитик* статистик* специалист_по_данным
      iş_analist* veri_mühendis* veri_uzman* veri_bilimci* yapay_zeka* iş_zeka* istatistik* محلله_بيانات مهندس_بيانات محلل_اعمال احصايي ذكاء_اصطناعي مهندس_ذكاء aiエンジニア
      機械学習 データ分析 ビジネスアナリスト 統計 人工知能 bi工程师 数据挖掘 大数据工程师 机器学习* 算法* 人工智能工程师 统计* 商业分析* 业务分析* 数据运营 数据专员 数据经理 数据总监 深度学习 business_intelligent* quant quants anforderungsmanager*
      biometriker* fachanalyst* forecaster leiter_datenmanagement stammdatenmanager* stammdatenpfleger* systemanalytiker* data_wrangler*`,
    fields: `data analytics *analytics business_intelligence bi big_data machine_learning datenanalyse daten statistics data_science artificial_intelligence
      intelligence_artificielle inteligencia_artificial inteligência_artificial künstliche_intelligenz insights dati dados datos données veri данных データ 数据 大数据 人工智能 بيانات
      ai ki deep_learning nlp computer_vision data_warehouse datawarehouse etl datenmanagement maschinelles_lernen reporting stammdaten`,
    weakRoles: `analyst* analista* analyste* analytiker* analist* аналитик* محلل* アナリスト 分析师 analityk* analitik`,
    areas: `big_data_* business_intelligence_* ml_* llm_* nlp_* computer_vision_* deep_learning_* analytics_* gis_* geospatial_* tableau_* etl_*`,
  },
  {
    of: 'it',
    roles: `system_administrator* systems_administrator* sysadmin* network_engineer* network_administrator* it_specialist* it_technician* helpdesk* help_desk desktop_support
      service_desk database_administrator* dba cloud_engineer* security_engineer* security_analyst* security_architect* cybersecurity* cyber_security*
      information_security* infosec soc_analyst* pentest* penetration_tester* it_administrator* salesforce_administrator* sap_consultant* systemadministrator*
      fachinformatiker* it_systemelektroniker* netzwerkadministrator* administrateur_système* administrateur_réseau* technicien_informatique administrador_de_sistemas
      administrador_de_redes técnico_en_informática técnico_de_informática técnico_informátic* suporte_técnico soporte_técnico analista_de_suporte
      analista_de_infraestrutura sistemista tecnico_informatico systeembeheerder* systeem_beheerder netwerkbeheerder* applicatiebeheerder* administrator_systemów
      informatyk* системный_администратор* сисадмин* sistem_yönetic* ağ_uzman* مدير_النظام دعم_فني مسؤول_انظمه ネットワークエンジニア インフラエンジニア システム管理者 社内se 系统管理员 网络工程师 运维*
      webmaster* it_consultant* it_analyst* it_engineer* systems_analyst* system_analyst* business_systems_analyst* it_officer servicenow* technical_support* tech_support
      it_auditor* computer_technician* it_professional* application_support* support_engineer* asistente_de_sistemas system_specialist* it_architekt* it_architect*
      enterprise_architect* it_manager* devops* dev_ops devsecops* sre site_reliability* cloud_architect* cloud_solution* cloud_consultant* cloud_specialist*
      platform_engineer* infrastructure_engineer* network_architect* network_technician* network_specialist* network_analyst* it_support_specialist* it_support_engineer*
      it_support_technician* it_project_manager* it_director* it_coordinator* it_admin* it_business_partner* it_leiter* it_leitung* it_spezialist* it_fachkraft* it_system*
      it_projekt* it_koordinat* it_mitarbeit* it_administrat* it_techniker* it_betreuer* analista_de_sistemas analista_de_ti analista_de_soporte
      analista_de_segurança_da_informação analista_de_infraestructura administrador_de_banco* administrator_sieci administrator_baz* administrator_it administrator_linux
      it_helpdesk system_integrator* systems_integrator* systemingenieur* systemtechniker* systemspezialist* netzwerktechniker* netzwerkspezialist* netzwerkingenieur*
      informationssicherheitsbeauftragt* it_sicherheitsbeauftragt* sap_berater* sap_entwickler* sap_key_user* anwendungsbetreuer* applikationsmanager* erp_consultant*
      oracle_dba crm_consultant* salesforce_consultant* salesforce_admin* technicien*_support technicien*_réseau* technicien*_systèmes* technicien*_helpdesk
      ingénieur*_système* ingénieur*_réseau* ingénieur*_cloud ingénieur*_sécurité administrateur*_système* administrateur*_réseau* architecte_cloud architecte_si
      chef_de_projet_informatique chef_de_projet_it chef_de_projet_si responsable_informatique responsable_si responsable_des_systèmes_d'information rssi
      directeur_des_systèmes_d'information directeur_informatique técnico_en_redes técnico_en_sistemas técnico_de_sistemas técnico_de_soporte técnico_en_soporte
      técnico_em_informática técnico_de_ti técnico_de_redes ingeniero_de_sistemas ingeniero_en_sistemas ingeniera_de_sistemas ingeniera_en_sistemas ingeniero_de_redes
      ingeniero_de_soporte administrador_de_rede* analista_de_redes analista_de_cibersegur* consultor_sap consultor_ti consultor_de_ti consultor_erp tecnico_hardware
      tecnico_di_rete amministratore_di_sistema amministratore_di_rete specialista_it tecnico_it systeemontwerper* systeemspecialist* systeemingenieur*
      applicatiespecialist* functioneel_beheerder* technisch_beheerder* technisch_applicatiebeheerder* servicedesk* netwerkspecialist* netwerkengineer* informatiemanager*
      informatieanalist* specjalista_it inżynier_systemów inżynier_sieci wdrożeniowiec* администратор_баз* администратор_сет* администратор_систем* администратор_серверов
      devops_инженер* инженер_техподдержки специалист_технической_поддержки специалист_техподдержки техническ*_поддержк* техподдержк* инженер_сет* сетевой_инженер*
      сетевой_администратор* системный_аналитик* системный_инженер* it_специалист* ит_специалист* специалист_по_информационной_безопасности sistem_uzman* sistem_mühendis*
      sistem_destek* ağ_mühendis* ağ_yönetic* network_uzman* bilgi_işlem_uzman* bilgi_teknolojileri_uzman* bilgi_güvenli* teknik_destek_uzman* bt_uzman* it_uzman*
      مهندس_شبكات مهندس_نظم مدير_نظم مدير_شبكات اخصايي_تقنيه_معلومات فني_شبكات فني_حاسب امن_معلومات ヘルプデスク システムエンジニア サーバーエンジニア セキュリティエンジニア クラウドエンジニア 情シス インフラ 系统工程师 系統工程師
      网络管理员 网管 实施工程师 信息安全工程师 安全工程师 技术支持 资讯工程师 资讯管理 system_engineer* systems_support* crm_developer* network_operations* technicien*_ti consultant*_fonctionnel* ios_admin
      it_lead* digital_cluster* second_level_support first_level_support kollaborationsadmin* professionista_it analista_funzional* analista_funcional* programmatore_it
      webpage_manage* web_page* webpage* applikationsbetreuer* computer_repair datenbankadministrator* digitalisierungsbeauftragte* digitalisierungsbeauftragter*
      ethical_hacker incident_manager informationstechnikerin* iot_specialist key_user keyuser* leiter_rechenzentrum penetrationstester* release_manager systembetreuer*
      telekommunikationstechnikerin* dirigente_informatic*`,
    fields: `tics it information_technology informatique informática informatica informationstechnik ict edv infrastructure it_infrastructure network* informatie* it_leiter
      leiter_it security_officer information_officer ciso cyber* sicurezza_informatica seguridad_informática sécurité_informatique systems sistemas sistemi информационн*
      ит айти bilgi_işlem bilgi_teknoloj* bilişim تكنولوجيا_المعلومات تقنيه_المعلومات نظم_المعلومات 情報システム 情報 システム 信息 信息技术 资讯 it部 informatyk* digital_transformation
      systemadministration systèmes_d'information digitalisierung dsi erp crm_administrator cloud it_security sap dijital_dönüşüm transformation_digitale
      information_systems servidores redes ti sistemas_de_información sistemas_de_informação sistemi_informativi sistemi_informatici systemy_informatyczne информатизаци*
      цифровизаци* it部門 数字化 网络 ネットワーク サーバー infrastrukturą anwendungsbetreuung benutzerservice informationstechnologie netzwerktechnik rechenzentrum systemintegration
      digital_solutions テクニカルサポート responsabile_tecnico_it application_management`,
    areas: `sap_* erp_* linux_* it_support it_operations it_services it_service_management itil it_infrastructure it_governance information_security cybersécurité cybersegur*
      ciberseguridad cybersicherheit cybersecurit* it_sicherheit informationssicherheit sicurezza_informatica segurança_da_informação tecnologia_da_informação
      tecnología_de_la_información tecnologías_de_la_información soporte_informático soporte_técnico suporte_técnico support_informatique support_technique
      assistance_informatique wsparcie_it wsparcia_technicznego technische_support teknik_destek 社内se 社内システム it部門 ヘルプデスク情シス information_technology_* ict_* dynamics_*
      it_service*`,
  },
  {
    of: 'product',
    roles: `product_manager* product_owner* product_lead* product_analyst* produktmanager* produktowner* chef_de_produit* cheffe_de_produit* chefs_de_produit gerente_de_producto*
      jefe_de_producto* gerente_de_produto* product_specialist* productmanager* menedżer_produktu kierownik_produktu продакт* менеджер_продукта менеджер_по_продукту продуктов*
      ürün_yönetic* ürün_müdür* ürün_sorumlu* مدير_منتج* プロダクトマネージャ* プロダクトオーナー 产品经理 產品經理 产品总监 产品专员 产品运营 responsabile_prodotto responsabile_di_prodotto product_marketing_owner
      gestor_de_produto* technical_product_manager* product_associate* product_executive* product_development_manager* product_growth* product_executive product_strategist*
      product_coordinator* product_consultant* product_director* product_head* vp_product po produktverantwortlich* produktentwickl* produktleit* leiter_produkt*
      leitung_produkt* responsable_produit* responsable_produits responsable_de_produit directeur_produit* directrice_produit* chargé*_de_produit director*_de_producto*
      responsable_de_producto* analista_de_produto* analista_de_producto* coordenador*_de_produto* diretor*_de_produto* especialista_de_produto* especialista_de_producto*
      líder_de_produto* responsabile_prodott* direttore_prodotto specialista_di_prodotto productmanag* productspecialist* productontwikkel* producteigenaar* hoofd_product
      dyrektor_produktu specjalista_ds_produktu właściciel_produktu продуктовый_менеджер* руководитель_продукт* директор_по_продукт* менеджер_продукт* владелец_продукта*
      ürün_yönetim* ürün_uzman* ürün_direktör* ürün_sahib* مدير_منتجات مدير_المنتجات مالك_المنتج اخصايي_منتجات 商品企画 商品開発 プロダクト責任者 プロダクト企画 产品* 产品负责人 产品助理 产品主管`,
    fields: `product_management product_officer head_of_product product_strategy product_development produktmanagement produktentwicklung desarrollo_de_productos desarrollo_de_producto
      desenvolvimento_de_produtos desenvolvimento_de_produto développement_de_produits développement_produits développement_produit sviluppo_prodotto produktontwikkeling
      productontwikkeling rozwoju_produktu развити*_продукт* ürün_geliştirme cpo 产品 プロダクト 商品企画 商品開発 chief_product`,
    weakFields: `product products produkt* produit* producto* produto* prodotto prodotti продукт* ürün* منتج* 製品 商品`,
    areas: `product_management_* digital_product_* junior_product_*`,
  },
  {
    of: 'design',
    roles: `designer* graphic_designer* ux* ui ui_ux uiux illustrator* art_director* graphiste* diseñador* desainer* grafiker* mediengestalter* webdesigner* *designer
      *designerin gestalter* desenhista* ilustrador* illustratore illustrateur* grafico diseño_gráfico infographiste* stylist* styliste* modedesigner* vormgever*
      *vormgever grafik* projektant_graficzny ux_researcher* дизайнер* иллюстратор* художник* tasarımcı* مصمم* デザイナー 设计师 設計師 美工 creative_director* direttore_creativo
      directeur_artistique direction_artistique directeur_de_création director_creativo diretor_de_arte director_de_arte fashion_designer* interior_designer* animator*
      art_lead 3d_artist* 3d_generalist* concept_artist* dessinateur* visual_artist* creative_lead multimedia_designer* projektant_wnętrz projektantk* graphic_artist*
      graphic_design* product_designer* game_artist* motion_designer* set_designer* jewelry_designer* textile_designer* costume_designer* industrial_designer*
      landscape_designer* urban_designer* service_designer* experience_designer* brand_designer* creative_lead* head_of_creative creative_consultant* designers webdesign*
      kommunikationsdesign* produktdesign* grafikdesign* innenarchitekt* modedesign* industriedesign* gestalt* layouter* screendesign* kreativdirekt* artdirekt*
      directeur*_de_création directeur*_créati* directeur*_artistique* directrice_artistique* graphist* webdesigneur* maquettiste* décorat* architecte_d'intérieur
      designeuse* illustrat* modéliste* interiorist* decorador* director*_creativ* director*_de_arte modelista* maquetador* diagramador* diretor*_de_arte diretor*_criativ*
      diretor*_de_criação arte_finalista* estilista* figurinista* design_de_interiores disegnatore_grafico disegnatric*_grafic* grafica direttor*_creativ*
      direttor*_artistic* arredator* architetto_d'interni stilist* modellist* fumettist* scenograf* vormgev* interieurontwerp* interieurarchitect* ontwerper* modeontwerp*
      dtp* grafik_komputer* graficzk* projektant_mody projektant_ux dekorator* ilustrator* графический_диз* веб_диз* ux_дизайн* арт_директор* креативный_директор* моушн*
      декоратор* модельер* tasarımcıs* iç_mimar* illüstratör* sanat_yönetmen* kreatif_direktör* moda_tasarım* مصممه* رسام مهندس_ديكور مدير_ابداعي グラフィックデザイン webデザイナー
      アートディレクター クリエイティブディレクター イラストレーター ui/ux ux 平面设计* 视觉* 美术* ui设计* 交互设计* 工业设计* 室内设计* 创意总监 设计总监 设计主管 服装设计* 插画* 原画* 動畫 动画师 包装设计 artdirector* artist artworker
      bekleidungstechnikerin* bildhauer* bühnenbildner* calligrapher cartoonist ceramic_artist ceramicist character_artist comic_artist comiczeichner* designleiter*
      fine_artist glass_artist kalligraf* karikaturist* keramiker* kostümbildner* kunstmaler* layout_artist modellmacher* muralist pattern_maker patternmaker potter
      printmaker reinzeichner* requisitengestalter* rigger_3d schnittdirectrice* schnittmacher* schriftsetzer* sculptor setzer setzerin storyboard_artist street_artist
      szenenbildner* texture_artist typesetter töpfer töpferin comunicación_visual`,
    fields: `design diseño graphisme tasarım تصميم デザイン 设计 設計部 user_experience user_interface creative_design дизайн* gestaltung vormgeving projektowan* store_design
      product_design produktdesign kreation mediengestaltung`,
    weakRoles: `creative kreativ* créatif* creativ*`,
    areas: `motion_* 3d_* vfx_* packaging_* grafisch_* projektant_* product_design_*`,
  },
];
