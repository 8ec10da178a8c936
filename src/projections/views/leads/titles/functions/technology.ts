import type { FunctionTerms } from './terms.ts';

export const technology: readonly FunctionTerms[] = [
  {
    of: 'engineering',
    roles: `ingegner*_mecc* ingenier*_mec* engenheir*_mec* ingénieur*_méc* ingegner*_elet* ingenier*_eléc* engenheir*_elét* ingénieur*_élec* инженер*_механик* инженер*_электрик* inżynier*_mechanik* architekt_system* architekt_oprogramowania architecte_logiciel* arquitecto*_de_software arquiteto*_de_software metallurg* metalurg* developer* software_engineer* software_developer* software_development_engineer* programmer* coder sde swe
      sdet sre frontend front_end backend back_end fullstack full_stack web_developer* webdeveloper* devops* dev
      software_architect* solution*_architect* cloud_architect*
      qa tester* test_engineer* test_automation quality_engineer* firmware* embedded* mechanical_engineer*
      electrical_engineer* civil_engineer* chemical_engineer* process_engineer* design_engineer* structural_engineer*
      field_engineer* automation_engineer* robotics* mechatronic* site_reliability hardware_engineer* systems_engineer*
      entwickler* *entwickler *entwicklerin softwareentwickl* programmierer* informatiker* konstrukteur* elektroingenieur*
      maschinenbauingenieur* bauingenieur* verfahrensingenieur* entwicklungsingenieur* développeur* développeuse*
      programmeur* programmeuse* desarrollador* programador* desenvolvedor* sviluppator* programmatore ontwikkelaar*
      *ontwikkelaar softwareontwikkelaar* programist* deweloper* tester* konstruktor* разработчик* программист*
      тестировщик* инженер_программист* фронтенд* бэкенд* верстальщик* инженер_конструктор* конструктор* yazılım*
      geliştirici* bilgisayar_mühendis* makine_mühendis* elektrik_mühendis* inşaat_mühendis* مبرمج* مطور*
      مهندس_برمجيات プログラマ* ソフトウェアエンジニア 開発者 開発エンジニア 程序员 软件工程师 软件开发 前端 后端 研发工程师
      测试工程师 算法工程师 開發 disegnatore_cad disegnatore_tecnico cad_designer cad_technician draughtsman drafter draftsman
      projeteur* dessinateur_projeteur* projetista delineante technical_lead tech_lead techlead scrum_master
      software_ingenieur* *softwareengineer ingénieur_logiciel* ingeniero_de_software engenheiro_de_software
      ingegnere_del_software android_* ios_developer* game_developer* blockchain_* smart_contract* flutter java javascript
      python_* php_* dotnet react wordpress_* computer_engineer* geotechnical_* aerospace_engineer* r&d_engineer*
      ingénieur_développement* analista_de_sistemas analista_programador* analista_desenvolvedor*`,
    fields: `                  engineering software* eng r&d_software technology_officer technical_officer development_team desarrollo_de_software
      desenvolvimento_de_software développement_logiciel ingénierie ingeniería engenharia ingegneria softwareentwicklung
      konstruktion entwicklung mühendislik разработк* разработки_по هندسه برمجه برمجيات 开发 研发 技术总监 工程部 エンジニアリング 技術部 技術責任者
      開発部 開発 システム開発 robotik* elektrotechnik maschinenbau mechatronik bautechnik informatique_industrielle
      machine_design mechanics electronics électronique electrónica eletrônica elettronica elektronik* elektronika
      inżynieri* инженерн* avionics aerospace civil_works technical_director technischer_leiter technischer_direktor
      directeur_technique direttore_tecnico director_técnico diretor_técnico diretor_de_tecnologia director_de_tecnología
      dyrektor_techniczny технический_директор teknik_müdür المدير_التقني 技术 techniek technologie* tecnología tecnologia
      технолог* quality_assurance product_engineering`,
    commonRoles: `engineer* ingenieur* *ingenieur *ingenieurin ingénieur* ingénieure* ingeniero* ingeniera* engenheiro* engenheira* ingegner* inżynier* инженер* mühendis* مهندس* エンジニア 工程师 工程師`,
    weakRoles: `arquitect* arquitet* architett* architekt* архитектор* mimar* معماري 建築士 建筑师          
              技術者 技术员 architect* systemarchitekt* tekniker
      `,
    weakFields: `technology technical technique* technisch* técnico* tecnic* technicz* техническ* teknoloj* technik`,
  },
  {
    of: 'data',
    roles: `machine_learning_engineer* ml_engineer* ai_engineer* data_scientist* data_analyst* data_engineer* data_architect* bi_analyst* bi_developer* big_data_*
      database_developer* statistician* datenanalyst* datenwissenschaftler* data_analist* cientista_de_dados científic*_de_datos
      analista_de_dados analista_de_datos ingeniero_de_datos engenheiro_de_dados analista_dati data_scientist ingénieur_data
      ingénieur_données analyste_de_données analyste_données statisticien* estadístic* statistik* veri_analist* veri_bilim*
      дата_сайентист* аналитик_данных дата_инженер* analityk_danych محلل_بيانات عالم_بيانات データサイエンティスト
      データアナリスト データエンジニア 数据分析师 数据科学家 数据工程师 数据分析 quantitative_analyst* analytics_engineer* power_bi* reporting_analyst*
      business_intelligence_* bi_consultant* bi_specialist* insights_analyst* analytics_consultant* data_steward*`,
    fields: `data analytics *analytics business_intelligence bi big_data machine_learning datenanalyse daten statistics
      data_science artificial_intelligence intelligence_artificielle inteligencia_artificial inteligência_artificial
      künstliche_intelligenz insights dati dados datos données veri данных データ 数据 大数据 人工智能 بيانات ai ki deep_learning
      nlp computer_vision data_warehouse datawarehouse etl`,
    weakRoles: `analyst* analista* analyste* analytiker* analist* аналитик* محلل* アナリスト 分析师 analityk* analitik`,
  },
  {
    of: 'it',
    roles: ` system_administrator* systems_administrator* sysadmin* network_engineer* network_administrator* it_support
      it_specialist* it_technician* helpdesk* help_desk desktop_support service_desk database_administrator* dba
      cloud_engineer* security_engineer* security_analyst* security_architect* cybersecurity* cyber_security* information_security* infosec soc_analyst* pentest*
      penetration_tester* it_administrator* salesforce_administrator* sap_consultant* sap_* erp_* systemadministrator*
      fachinformatiker* it_systemelektroniker* netzwerkadministrator* administrateur_système* administrateur_réseau*
      technicien_informatique administrador_de_sistemas administrador_de_redes técnico_en_informática técnico_de_informática
      técnico_informátic* suporte_técnico soporte_técnico analista_de_suporte analista_de_infraestrutura sistemista
      tecnico_informatico systeembeheerder* systeem_beheerder netwerkbeheerder* applicatiebeheerder* administrator_systemów
      informatyk* системный_администратор* сисадмин* sistem_yönetic* ağ_uzman* مدير_النظام دعم_فني مسؤول_انظمه
      ネットワークエンジニア インフラエンジニア システム管理者 社内se 系统管理员 网络工程师 运维* webmaster* it_consultant* it_analyst*
      it_engineer* systems_analyst* system_analyst* system_engineer* business_systems_analyst* it_officer servicenow*
      technical_support* tech_support it_auditor* computer_technician* it_professional* application_support* linux_*
      support_engineer* asistente_de_sistemas system_specialist* it_architekt* it_architect* enterprise_architect* it_manager*`,
    fields: `ti tic tics si it information_technology informatique informática informatica informationstechnik ict edv infrastructure
      it_infrastructure network* informatie* it_leiter leiter_it security_officer information_officer ciso cyber* sicurezza_informatica
      seguridad_informática sécurité_informatique systems sistemas sistemi информационн* ит айти bilgi_işlem bilgi_teknoloj*
      bilişim تكنولوجيا_المعلومات تقنيه_المعلومات نظم_المعلومات 情報システム 情報 システム 信息 信息技术 资讯 it部 informatyk* digital_transformation
      systemadministration systèmes_d'information digitalisierung dsi erp crm_administrator cloud it_security sap dijital_dönüşüm
      transformation_digitale information_systems servidores redes`,
  },
  {
    of: 'product',
    roles: `product_manager* product_owner* product_lead* product_analyst* produktmanager* produktowner*
      chef_de_produit* cheffe_de_produit* chefs_de_produit gerente_de_producto* jefe_de_producto* gerente_de_produto*
      product_specialist* productmanager* menedżer_produktu kierownik_produktu продакт* менеджер_продукта менеджер_по_продукту
      продуктов* ürün_yönetic* ürün_müdür* ürün_sorumlu* مدير_منتج* プロダクトマネージャ* プロダクトオーナー 产品经理 產品經理 产品总监 产品专员 产品运营
      responsabile_prodotto responsabile_di_prodotto product_marketing_owner gestor_de_produto* technical_product_manager*
      product_associate* product_executive* product_development_manager*`,
    fields: `product_management product_officer head_of_product product_strategy product_development produktmanagement
      produktentwicklung desarrollo_de_productos desarrollo_de_producto desenvolvimento_de_produtos desenvolvimento_de_produto
      développement_de_produits développement_produits développement_produit sviluppo_prodotto produktontwikkeling productontwikkeling
      rozwoju_produktu развити*_продукт* ürün_geliştirme cpo 产品 プロダクト 商品企画 商品開発 chief_product`,
    weakFields: `product products produkt* produit* producto* produto* prodotto prodotti продукт* ürün* منتج* 製品 商品`,
  },
  {
    of: 'design',
    roles: `designer* graphic_designer* ux* ui ui_ux uiux illustrator* art_director* graphiste* diseñador* desainer*
      grafiker* mediengestalter* webdesigner* *designer *designerin gestalter* desenhista* ilustrador* illustratore
      illustrateur* grafico diseño_gráfico infographiste* stylist* styliste* modedesigner* vormgever* *vormgever grafik*
      projektant_graficzny ux_researcher* дизайнер* иллюстратор* художник* tasarımcı* مصمم* デザイナー 设计师 設計師 美工
      creative_director* direttore_creativo directeur_artistique direction_artistique directeur_de_création
      director_creativo diretor_de_arte director_de_arte fashion_designer* interior_designer* animator* art_lead
      motion_* 3d_artist* 3d_generalist* concept_artist* dessinateur* visual_artist* creative_lead multimedia_designer*`,
    fields: `design diseño graphisme tasarım تصميم デザイン 设计 設計部 user_experience user_interface creative_design дизайн* gestaltung
      vormgeving projektowan* store_design`,
    weakRoles: `creative kreativ* créatif* creativ* artist* artista*`,
  },
];
