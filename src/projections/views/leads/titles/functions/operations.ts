import type { FunctionTerms } from './terms.ts';

export const operations: readonly FunctionTerms[] = [
  {
    of: 'operations',
    roles: `production_manager* production_supervisor* plant_manager* quality_manager* quality_inspector* quality_assurance_manager dispatcher* production_planner*
      demand_planner* shift_manager* shift_leader* supply_planner* freight* safety_manager* hse safety_officer* facility_manager* site_manager* lagerist* lagermitarbeit*
      fachkraft_für_lager* lagerlogistik* logistiker* speditionskauf* produktionsleit* produktionsmitarbeit* qualitätsmanag* qualitätsprüf* betriebsleit* werksleit*
      arbeitsvorbereit* prozessmanag* fertigungs* magasinier* préparateur*_de_commandes logisticien* responsable_logistique ordonnanceur* qualiticien* responsable_qualité
      agent_de_production responsable_de_production opérat*_de_production gestionnaire_de_stock* almacenista* mozo_de_almacén jefe_de_almacén jefe_de_planta
      gerente_de_planta jefe_de_producción gerente_de_producción supervisor_de_producción inspector_de_calidad almoxarif* estoquist* conferente* líder_de_produção
      auxiliar_de_produção analista_de_logística analista_de_pcp técnico_de_produção inspetor_de_qualidade magazzinier* responsabile_di_produzione responsabile_produzione
      addett*_alla_logistica responsabile_logistica responsabile_qualità capoturno capo_turno productieleid* productiemedew* ploegleid* bedrijfsleid* heftruck*
      orderpicker* magazynier* logistyk* specjalista_ds_jakości kierownik_produkcji spedytor* planista* логист* менеджер_по_логистик* кладовщик* начальник_производств*
      начальник_склад* диспетчер* контролёр*_качеств* üretim_müdür* tesis_müdür* مشرف_انتاج امين_مستودع منسق_مشاريع 工場長 仓管 质检 质量* 品质 计划员 调度 跟单 单证 six_sigma*
      continuous_improvement* event_operations* responsable_d'exploitation responsable_exploitation chef_d'exploitation directeur_d'exploitation scheduler* driver_manager*
      transport_manager* logistician* logistics_manager* logistics_specialist* logistics_analyst* logistics_assistant* warehouse_worker* warehouse_operative*
      warehouse_manager* warehouse_supervisor* warehouse_clerk* warehouseman order_picker* picker* packer* stocker stock_controller* stock_clerk* stockkeeper* storekeeper*
      store_keeper* material_handler* materials_manager* material_planner* forwarder* freight_forwarder* shipping_clerk* shipping_coordinator* expediter* quality_engineer*
      quality_analyst* quality_specialist* quality_technician* quality_auditor* quality_assurance_inspector* quality_assurance_specialist* quality_supervisor*
      quality_coordinator* qc_inspector* qc_manager* qa_manager* qa_inspector* hse_manager* hse_engineer* hse_officer* ehs_manager* ehs_specialist* safety_engineer*
      safety_coordinator* safety_specialist* scrum_master* agile_coach* project_coordinator project_administrator* operations_specialist* operations_supervisor*
      operations_executive* operations_officer* production_engineer_operations production_coordinator* production_assistant_factory production_operator_manager
      manufacturing_manager* manufacturing_supervisor* industrial_manager* line_leader* line_supervisor* shift_supervisor* plant_supervisor* lean_manager*
      process_owner_operations lean_consultant* facility_coordinator* lagerleit* lagerarbeit* lagerfach* lagerhelf* lagerverwalt* kommissionier* staplerfahr*
      gabelstaplerfahr* disponent* verkehrsfach* spedition* logistikleit* logistikmanag* logistikmitarbeit* logistikplan* produktionsplan* produktionshelf*
      produktionsassist* produktionsmanag* produktionsfach* produktionsmeister* fertigungsleit* fertigungsplan* fertigungssteuer* werkleit* betriebsmanag*
      qualitätsbeauftragt* qualitätsingenieur* qualitätsfach* qualitätskontroll* qualitätsleit* qualitätssicher* qualitymanager* prozessingenieur_betrieb
      sicherheitsingenieur* fachkraft_für_arbeitssicherheit sicherheitsfachkraft* arbeitssicher* projektkoordinat* projektkauf* projektmitarbeit* projektcontroll*
      projektassist* zoll* materialwirt* materialdispon* responsable_qualité* responsable_qse responsable_hse responsable_entrepôt responsable_supply_chain
      responsable_de_site responsable_d'entrepôt responsable_des_opérations responsable_opérations responsable_atelier responsable_de_projet* responsable_projet*
      chargé*_de_projet* chargé*_de_mission_projet coordinat*_de_projet* coordonnat*_de_projet* coordinat*_logistique directeur_des_opérations directeur_industriel
      directeur_logistique directeur_de_production chef_d'équipe_production chef_d'équipe_logistique chef_de_quai chef_de_dépôt chef_de_production affrét*
      exploitant*_transport agent_logistique agent_de_quai agent_de_transit transitaire* déclarant*_en_douane gestionnaire_logistique approvisionneur_logistique
      technicien*_qualité technicien*_logistique ingénieur*_qualité ingénieur*_méthodes ingénieur*_production préventeur* animat*_qse animat*_sécurité auxiliar_de_almacén
      auxiliar_logístic* auxiliar_de_bodega bodeguer* operador*_logístic* operario_de_almacén operario_de_producción operario_producción encargad*_de_almacén
      encargad*_de_producción coordinador*_logístic* coordinador*_de_logística coordinador*_de_calidad coordinador*_de_operaciones coordinador*_de_proyectos
      analista_de_calidad analista_logístic* analista_de_operaciones analista_de_inventario* supervisor*_de_operaciones supervisor*_de_calidad supervisor*_de_planta
      supervisor*_de_almacén jefe_de_calidad jefe_de_operaciones jefe_de_bodega jefe_de_turno jefe_de_proyectos responsable_de_calidad responsable_de_almacén
      responsable_de_logística responsable_de_producción responsable_de_operaciones técnico_de_calidad técnico_de_logística técnico_prl técnico_de_prevención
      prevencionista* planificador* despachador* técnico_en_prevención ingeniero_de_calidad ingeniero_de_procesos_operaciones inspector*_de_calidad agente_aduanal
      despachante_de_aduana gestor*_de_proyectos auxiliar_de_logística auxiliar_de_almoxarifado auxiliar_de_estoque assistente_de_logística assistente_de_operações
      assistente_de_produção analista_de_qualidade analista_de_operações analista_de_processos analista_de_supply* analista_de_comércio_exterior analista_de_planejamento*
      analista_de_estoque* coordenador*_de_operações coordenador*_de_produção coordenador*_de_qualidade gerente_de_operações gerente_de_logística gerente_de_produção
      gerente_de_qualidade gerente_industrial gerente_de_fábrica supervisor*_de_produção supervisor*_de_logística supervisor*_de_operações supervisor*_de_qualidade
      encarregad*_de_produção encarregad*_de_logística líder_de_logística líder_de_equipe_produção técnico_de_qualidade técnico_em_logística técnic*_de_segurança
      técnic*_em_segurança técnic*_de_segurança_do_trabalho engenheir*_de_segurança engenheir*_de_qualidade inspetor*_de_qualidade operador*_de_empilhadeira
      ajudante_de_produção operador*_de_produção despachante* gestor_de_operações gestor_de_frota* responsabile_logistic* responsabile_magazzino
      responsabile_della_produzione responsabile_di_stabilimento responsabile_di_reparto responsabile_operativ* responsabile_operations responsabile_supply_chain
      responsabile_assicurazione_qualità responsabile_spedizioni direttore_di_produzione direttore_di_stabilimento direttore_operativ* direttore_logistica capo_reparto
      capo_magazziniere capo_produzione caporeparto* addett*_logistic* addett*_magazzino addett*_al_magazzino addett*_spedizion* addett*_alla_produzione addett*_produzione
      addett*_controllo_qualità addett*_qualità impiegat*_logistic* impiegat*_di_produzione spedizionier* tecnico_della_qualità tecnico_qualità tecnico_di_produzione
      pianificatore* programmatore_produzione rspp aspp carrellist* mulettist* specialista_logistica coordinat*_logistic* coordinat*_di_progetto magazijnmedewerk*
      magazijnbeheer* magazijnchef* magazijnmanager* expediteur* planner* productieplanner* productiemanager* productieoperator* productieassist* productiechef*
      productiecoördin* heftruckchauff* orderpick* inpakker* kwaliteitsmanager* kwaliteitsmedewerk* kwaliteitscontrol* kwaliteitsinspec* voorraad* transportplanner*
      wagenpark* projectcoörd* projectmedewerk* projectondersteun* projectassist* veiligheidskund* douane* procesmanager* procescoörd* bedrijfsbureau* kierownik_logistyki
      kierownik_zmiany kierownik_jakości kierownik_zakładu kierownik_działu_produkcji kierownik_operacyjn* dyrektor_produkcji dyrektor_operacyjn* dyrektor_zakładu
      specjalista_ds_logistyki specjalista_ds_produkcji specjalista_ds_bhp inspektor_bhp inżynier_jakości inżynier_produkcji kontroler_jakości technolog_produkcji
      pracownik_produkcji pracownik_magazynu koordynator_projekt* koordynator_logistyki specjalista_ds_transportu spedycja operator_wózka* dyspozytor* начальник_цеха
      начальник_смены начальник_производства начальник_склада начальник_участка мастер_участка мастер_смены мастер_цеха мастер_производства директор_по_производству
      директор_по_логистике директор_по_качеству заведующий_складом зав_складом комплектовщик* грузчик* экспедитор* менеджер_по_логистике менеджер_по_вэд
      специалист_по_логистике специалист_вэд специалист_по_охране_труда инженер_по_охране_труда инженер_по_качеству инженер_отк контролер_отк контролёр_отк технолог*
      инженер_технолог* администратор_проектов координатор_проект* руководитель_проектов руководитель_проекта планировщик* начальник_отдела_логистики деклараn* декларант*
      üretim_şef* üretim_mühendis* üretim_planlama* üretim_direktör* üretim_sorumlu* fabrika_müdür* kalite_müdür* kalite_uzman* kalite_mühendis* kalite_sorumlu*
      lojistik_müdür* lojistik_uzman* lojistik_şef* depo_müdür* depo_sorumlu* depocu depo_şef* sevkiyat* operasyon_müdür* operasyon_uzman* operasyon_yönetic*
      operasyon_sorumlu* tedarik_zincir* dış_ticaret* ihracat_operasyon* iş_güvenliği_uzman* planlama_uzman* planlama_müdür* planlama_mühendis* proje_koordinatör*
      proje_sorumlu* gümrük* مدير_انتاج مدير_مصنع مدير_لوجستيات مدير_جوده مدير_مستودع امين_مخزن امين_مخازن مدير_مخازن مشرف_مستودع مسيول_مخازن مهندس_جوده مهندس_انتاج
      مراقب_جوده ضابط_جوده مشرف_عمليات مدير_تشغيل منسق_لوجستي اخصايي_لوجستي اخصايي_سلامه مشرف_سلامه مسيول_سلامه مخلص_جمركي مدير_برامج 倉庫管理 在庫管理 物流管理 品質保証 製造部長 製造部 生産技術_管理
      ライン長 貿易事務 倉庫作業員 工場勤務 製造スタッフ 業務改善 進行管理 pm 物流经理 物流专员 仓库管理员 仓储* 仓管员 配送* 生产经理 生产主管 生产计划 生产总监 质量经理 质量工程师 质检员 品管* 品质经理 品质工程师 质量总监 供应链经理 调度员 安全员 安全主管 运营主管 运营专员 运营助理 运营总监
      项目助理 项目专员 项目总监 厂长 车间主任 生管 物控 报关* 叉车司机 跟单员 单证员 运营 manutentionnaire* répartit* preparateur_commande* matelot* port_captain* stationsleit* exporter* importer*
      експедитор* обслуживание_воздушн* наземн*_обслуживан* airport_service* ground_handling* ground_staff ramp_agent* мастер старший_мастер 廠長 abfallbeauftragte*
      ablaufplaner* arbeitsplaner* arbeitsschutz* auftragsabwickler* auftragssachbearbeiterin* baggage_handler bahnhofsvorsteher* bedarfsplaner* bereitschaftsleiter*
      bestandsmanager* betriebsassistent* betriebstechnikerin* brandschutzbeauftragte* brandschutzbeauftragter* business_continuity deklarant* distribution_manager
      dockworker einsatzplaner* energiebeauftragte* energy_manager fachlagerist* factory_manager fahrdienstleiter* fluglotse* fluglotsin* forwarding_agent
      fuhrparkdisponent* fuhrparkleiter* gebäudemanager* gefahrgutbeauftragte* gefahrgutbeauftragter* ground_handler hafenarbeiterin* hafenkapitän* hafenmeister*
      harbour_master importsachbearbeiterin* industriemeister* lademeister* leiter_auftragsabwicklung leiter_fertigung leitstandfahrerin* leitstellendisponent* loader
      longshoreman magaziner* magazineur* mill_manager mine_manager nachhaltigkeitsbeauftragte* nachhaltigkeitsmanager* objektleiter* oil_spill_responder port_agent
      port_manager portfolio_director qmb rampagent* scheduling_manager segmentleiter* ship_agent signaller spediteur* standortleiter* station_agent station_manager
      stellwerker* stevedore terminal_manager umweltbeauftragte* umweltbeauftragter* umweltmanagementbeauftragte* utilities_manager verkehrsdienst* verpacker*
      versandleiter* warenannahme* wareneingang* warenprüfer* waste_manager director_industrial diretor_industrial directeur_de_site directrice_de_site
      chef_d'établissement responsabile_delivery responsabile_organizzazione responsabile_unità_produttiva 专案经理 専案 delivery_director* delivery_lead* marinheir*`,
    fields: `qualidade plant planta turno shift schicht* werk usine stabilimento fabrik* fábrica fabbrica zakład* завод* цех* fabrika* مصنع 工厂 工廠 車間 车间 maintenance instandhaltung
      manutenção mantenimiento manutenzione onderhoud utrzymani* bakım صيانه operations_manager* operations_analyst* operations_associate* operations_coordinator*
      operasyon* operations operation ops operación operaciones operações operazioni opérations عمليات تشغيل supply shipping manufacturing production produktion*
      producción produção produzione productie produkcj* производств* üretim انتاج 运营 營運 運営 オペレーション quality qualität* qualité calidad qualità jakoś* качеств* kalite جوده
      logistics logistik* *logistik logistique* logística logistica логистик* lojistik لوجستي* lager* almacén* magazzino magazyn* склад* depo المستودع مستودعات transporte
      process_improvement process_excellence lean safety segurança_do_trabalho seguridad_industrial arbeitssicherheit seguridad_y_salud facility facilities
      mantenimiento_y_operaciones expedition sustainability *logistiek logistiek* kwaliteit* مخازن مخزن مستودع* auftragsabwicklung customs fertigung fleet fuhrpark
      gebäudemanagement inventory nachhaltigkeit qm qs umweltschutz versand wareneingang_abteilung operação operacao operacoes mina`,
    weakRoles: `coordinat* koordinator* coordinador* coordenador* coordinatore* coordonnat* coördinator* координатор* koordynator* koordinatör* منسق project_coordinator*
      programme_manager* program_manager* project_manager* pmo project_lead* projektleit* projektmanag* projektassist* chef*_de_projet* cheffe_de_projet* gestionnaire_de_projet*
      jefe_de_proyecto* gerente_de_proyecto* gestor_de_proyecto* coordinador*_de_proyecto* gestor_de_projeto* gerente_de_projeto* coordenador*_de_projeto* analista_de_projeto*
      capo_progetto capo_commessa projectleider* projectmanager* projectcoördinat* kierownik_projekt* kierownik_projektu menedżer_projekt* менеджер_проект* руководитель_проект*
      проджект* proje_yönetic* proje_müdür* project_officer* process_manager* process_analyst* مدير_مشروع مدير_مشاريع مدير_المشاريع プロジェクトマネージャ* 项目经理 项目主管 项目* lean_*
      betriebswirt* planner* planlama* disponent*`,
    weakFields: `planificación planejamento pianificazione planification planlama* process* prozess* processus procesos processos processi transport* programme program* operational
      opérationnel* operativ* operacional operacyjn* операци* operatie* operationeel* project projects projekt* *projekt projet* proyecto* projeto* progetto progetti proyectos
      проект* proje مشروع مشاريع プロジェクト 项目 planning exploitation project_management projektmanagement gestión_de_proyectos gestão_de_projetos gestione_progetti
      gestion_de_projet* управление_проектами zmiany zmiana смена смены turni vardiya`,
    areas: `inventory_* customs_* fleet_* business_process_* ehs_* facilities_* facility_* üretim_* supply_chain* logistic* warehouse* quality_control* fulfillment*
      import_export* lojistik* kalite* vardiya* 物流 倉庫 製造 生産管理 品質管理 仓库 供应链 生产 depo* kwaliteits* quality_management quality_assurance_department operations_management
      production_planning demand_planning qualitätsmanagement qualitätssicherung* contrôle_qualité assurance_qualité control_de_calidad gestión_de_calidad
      aseguramiento_de_calidad controle_de_qualidade garantia_da_qualidade gestão_da_qualidade controllo_qualità controllo_di_qualità kontrol*_jakości zapewnieni*_jakości
      контрол*_качеств* управлени*_качеств* kalite_kontrol ضبط_الجوده مراقبه_الجوده سلسله_الامداد سلاسل_الامداد cadena_de_suministro* cadeia_de_suprimentos
      cadeia_de_abastecimento catena_logistica łańcuch*_dostaw comercio_exterior comércio_exterior comércio_internacional import_eksport seguridad_e_higiene
      health_and_safety health_&_safety hse qhse qse hseq sst segurança_do_trabalho santé_sécurité hygiène_sécurité sicurezza_sul_lavoro salud_ocupacional
      seguridad_industrial veiligheid* bhp охран*_труд* промышленн*_безопасност* iş_güvenliği iş_sağlığı السلامه_المهنيه السلامه_والصحه qhse_* business_operations_*
      process_improvement_* supply_chain_* qm_* logistiek_* logistics_* operationeel_* operations_* ithalat_* melhoria_contínua mejora_continua miglioramento_continuo
      amélioration_continue back_office_operations mesa_de_control таможенн* mining* mineração minería oxides port_operations transportation_group workplace_services
      programme_assurance`,
  },
  {
    of: 'trades',
    roles: `montagem kälte* aircraft_mechanic* engine_mechanic* electrician* plumber* carpenter* welder* machinist* technician* installer* driver* truck_driver* forklift*
      construction_worker* mason* painter* roofer* hvac* cnc* labourer* laborer* cleaner* janitor* machine_operator* production_worker* operator* foreman* builder* joiner*
      locksmith* hairdresser* barber* beautician* tailor* gardener* landscap* butcher* baker* handyman* factory_worker* elektriker* elektroniker* *elektroniker mechaniker*
      *mechaniker *mechatroniker schlosser* *schlosser schweißer* schreiner* tischler* maurer* maler* klempner* installateur* anlagenmechanik* maschinenführer*
      maschinenbediener* anlagenführer* bäcker* metzger* friseur* kraftfahrer* *fahrer fahrer* monteur* *monteur servicetechniker* *techniker reinigungs* hausmeister*
      gärtner* dachdecker* polier* bauleit* industriemechanik* zerspanungs* werkzeugmacher* facharbeiter* zimmerer* handwerk* électricien* plombier* menuisier* mécanicien*
      soudeur* maçon* peintre* technicien*_de_maintenance technicien* chauffeur* conducteur* cariste* ouvrier* coiffeur* coiffeuse* esthéticien* agent_d'entretien
      agent_de_nettoyage boucher* jardinier* couvreur* opérateur* électromécanicien* tourneur* fraiseur* usineur* chef_de_chantier chef_d'atelier electricista* fontanero*
      plomero* carpintero* mecánico* soldador* albañil* chofer* operario* obrero* peluquer* técnico_de_mantenimiento técnico_electric* jardiner* limpieza maestro_de_obra
      eletricista* encanador* carpinteir* marceneir* mecânic* pedreir* pintor* motorista* caminhoneir* cabeleireir* serralheir* operador*_de_máquina* operador*
      técnico_em_eletr* técnico_de_manutenção mestre_de_obras manicure esteticist* costureir* elettricist* idraulic* falegname* saldator* murator* autist* operai*
      operatore* parrucchier* imbianchin* manutentor* capocantiere capo_cantiere capo_officina tornitor* elettrotecnic* giardinier* estetista* installatore* elektricien*
      loodgieter* timmerman* lasser* schilder* schoonma* kapper* metselaar* uitvoerder hovenier* stukadoor* elektryk* hydraulik* mechanik* spawacz* stolarz* murarz*
      kierowca* fryzjer* monter* ślusarz* tokarz* электрик* электромонтер* сантехник* слесарь* сварщик* водитель* механик* токарь* строител* монтажник* маляр* парикмахер*
      рабоч* оператор_станк* уборщи* прораб* плотник* мастер elektrikçi* tesisatçı* marangoz* kaynakçı* şoför* usta* ustabaşı tamirci* kuaför* formen* şantiye_şef* كهربائي
      سباك نجار ميكانيكي لحام سائق عامل حلاق فني 電気工事 整備士 溶接 大工 運転手 ドライバー 職人 施工管理 現場監督 作業員 工員 电工 焊工 钳工 司机 技工 维修* 木工 瓦工 操作工 工人 工长 superintendent_construction construction*
      site_supervisor groundworker* glazier* quantity_surveyor* surveyor* vitrage zimmermann mechanic mechanics mechanic's automechanic* auto_mechanic* diesel_mechanic*
      elektroinstallat* vrachtwagenchauff* *chauffeur maintenance_technician* maintenance_supervisor* maintenance_worker* maintenance_mechanic* maintenance_electric*
      maintenance_manager* field_service_technician* service_technician* automotive_technician* auto_technician* aircraft_technician* machine_setter* tool_maker*
      toolmaker* die_maker* millwright* pipefitter* steamfitter* boilermaker* ironworker* fabricator* fitter* bricklayer* tiler* plasterer* scaffolder* floor_layer*
      cabinetmaker* upholster* crane_operator* bus_driver* taxi_driver* courier* train_driver* assembler* production_operator* production_operative* press_operator*
      printer_operator* seamstress* dressmaker* cobbler* jeweler* goldsmith* watchmaker* site_foreman* construction_manager* construction_superintendent*
      general_contractor* contractor_construction estimator_construction hair_stylist* hairstylist* nail_technician* makeup_artist* make_up_artist* cosmetolog*
      esthetician* tattoo* florist* domestic_worker* caretaker* mechatroniker* kfz_meister* maschinist* fräser* dreher* feinwerkmech* verfahrensmech* konstruktionsmech*
      fluggerätmech* landmaschinenmech* industriemech* gießer* lackier* heizungs* sanitär* trockenbau* fliesenleg* parkett* bodenleg* gerüstbau* straßenbau* tiefbau*
      hochbau* zimmer_mann bauarbeit* bauhelf* baggerfahr* kranführ* berufskraft* busfahr* taxifahr* lokführ* zugführ* kurier* paketzustell* zusteller* monteurin
      servicemonteur* haustechnik* gebäudereinig* raumpfleg* reinigungskraft goldschmied* uhrmach* schneider* näher* schuster* kosmetik* frisör* visagist* drucker*
      buchbind* tischlermeist* maurermeist* malermeist* elektromeist* technicien*_sav technicien*_de_maint* responsable_maintenance* technicien*_mainten*
      agent_de_maintenance électrotechnic* électroméc* chauffagist* frigorist* climatic* carreleu* plaquist* peintre_en_bâtiment charpenti* ébénist* serruri* métalli*
      chaudronni* tuyaut* grutier* couvreu* façadi* conducteur*_de_travaux conducteur*_d'engins conducteur*_routier* conducteur*_de_bus conducteur*_de_ligne*
      conducteur*_poids livreu* coursier* routier* manutention* manœuvre ouvri* opérat*_de_machine régleu* imprimeu* couturi* bijouti* fleurist* boulang* coiff* esthétici*
      maquilleu* agent_technique agent_de_propreté paysagist* técnic*_de_mantenimiento técnic*_mantenimiento jefe_de_mantenimiento jefe_de_obra encargado_de_obra
      técnic*_electromecánic* electromecánic* mecánic* torner* fresador* carpinter* ebanist* herrer* gasfiter* plomer* fontaner* yeser* chófer* camioner* repartidor*
      mensajer* maquinista* operador*_de_maquinaria operador*_de_grúa costurer* sastre maquillador* cerrajer* limpiador* conserje* instalador* técnic*_em_manutenção
      técnic*_de_manutenção eletromecânic* eletrotécnic* torneir* caldeireir* montador* azulejist* gesseir* encarregad*_de_obra* mestre_de_obra* operador*_de_guindaste
      motorist* motoboy* entregador* alfaiate barbeir* maquiador* manicur* jardineir* faxineir* auxiliar_de_limpeza auxiliar_de_serviços_gerais serviços_gerais zelador*
      tecnico_manutentore tecnico_di_manutenzione responsabile_manutenzione elettromeccanic* carrozzier* gommist* termoidraulic* falegnam* fabbro fresator* verniciator*
      piastrellist* muratore carpentier* gruist* escavatorist* autotrasportator* camionist* corrier* operator*_cnc operatore_macchin* assemblator* cucitric* barbier*
      estetist* truccator* fiorist* addett*_alle_pulizie bidell* installator* orafo elektromonteur* onderhoudsmonteur* onderhoudstechn* storingsmonteur* cv_monteur*
      installatiemont* automonteur* autotechn* constructiewerk* pijpfitter* bankwerker* draaier* frezer* verspaner* metaalbewerk* meubelmak* timmerm* tegelzet* dakdekk*
      stratenmak* glaszet* kraanmach* koerier* bezorg* postbod* buschauff* machineoperator* machinebed* voertuig* schoonmak* conciërge* huismeester* kapster*
      schoonheidsspec* bloemist* bakker* slager* naaister* uitvoerder* bouwvakk* technik_utrzymania utrzymanie_ruchu elektromechan* elektromonter* operator_maszyn*
      operator_cnc operator_koparki operator_żurawia murar* dekarz* malarz* tynkarz* płytkarz* glazurnik* stolar* cieśla* lakierni* blachar* maszynist* dostawc*
      brygadzist* robotni* pracownik_fizyczn* sprzątacz* krawcow* krawiec* szwaczk* fryzjerk* kosmetyczk* wizażyst* rzeźnik* ogrodni* dozorca kierownik_budowy
      kierownik_robót kierownik_utrzymania электромеханик* энергетик* слесар* фрезеровщик* наладчик* автомеханик* автослесарь* автоэлектрик* машинист* водител*
      дальнобойщик* курьер* крановщик* экскаваторщик* каменщик* штукатур* плиточник* кровельщик* столяр* отделочник* разнорабоч* производитель_работ
      начальник_участка_строит* мастер_смр швея* портн* визажист* косметолог* мастер_маникюра маникюр* бровист* мясник* уборщиц* дворник* садовник* флорист*
      elektrik_teknik* elektrik_ustas* bakım_teknik* bakım_onarım* bakım_müdür* bakım_şef* bakımcı* makinist* motor_ustas* tornacı* tesviyeci* cnc_operatör*
      makine_operatör* üretim_operatör* forklift_operatör* vinç_operatör* operatör işçi* inşaat_ustas* inşaat_işçi* duvarcı* boyacı* sıvacı* fayans* mobilyacı* kurye*
      kamyon* terzi* berber* makyaj* güzellik_uzman* temizlik* bahçıvan* kasap* fırıncı* teknisyeni tekniker كهربايي* فني_كهرباء فني_صيانه فني_تكييف فني_ميكانيك*
      مشرف_صيانه سباك* نجار* حداد* دهان* ميكانيكي* لحام* سايق* توصيل مندوب_توصيل خياط* حلاق* كوافير* خبيره_تجميل عامل_نظافه بستاني جزار مشغل مقاول* 電気工事士 電気工 配管工 左官 塗装工
      溶接工 旋盤工 機械オペレーター 製造オペレーター 自動車整備士 メンテナンス 設備管理 保守 トラック運転手 タクシー運転手 配達員 配送ドライバー 美容師 理容師 ネイリスト エステティシャン メイクアップ 縫製 清掃* 庭師 土木作業員 現場代理人 施工管理技士 建設作業員 鳶 工務 水电工 车工 铣工 数控* 模具工
      装配工 油漆工 泥瓦工 钢筋工 架子工 货车司机 快递员 外卖员 配送员 美容师 理发师 发型师 美发 化妆师 美甲师 裁缝 缝纫 保洁 保姆 园丁 维修工 维修员 维修技师 机修 施工员 工地 泥工 普工 操作员 技师 园艺 花艺 空调安装 meccanico meccanici conductor conductora
      chofer boucher bouchère esteticista* sarto sarta glassblower* kierowc* abwart aesthetician anlagenbediener* arborist auslieferungsfahrerin* autoaufbereiter*
      autolackierer* basket_maker behälterbauer* beleuchter* bergmann* beton_und_stahlbetonbauer betonbauer* betriebselektriker* betriebsschlosserin* bierbrauer* bin_man
      blacksmith blaster boatbuilder bookbinder bootsbauer* brauer brauer_und_mälzer brauerin brewer brunnenbauer* büchsenmacher* büglerin* bühnenmaler* bühnenmeister*
      bühnentechnikerin* cabinet_maker cable_splicer car_detailer car_washer cheesemaker chimney_sweep custodian derrickhand destillateur* distiller drechsler* driller
      edelsteinschleifer* embroiderer engraver estrichleger* etuimacher* fachkraft_für_abwassertechnik fachkraft_für_kreislauf_und_abfallwirtschaft
      fachkraft_für_lebensmitteltechnik fachkraft_für_wasserversorgungstechnik fahrdienstmeister* fahrradkurier* fahrzeuglackierer* farrier fassadenbauer* fensterbauer*
      fensterputzer* feuerungsbauer* fishmonger fleischer* friedhofsgärtner* fumigator furniture_maker furniture_mover furrier fußpfleger* galvaniseur* ganger
      garage_manager garbage_collector garderobier* garderobiere* garten_und_landschaftsbauer gas_und_wasserinstallateur geigenbauer* geselle_ausbildung gewandmeister*
      gipser gipserin gitarrenbauer* glasbläser* glaser glaserin glasmacher* glasreiniger* gleisbauer* graveur* greenkeeper greenkeeper* groundskeeper gunsmith hatter
      hauer hauswart* hilfsarbeiterin* holzbildhauer* holzmechanikerin* hufschmied* hüttenwerker* industrietaucher* instandhalter* instandhaltungsleiter* instrument_maker
      instrumentenbauer* ironer isolierer* jeweller juwelier* kalkulator* kaminfeger* kaminkehrer* kammerjäger* kanalbauer* karosseriebauer* karosseriespengler*
      kesselbauer* kesselwärter* klavierbauer* klavierstimmer* klärwärter* knitter kolonnenführer* korbmacher* kraftwerker* kunststoffformgeber* käser käserin kürschner*
      landschaftsgärtner* lichttechnikerin* lineman lokomotivführer* luthier löter lüftungsbauer* maschineneinrichter* maskenbildner* maßschneider* medientechnologe_druck
      messebauer* metallbauer* meter_reader milchtechnologe* milchtechnologin* miller miller_grain milliner modellbauer* modist modistin molkereifachmann* montagehelfer*
      montageleiter* montierer* moulder mua möbelbauer* möbelpacker* möbeltischler* müller müllerin müllmann* müllwerker* nagelstudio* netzmonteurin* oberbauleiter*
      oberflächenbeschichter* obermonteurin* odd_job_man ofenbauer* offsetdrucker* orgelbauer* paketbote* panel_beater papiermacher* papiertechnologe* parking_attendant
      parkwächter* pflasterer* piano_tuner piercer piercer* pipelayer plattenleger* polsterer* polsterin* polymechanikerin* prop_maker präparator* pulverbeschichter*
      putzfrau* putzkraft* rangierbegleiter* rangierer* raumausstatter* refuse_collector removal_man requisiteur* richtmeister* roadie rohrleitungsbauer* rohrnetzbauer*
      rolladenbauer* roughneck roustabout saddler sailmaker salon_manager salonleiter* sattler* schiffbauer* schlachter* schleifer* schlüsseldienst* schmied*
      schornsteinfeger* schuhmacher* schädlingsbekämpfer* screen_printer segelmacher* shipwright shoe_shiner shoemaker shotfirer siebdrucker* sign_maker signwriter
      silberschmied* silversmith solarteur* solderer spengler* sprengmeister* stahlbauer* stahlbetonbauer* steel_erector steelworker steinbildhauer* steinmetz* stonemason
      straßenbahnfahrerin* straßenkehrer* straßenreiniger* street_sweeper stuckateur* sägewerker* süßwarentechnologe* tanner taxidermist textilreiniger* thatcher
      triebfahrzeugführer* tätowierer* umzugshelfer* varnisher vehicle_inspector vending_machine_filler ver_und_entsorger verputzer* vorarbeiterin* vorpolier* vulkaniseur*
      wartungstechnikerin* waste_sorter water_carrier waxing_specialist weaver weber weberin werkmeister* werkstattleiter* werkstattmeister* werkzeugmechanikerin*
      wig_maker wood_turner woodcarver workshop_manager wäscherei* zierpflanzengärtner* zimmerin* zweiradmechanikerin* änderungsschneider*`,
    fields: `manutention утримание montage montaż монтаж* 保全 施工 建筑 維修 bau* bâtiment construcción construção costruzion* bouw* budow* строитель* inşaat* بناء مقاولات 建設 建築
      chantier obra obras cantiere construction handwerk elektro* automobile automotive carpentry gartenbau hairdressing heizung innenausbau landschaftsbau metallbau
      plumbing reinigung wartung werkstatt`,
    weakRoles: `operator* worker* arbeiter* *arbeiter`,
    areas: `jet_engine_* maintenance_* kfz_* lkw_* crane_* heavy_equipment_* excavator_* delivery_* railway_* assembly_* cleaning_* shk_* mekanik_* oto_* şantiye_*`,
  },
];
