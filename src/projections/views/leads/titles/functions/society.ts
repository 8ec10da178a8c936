import type { FunctionTerms } from './terms.ts';

export const society: readonly FunctionTerms[] = [
  {
    of: 'public_sector',
    roles: `foreign_service* foreign_affairs* embassy* soldier* police* military* air_force* firefighter* fire_fighter* civil_servant* mayor* minister* ministerial* diplomat*
      senator* councillor* councilman* city_council* member_of_parliament congressm* policy_officer* policy_advisor* policy_analyst* public_servant* customs_officer*
      infantry* sergeant* lieutenant* colonel* captain_army soldat* polizei* polizist* feuerwehr* beamt* *beamter *beamtin bürgermeister* abgeordnet* bundeswehr* offizier*
      verwaltungsfachangestellt* leistungssachbearbeit* jobcenter gendarme* policier* pompier* militaire* fonctionnaire* maire adjoint_au_maire préfet* député* sénateur*
      officier* attaché_territorial agent_territorial diplomate militar* polic* bombero* alcald* concejal* funcionari* diputad* servidor*_públic* soldado* bombeir*
      prefeit* vereador* deputad* polícia* fiscal_de_tribut* agente_penitenci* poliziott* carabinier* sindaco funzionari*_pubblic* militare assessore_comunale
      consigliere_comunale ambtenaar* politieagent* brandweer* burgemeester* wethouder* beleidsmedewerk* beleidsadvis* gemeenteraad* raadslid handhaver* boa policjant*
      żołnierz* strażak* urzędnik* burmistrz* wójt* radny* poseł* полицейск* военнослужащ* военн* госслужащ* депутат* чиновник* солдат* офицер* мэр пожарный asker* polis*
      itfaiye* memur* belediye* milletvekili subay* vali kaymakam ضابط شرطي عسكري جندي وزير موظف_حكومي 公務員 警察官 自衛官 消防士 市議 議員 公务员 警察 军人 民警 科员 村官 consul* chief_of_police
      social_worker* case_worker* caseworker* probation_officer* correctional_officer* detective* sheriff* deputy_sheriff* border_patrol* customs_inspector* mail_carrier*
      postman town_clerk* city_manager* city_clerk* public_official* public_administrator* political_advisor* politician* political_consultant* campaign_politic*
      attaché_parlementaire cabinet_secretary* civil_service* military_officer* officer_cadet* marine_corps* coast_guard* veteran_affairs* airman* petty_officer*
      staff_sergeant* lance_corporal corporal intelligence_officer* fire_captain* fire_chief* sozialarbeiter* sachbearbeiter_öffentlich* verwaltungsfachwirt*
      verwaltungswirt* verwaltungsbeamt* diplom_verwaltungswirt* regierungsrat* regierungsdirektor* ministerialrat* ministerialdirig* ministerialreferent* amtsleit*
      oberamtsrat* stadtrat* stadträt* gemeinderat* kreisrat* landrat* landrät* justizvollzug* justizfach* justizbeamt* zollbeamt* fallmanager* kommissar* kriminal*
      hauptmann oberleutnant leutnant feldwebel zeitsoldat* berufssoldat* unteroffizier* stabsoffizier* berufsfeuerwehr* parlamentarisch*
      wissenschaftlich*_mitarbeit*_bundestag referent_landtag botschafter* konsul* agent_de_police gardien_de_la_paix adjudant sergent capitaine_de_police commandant
      lieutenant_colonel sapeur_pompier* militair* agent_public agent_administratif_territorial rédact*_territorial* attaché*_d'administration attaché*_principal*
      secrétaire_de_mairie secrétaire_général_de_mairie dgs directeur_général_des_services inspecteur_des_finances_publiques inspecteur_du_travail
      contrôleur_des_finances_publiques conseill*_municipal* conseill*_départemental* conseill*_régional* élu* adjoint_technique_territorial assistant*_parlementaire*
      collaborat*_parlementaire* douanier* policía* guardia_civil agente_de_policía oficial_de_policía bombera subteniente teniente coronel sargento capitán_ejército
      emplead*_públic* administración_local regidor* síndic* asesor*_parlamentari* técnico_de_administración_general auxiliar_administrativo_ayuntamiento servidor*_federal
      servidor*_municipal servidor*_estadual agente_públic* agente_de_trânsito assessor*_parlamentar assessor*_legislativ* secretári*_municipal* secretári*_de_estado
      delegad*_de_polícia investigador*_de_polícia escrivã*_de_polícia policial* perit*_criminal* oficial_do_exército major tenente auditor*_fiscal* técnic*_do_seguro
      analista_de_políticas guarda_municipal gestor*_públic* analista_legislativ* assessore consigliere_regionale funzionari*_comunale funzionari*_dello_stato
      dipendente_pubblic* impiegat*_comunale impiegat*_statale agente_di_polizia ispettore_di_polizia polizia* maresciallo vigile_del_fuoco vigili_del_fuoco vigile_urbano
      ufficiale sottufficiale guardia_di_finanza finanziere segretario_comunale istruttore_amministrativo istruttore_direttivo ministro ministra politic* ambtenar*
      gemeentesecr* beleidsambt* rijksambt* politie* agent_politie marechaussee militair douanier reclasser* raadsgriffier statenlid kamerlid kabinetschef gemeentelijk*
      klantmanager_werk_en_inkomen consulent_participatie consulent_wmo uitkerings* urzędni* inspektor_urzęd* główny_specjalista_urząd referent_urząd* radn* policj*
      oficer* podoficer* funkcjonariusz* straż* strażnik* starosta wojewoda pracownik_socjaln* pracownik_administracji_publicznej госслужащий государственный_служащ*
      муниципальный_служащ* служащ* помощник_депутата участковый* следователь_мвд оперуполномоченн* инспектор_дпс инспектор_гибдд майор капитан_полиции подполковник
      полковник сержант лейтенант прапорщик пожарн* спасатель_мчс мчс мвд консул* дипломат* министр* губернатор* соцработник* социальный_работник таможенн* polis_memuru
      jandarma* astsubay* uzman_çavuş zabıta* kaymakam* muhtar* müfettiş* vergi_memur* sosyal_hizmet_uzman* devlet_memuru itfaiyeci* sözleşmeli_er موظفه_حكوميه موظف_دوله
      شرطي* ضابط* عسكري* اطفاء* رجل_اطفاء سفير* دبلوماسي* قنصل* وزير* نايب_برلمان* عضو_برلمان محافظ 国家公務員 地方公務員 市役所* 県庁* 町長 市長 知事 国会議員 自衛隊 消防* 警官 外交官 大使 刑事 区役所 行政職員 政府 公务*
      科长_政府 镇长 县长 市长 消防员 士兵 军官 辅警 外交 城管 税务局 街道办 事业单位 选调生 marine_officer us_marine* gefreiter hauptgefreiter* stabsgefreit* wehrdienst* departementssekret* sanidad_vegetal
      sanidad_animal admiral alderman animal_control_officer attache attaché* beigeordnete* beigeordneter* bewährungshelfer* bomb_disposal border_force_officer
      border_guard brandinspektor* brandmeister* brandmeisteranwärter* briefträger* brigadier building_control_officer building_inspector bundeskanzler* bundespolizist*
      bundestagsabgeordnete* bundestagsabgeordneter* cadet_officer census_taker chief_inspector child_protection civil_protection community_development_officer
      congresswoman constable council_member council_officer crime_scene_investigator development_officer dezernatsleiter* dezernent* dienstgruppenleiter* election_officer
      emergency_management enumerator environmental_protection_officer fallschirmjäger* familienhelfer* fbi_agent feldjäger* fingerprint_examiner fire_officer fireman
      fisheries_officer flüchtlingsbetreuer* game_warden gefängnisdirektor* gefängniswärter* geheimdienst* gewerkschafter* gleichstellungsbeauftragte*
      gleichstellungsbeauftragter* grenzwächter* grundwehrdienst* hauptfeldwebel* head_of_mission highway_patrol immigration_officer integrationsbeauftragte*
      interessenvertreter* international_development jailer jugendamt* kantonsrat* katastrophenschutz* klimaschutzmanager* kommunalpolitiker* kompaniechef*
      kreistagsmitglied* labour_inspector landesdirektor* landtagsabgeordnete* landtagsabgeordneter* lebensmittelkontrolleur* legislator letter_carrier licensing_inspector
      lobbyist lobbyist* marinesoldat* mdb mdl mep meter_maid midshipman nachrichtendienst* national_guard nationalrat* naval_officer oberbrandmeister* oberfeldwebel*
      obergefreiter* oberkommissar* oberregierungsrat* oberst oberstleutnant* ordnungsamt* panzergrenadier* paratrooper park_ranger parking_enforcement_officer parkranger*
      parkraumüberwacher* parlamentsreferent* parole_officer passport_officer pcso politesse* politiker* postbote* postbotin* postenkommandant* postmaster postzusteller*
      prison_governor prison_guard prison_officer public_works quartiersmanager* ranger rangerin ratsschreiber* raumplaner* referatsleiter* referent_politik
      refugee_officer regierungsinspektor* regionalplaner* reservist reservist* sachgebietsleiter* secret_service sozialassistent* sozialversicherungsfachangestellte*
      sozialversicherungsfachangestellter* staatsminister* staatsrat* stabsfeldwebel* stabsunteroffizier* stadtplaner* stadtpräsident* stadtverordnete* stadtverordneter*
      state_representative state_trooper station_officer straßenwärter* streetworker* traffic_warden un_officer verfassungsschutz* warrant_officer wehrführer*
      weights_and_measures_inspector welfare_officer werkfeuerwehrmann* wirtschaftsförderer* zivildiener* zivildienst* zivilschutz*`,
    fields: `políticas politiche polityk* agrarias administración_pública administração_pública amministrazione_pubblica administration_publique öffentliche_verwaltung
      государственн* муниципальн* kamu government governmental public_sector öffentlicher_dienst secteur_public sector_público setor_público settore_pubblico collectivité*
      territorial* ministry ministerio ministère ministério ministero ministerium министерств* bakanlık وزاره army navy policy public_affairs affaires_publiques policies
      sgb gemeente municipal* comune governo gobierno حكومه 政府 行政机关 役所 公共 stadtverwaltung public_policy gemeinde* *gemeinde politisch* europabüro wehrdienst armed_forces
      behörde fire_department kommunalverwaltung sozialamt soziale_arbeit stadtplanung`,
    areas: `army_* navy_* government_* postal_* county_* legislative_* parliamentary_* federal_*`,
  },
  {
    of: 'other',
    roles: `security_guard* security_officer* bodyguard* priest* pastor* imam rabbi missionary volunteer* athlete* footballer* football_coach referee* housewife homemaker
      bénévole* voluntari* agent_de_sécurité vigilante* vigilant* guardia_de_seguridad wachmann* sicherheitsmitarbeit* sicherheitsdienst* beveilig* ochroniarz* охранник*
      güvenlik_görevlis* حارس 警備員 保安 pfarrer* prêtre sacerdote pastore astrologer* veterinarian_technic* pilot* flugkapitän fotomodell mannequin life_coach*
      wellness_coach* personal_trainer* fitness_trainer* fitness_instructor* fitnesstrainer* yoga* pilates* gym_instructor* sports_coach* sport_coach* soccer_coach*
      basketball_coach* tennis_coach* football_coach* swim_coach* strength_coach* mindset_coach* astrolog* tarot* clergy* chaplain* deacon* reverend minister_of_religion
      bishop monk nun missionar* scout_leader* activist* philanthropist* humanitarian* farmer* rancher* fisherman* agronomist* agriculturist* beekeeper* winemaker*
      vintner* forester* horticultur* dog_trainer* dog_walker* animal_trainer* pet_sitter* astronaut* captain_airline flight_captain* ship_captain* sailor* seaman*
      seafarer* skipper* housewife* househusband* homemaker* full_time_mom full_time_parent mother_of father_of security_supervisor* bouncer* loss_prevention* undertaker*
      professional_athlete* football_player* basketball_player* boxer* golf_professional* golfer* esports* gamer* streamer* model fashion_model* landwirt* winzer* förster*
      imker* flugkapitän* sicherheitskraft sicherheitsmitarb* wachmann objektschützer* diakon* priester* seelsorg* ehrenamt* hausfrau* hausmann sportler* fußball*
      fitnesscoach* yogalehr* personal_coach mental_coach mentalcoach* lebensberat* systemischer_coach bestatter* agent_de_sureté agent_de_sûreté vigile maître_chien
      agriculteur* agricultrice* viticult* éleveur* maraîcher* pilote* coach_de_vie coach_sportif coach_sportive coach_professionnel* coach_certifié* prêtre* aumônier*
      sportif* footballeur* femme_au_foyer mère_au_foyer agricultor* ganader* agrónom* agrônom* guarda_de_seguridad sacerdote* voluntári* entrenador*_personal*
      coach_ontológic* coach_de_vida ama_de_casa amo_de_casa deportista* futbolista* árbitr* agente_funerari* produtor*_rural pecuarist* vigia segurança_patrimonial
      porteiro* piloto* padre missionári* personal_trainer treinador*_pessoal preparador*_físic* dona_de_casa do_lar atleta* jogador* árbitro* agricoltor* allevator*
      guardia_giurata guardia_particolare vigilanza pilota* parroco volontari* preparator*_atletic* istruttore_di_fitness istruttore_fitness casalinga calciator* atleta
      agronom* viticoltor* bewaker* portier_beveiliging boer akkerbouwer* veehouder* tuinder* piloot* vrijwillig* dominee pastoor voetballer* sporter* huisvrouw huisman
      fitnessinstruct* rolni* ksiądz duszpasterz wolontariusz* pracownik_ochrony kwalifikowany_pracownik_ochrony sportowiec* piłkarz* trener_personaln* gospodyni_domowa
      leśni* фермер* агроном* лесник* пилот* летчик* моряк* волонтер* волонтёр* священник* сторож* спортсмен* футболист* домохозяйк* коуч* лайф_коуч* фитнес_тренер*
      персональный_тренер* инструктор_йоги тренер_по çiftçi* ziraat* güvenlik_görev* güvenlik_şef* bekçi* gönüllü* ev_hanımı sporcu* futbolcu* yaşam_koç* koç
      antrenör_kişisel kaptan مزارع حارس_امن رجل_امن مشرف_امن طيار قبطان امام خطيب متطوع* ربه_منزل رياضي لاعب* لايف_كوتش كوتش 農家 農業 漁師 警備* パイロット 牧師 僧侶 住職 ボランティア 主婦 専業主婦
      スポーツ選手 アスリート パーソナルトレーナー ヨガ 农民 农场主 农艺* 保安* 飞行员 船长 海员 牧师 和尚 志愿者 义工 家庭主妇 全职妈妈 运动员 健身教练 瑜伽* 私教 fitness_* fitness_coach* aerobictrainer* aktivist* animal_care apiarist
      aquaculture_manager armored_car_guard athletiktrainer* bademeister* beach_lifeguard bergretter* berufsjäger* beziehungscoach* binnenschiffer* bischof* boatman
      boatswain bootsmann* bosun caddie campaigner captain_ship cheftrainer* chess_player chief_mate close_protection community_organizer copilot* crossing_guard cyclist
      deck_cadet deck_cadet_trainee deck_officer deckhand decksmann* detektiv* dog_breeder dog_groomer door_supervisor drohnenpilot* einsatzleiter_sicherheit
      embalmer engine_cadet equestrian erntehelfer* estate_manager_farm fachangestellter_für_bäderbetriebe fachkraft_für_schutz_und_sicherheit farm_manager farmhand
      ferryman first_officer fischer* fischwirt* fischzüchter* fitnessstudioleiter* flugschüler* football_scout forestry_manager forstamtsleiter* forstwirt* freiwillige*
      freiwilliger* fruit_grower gamekeeper geflügelzüchter* gemüsebauer* gemüsegärtner* golf_pro gravedigger grower gutsverwalter* gym_manager gymnast handballer*
      hellseher* herder hirte hofleiter* holzfäller* horse_breeder horse_rider hubschrauberpilot* hufpfleger* human_rights_officer hundefriseur* hundesitter* hundetrainer*
      jockey jäger jägerin kampfrichter* kapitän_schiff kapitänin_schiff kartenlegerin* katastrophenhelfer* kaufhausdetektiv* kellermeister* kopilot* küster küsterin
      ladendetektiv* lay_preacher lebenscoach* leibwächter* leichenbestatter* lifeguard logger lollipop_man lotse luftsicherheitsassistent* luftsicherheitskontrollkraft*
      lumberjack master_mariner matchmaker matrose* menschenrechtler* mentaltrainer* mesner mesnerin messdiener* milchbauer* mortician mountain_rescuer mönch nachtwächter*
      nature_conservationist naturschutzbeauftragte* naturschützer* nebenerwerbslandwirt* night_watchman nonne numerologist obstbauer* ordensschwester* ordnungscoach*
      partnervermittler* personaltrainer* personenschützer* pet_groomer pferdewirt* pförtner* poker_player preacher privatdetektiv* private_investigator
      professional_organizer profifußballer* profisportler* psychic rabbiner* rennfahrerin* revierförster* sacristan schiedsrichter* schiffsführer* schiffsmaschinist*
      schiffsoffizier* schweinezüchter* schwimmmeister* schäfer* schülerlotse* scuba_diver sea_captain search_and_rescue second_officer seemann* seminarian shepherd
      sicherheitschef* sicherheitsleiter* skater ski_patrol ski_patroller skipatrouilleur* sportdirektor* sportmanager* sporttrainer* sportwissenschaftlerin* stable_hand
      tennis_player tennistrainer* thanatopraktiker* theologe* theologian theologiestudent* theologin* third_mate tierpfleger* tierschützer* tiertrainer* tierwirt*
      totengräber* trapper türsteher* umpire umweltaktivist* union_organizer vegetable_grower vereinsmanager* verkehrspilot* vicar viehzüchter* vikar vikariat* vikarin
      wachfrau* wahrsager* watchman werkschutz* werkschützer* wildhüter* winegrower woodcutter worship_leader yacht_captain zookeeper zootierpfleger* züchter* önologe*
      übungsleiter*`,
    fields: `church ministry_church kirche sport sports nonprofit non_profit charity security esg csr animal_welfare forstwirtschaft gemeinnützig luftfahrt objektschutz seefahrt
      tierpflege weinbau`,
    areas: `spiritual_* first_officer_* funeral_* fitness`,
  },
];
