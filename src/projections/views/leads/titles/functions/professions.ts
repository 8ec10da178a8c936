import type { FunctionTerms } from './terms.ts';

export const professions: readonly FunctionTerms[] = [
  {
    of: 'research',
    roles: `phd_candidate* phd_student* phd_research* phd_fellow* researcher* research_scientist* research_associate* research_assistant* research_engineer* research_fellow*
      research_analyst* scientist* chemist* biologist* physicist* biochemist* microbiologist* geologist* postdoc* post_doc* postdoctoral* principal_investigator*
      lab_technician* lab_manager* mathematician* archaeologist* historian* sociologist* anthropologist* geophysicist* ecologist* environmental_scientist* wissenschaftler*
      forscher* wissenschaftliche* *wissenschaftler chemiker* physiker* biologe* biologin laborant* *laborant chemielaborant* doktorand* geologe* mathematiker*
      labormitarbeit* chercheur* chercheuse* ingénieur*_de_recherche scientifique* biologiste* chimiste* technicien*_de_laboratoire doctorant* laborantin* géologue*
      physicien* investigador* científic* químic* biólog* físico laboratorista* geólog* pesquisador* cientista* bolsista_de_iniciação iniciação_científica
      técnic*_de_laboratorio analista_de_laboratório doutorand* biomedic* ricercator* scienziat* chimic* biolog* geolog* tecnico_di_laboratorio dottorand* assegnista*
      onderzoeker* wetenschapper* analist_laboratorium promovendus naukowiec* badacz* chemik* adiunkt* учён* ученый* научн* исследовател* химик* биолог* физик* лаборант*
      геолог* аспирант* araştırmacı* bilim_insanı kimyager* biyolog* باحث* عالم كيميائي مختبر 研究員 研究者 研究職 研究生 博士 研究员 科学家 实验员 化验* 博士後 research_officer* research_specialist*
      research_consultant* research_coordinator* research_technician* research_student* research_lead* research_director* research_intern* r&d_specialist* r&d_scientist*
      lab_assistant* lab_analyst* lab_director* laboratory_technician* laboratory_analyst* laboratory_manager* lab_scientist* bench_scientist* senior_scientist*
      staff_scientist* data_scientist_research bioinformatic* biotechnolog* neuroscient* geneticist* immunolog* epidemiolog* toxicolog* botanist* zoologist* virolog*
      ethnolog* astronom* astrophysic* political_scientist* linguist* philologist* meteorolog* oceanograph* material*_scientist* field_researcher* phd_scholar*
      research_scholar* research_professor* visiting_scholar* visiting_researcher* visiting_scientist* postdoctor* phd_in doktorandin* wissenschaftlich*_mitarbeit*
      wissenschaftlich*_assist* wissenschaftlich*_hilfskraft* wissenschaftlich*_referent* akademisch*_rat akademisch*_mitarbeit* hilfskraft_forschung forschungsmitarbeit*
      forschungsleit* forschungsreferent* forschungsassist* forschungsingenieur* laborleit* laborassist* laboringenieur* labortechnik* laborfach* chemikant*
      chemisch_technisch* biologisch_technisch* bta cta postdoktorand* promotionsstudent* gastwissenschaft* historiker* soziolog* biochemik* geograph* geophysik*
      geowissenschaft* archäolog* maître_de_recherche directeur_de_recherche directrice_de_recherche chargé*_de_recherche* ingénieur*_d'étude* ingénieur*_r&d
      assistant*_de_recherche attaché*_de_recherche* technicien*_de_recherche technicien*_chimiste post_doctorant* postdoctorant* enseignant*_chercheur*
      attaché*_de_recherche_clinique arc historien* sociologue* archéologue* géographe* mathématicien* thésard* allocataire_de_recherche docteur_en
      investigador*_postdoctoral* personal_investigador asistente_de_investigación auxiliar_de_investigación técnico_de_laboratorio analista_de_laboratorio laboratorist*
      becari*_de_investigación becari*_predoctoral* doctorand* biotecnólog* bioquímic* microbiólog* físic* matemátic* sociólog* antropólog* historiador* arqueólog*
      geógraf* jefe_de_laboratorio assistente_de_pesquisa auxiliar_de_laboratório analista_de_pesquisa analista_de_p&d técnico_de_laboratório técnico_em_química
      técnic*_em_laboratório bolsista_de_pesquisa pós_doutorand* pos_doc* biotecnolog* geofísic* assegnist*_di_ricerca dottorand*_di_ricerca borsista* ricercat*
      tecnologo_ricerca tecnico_laboratorio microbiolog* fisico matematico storico sociolog* antropolog* archeolog* analista_di_laboratorio responsabile_laboratorio
      responsabile_ricerca* onderzoeksassist* onderzoeksmedewerk* onderzoeksanalist* laboratoriummedewerk* labmedewerk* analist_microbiolog* chemisch_analist* bioloog*
      chemicus natuurkundig* historicus sociolo* assistent_in_opleiding aio promovend* pracownik_naukow* asystent_naukow* mikrobiolog* fizyk* historyk* socjolog*
      matematyk* doktorantk* stypendyst* научный_работник* младший_научный_сотрудник* старший_научный_сотрудник* инженер_исследователь* научн*_сотрудник* историк*
      социолог* математик* археолог* географ* эколог* биотехнолог* микробиолог* аспирантк* докторант* постдок* araştırma_görevlis* araştırma_uzman* ar_ge_mühendis*
      biyokimya* genetik* fizikçi* kimyacı* matematikçi* tarihçi* sosyolog* arkeolog* jeolog* doktora_sonrası bilim_adamı bilim_insan* باحثه كيميايي* فيزيايي* احياء
      فني_مختبر* اخصايي_مختبر محلل_مختبر باحث_دكتوراه طالب_دكتوراه مساعد_باحث 主任研究員 研究開発職 研究部長 特任助教 助教 ポスドク 博士研究員 リサーチャー 研究助手 学者 科学者 化学者 实验室* 研发员 博士后 科研人员 研究助理 助理研究员 副研究员
      高级研究员 化学家 生物学家 历史学家 chemicy phd_researcher* plant_breeder* food_technologist* économiste* economist* post_doc_* agrarwissenschaftlerin* ahnenforscher* anthropologe*
      arbeitsgruppenleiter* astrophysiker* bachelorand* bioinformatiker* botaniker* chemietechnikerin* climatologist cra criminologist demographer diplomand* egyptologist
      entomologist ernährungswissenschaftlerin* ethnographer flavourist forensiker* genealoge* genealogist geoscientist geoökologe* germanist* hydrogeologist hydrologe*
      hydrologist innovationsmanager* innovationsmanager_junior institutsdirektor* institutsleiter* klimaforscher* kriminologe* laborhelfer* lacklaborantin*
      lebensmittelchemiker* lebensmitteltechnikerin* lebensmitteltechnologe* lebensmitteltechnologin* literaturwissenschaftlerin* masterand* materialwissenschaftlerin*
      meeresbiologe* meeresbiologin* molekularbiologe* musikwissenschaftlerin* naturwissenschaftlerin* neurowissenschaftlerin* ornithologist ozeanograph* paleontologist
      paläontologe* parfümeur* perfumer philosoph* philosopher physiklaborantin* politikwissenschaftlerin* politologe* politologin* seismologist sensoriker*
      sozialwissenschaftlerin* sprachwissenschaftlerin* stipendiat* studienassistent* studienkoordinator* studienleiter* think_tank_fellow toxikologe* toxikologin*
      umweltgutachter* umweltwissenschaftlerin* volcanologist weather_forecaster wirtschaftswissenschaftlerin* zoologe* zoologin* ägyptologe* ökologe* ökologin*
      ökotrophologe* ökotrophologin* chargé*_d'études chargé*_d_études 检验员 health_economist*`,
    fields: `scientific* scientifi* scientyfic* wissenschaftlich* research r&d r&i science sciences scientific forschung* wissenschaft* recherche* investigación* pesquisa*
      ricerca* onderzoek* badań badania исследован* наук* araştırma* ar_ge ابحاث بحوث 研究 研究開発 科研 clinical_research laboratory labor laboratorio laboratório laboratoire
      biotech* innovation innovación inovação innovazione innovatie chemistry biology physics f&e i&d r_d research_and_development laboratories investigación_y_desarrollo
      pesquisa_e_desenvolvimento p&d i+d ricerca_e_sviluppo recherche_et_développement forschung_und_entwicklung forschung_&_entwicklung f+e onderzoek_en_ontwikkeling
      badań_i_rozwoju badania_i_rozwój ниокр нии химия chimie química chimica biologie biología biologia physik fizyka لابحاث المختبر 理学 遗传 化学 生物 doutorado doctorado
      mestrado dottorato 研发 研發 genetics innovationsmanagement laboratorium`,
    weakFields: `phd`,
    areas: `doctoral_* laboratory_* 研究開発 clinical_research_* research_manager_* wetenschappelijk_* ar_ge_* arge_*`,
  },
  {
    of: 'media',
    roles: `journalist* reporter* editor* editor_in_chief managing_editor* photographer* videographer* filmmaker* producer* broadcaster* anchor* presenter* cameraman*
      cinematographer* screenwriter* writer* author* novelist* blogger* vlogger* youtuber* podcaster* musician* singer* actor* actress* composer* dj dancer* translator*
      interpreter* proofreader* technical_writer* sound_engineer* video_editor* publisher* redakteur* redaktion* *redakteur *redakteurin fotograf* *fotograf kameramann
      autor* schriftsteller* musiker* sänger* schauspieler* übersetzer* dolmetscher* lektor* moderator* regisseur* filmproduzent* verleger* cutter journaliste* rédact*
      photographe* réalisat* caméraman monteur_vidéo écrivain* auteur* traduct* interprète* musicien* chanteur* chanteuse comédien* éditeur* animateur_radio présentat*
      scénariste* periodista* redactor* fotógraf* productor_audiovisual locutor* escritor* traductor* intérprete* músic* cantante* actor actriz guionist* realizador*
      camarógraf* comunicador*_social* jornalista* redator* roteirist* cinegrafist* tradutor* cantor* ator atriz radialist* produtor*_cultural produtor*_audiovisual
      videomaker* giornalist* redattor* scrittor* traduttor* interprete musicist* cantant* attor* attrice regista registi sceneggiator* videomaker journaliste redacteur*
      eindredact* fotograaf* schrijver* vertaler* tolk muzikant* zanger* acteur* dziennikarz* redaktor* pisarz* tłumacz* muzyk* aktor* reżyser* журналист* редактор*
      фотограф* писател* переводчик* музыкант* актёр* актер* актриса режиссер* режиссёр* видеограф* оператор_видео* продюсер* корреспондент* диктор* gazeteci* editör*
      fotoğraf* yazar* çevirmen* tercüman* müzisyen* şarkıcı* oyuncu* yönetmen* muhabir* sunucu* صحفي* محرر* مصور* كاتب* مترجم* مخرج* مذيع* ممثل* 記者 編集* ライター 翻訳 通訳 カメラマン
      写真家 作家 映像 ディレクター_映像 记者 编辑 编导 摄影* 翻译 主持人 导演 演员 剪辑 主编 podcast_host* radio_host* tv_host* news_anchor* tv_presenter* film_director* film_producer* film_editor*
      movie_director* script_writer* scriptwriter* story_writer* ghostwriter* copy_editor* copyeditor* associate_producer* executive_producer* music_producer*
      music_director* record_producer* sound_designer* audio_engineer* audio_producer* camera_operator* photo_editor* photojournalist* columnist* poet* playwright*
      storyteller* keynote_speaker* public_speaker* voice_over* voiceover* comedian* performer* vocalist* guitarist* drummer* pianist* violinist* conductor_orchestra
      choreograph* magician* freelance_writer* science_writer* medical_writer* subtitl* journalistin chefredakt* redaktionsleit* redaktions* online_redakt* pressefotograf*
      bildredakt* tontechnik* tonmeister* tontechniker* kamerafrau kameraassist* filmemach* regieassist* produktionsleitung_film synchronsprech* moderatorin sprecher
      sprecherin drehbuch* buchautor* komponist* dirigent* opernsäng* künstler* veranstaltungstechnik* lektorat* übersetz* dolmetsch* konferenzdolmetsch* rédact*_en_chef
      secrétaire_de_rédaction chroniqueu* vidéast* cadreur* cadreuse monteuse_vidéo chef_opérateur ingénieur*_du_son technicien*_son preneur_de_son producteur*
      productrice* scénarist* compositeur* danseu* metteur_en_scène artiste* autrice* éditri* régisseur* voix_off intermittent_du_spectacle periodist* corresponsal*
      presentador* editor*_de_video editor*_de_vídeo productor*_audiovisual* productor*_de_cine productor*_ejecutiv*_tv productor*_musical* operador_de_cámara
      técnico_de_sonido sonidista* montador*_de_video compositor* bailarin* bailarín artista* guionista* corrector* jornalist* repórter* apresentador* radialista*
      editor*_de_vídeo* editor*_de_imagens produtor*_de_vídeo* produtor*_musical cineast* técnico_de_som dançarin* roteirista* revisor*_de_texto* giornalista* redattric*
      caporedattore caposervizio conduttor* conduttric* cronista* speaker_radiofonic* fotoreporter* montator*_video operatore_video operatore_di_ripresa cameraman fonico
      tecnico_del_suono sceneggiat* produttor*_cinematografic* produttor*_musical* ballerin* attric* scrittric* autric* traduttric* correttore_di_bozze verslaggev*
      presentat* programmamak* fotograa* filmmak* videograaf* geluidstechn* scenarist* componist* danser* kunstenaar* actrice* schrijf* tekstschrijv* vertal* tolken
      redact* uitgever* dziennikar* redaktork* prezenter* fotografk* operator_kamery operator_obrazu montażysta* realizator_dźwięku realizator* scenarzyst* producent_film*
      producent_muzyczn* kompozytor* wokalist* tancer* aktork* artyst* pisark* tłumaczk* korektor* wydawc* журналистк* репортер* репортёр* видеооператор* видеомонтаж*
      монтажёр_видео монтажер* сценарист* звукорежиссер* звукорежиссёр* композитор* певец певица танцор* хореограф* актрис* артист* писатель* поэт* корректор* переводчи*
      телеведущ* ведущий_мероприятий ведущая_мероприятий диджей* gazetec* editörü spiker* kameraman* kurgu* video_editör* yapımcı* prodüktör* senarist* besteci* dansçı*
      sanatçı* tiyatro* oyuncusu yazarı mütercim* seslendirme* صحفيه صحافي* اعلامي* مراسل* محرره مذيعه مقدم_برامج مقدمه_برامج مصوره مونتير مونتاج مخرجه منتج_فني موسيقي*
      مطرب* فنان* ممثله كاتبه مولف* مترجمه مدقق_لغوي معلق_صوتي ジャーナリスト 新聞記者 編集長 編集部 映像ディレクター 動画編集* 映像制作 映像クリエイター フォトグラファー テレビディレクター 放送作家 プロデューサー 音楽家 作曲家 歌手 ミュージシャン 俳優 声優
      女優 漫画家 小説家 アーティスト アナウンサー ナレーター 翻訳者 通訳者 校正 新闻* 记者* 主播 视频剪辑 剪辑师 后期 摄影师 摄像师 录音师 音乐人 作曲 艺术家 舞蹈 编剧 制片* 译员 翻译员 口译 同声传译 出版编辑 责任编辑 自由撰稿人 配音 interprete* band_member*
      theatermak* set_lighting lighting_technician* lighting_designer* gaffer* stagehand* wig_dresser* personaggio_radiofonic* radiofonic* 動画 acrobat announcer
      art_conservator art_critic art_restorer artist_manager artist_zirkus artistic_director artistin_zirkus aufnahmeleiter* balletttänzer* bassist beatmaker
      bühnenkünstler* casting_director castingdirector* cellist cellist* choir_director choreograf* chorleiter* circus_artist clown colorist compere concertmaster
      conservator correspondent cultural_manager curator cutterin* drag_queen dramaturg dramaturg* emcee fachübersetzer* fernsehmoderator* filmeditor* filmvorführer*
      flautist focus_puller foley_artist fotoassistent* fotojournalist* fotolaborantin* galerieleiter* galerist* gallerist gallery_director gallery_manager
      gebärdensprachdolmetscher* geiger geigerin generalmusikdirektor* gitarrist* grip hochzeitsfotografin* hochzeitsredner* illusionist inspizient* intendant* juggler
      kabarettist* kantor kantorin kapellmeister* kirchenmusiker* kolumnist* komparse* konzertmeister* korrektor* korrepetitor* korrespondent* kulturamtsleiter*
      kulturmanager* kulturreferent* kulturschaffende* kulturschaffender* kulturvermittler* kunsthistoriker* kunstkritiker* kurator* lexicographer liedermacher*
      literary_agent literaturagent* location_manager lyriker* master_of_ceremonies mediendokumentar* medienschaffende* medienwirt* mime museologe* museum_curator
      museum_director museum_manager museumsdirektor* museumsleiter* musikstudent* nachrichtensprecher* narrator newsreader orchestermusiker* organist organist* produzent*
      projectionist puppenspieler* puppeteer radiomoderator* rapper redenschreiber* ressortleiter* restaurator* restorer schauspielschüler* schauspielstudent*
      schlagzeuger* script_supervisor songwriter soprano speechwriter stage_director stage_manager stuntman stuntman* theaterleiter* transcriber transcriptionist
      trauerredner* tänzer tänzerin untertitler* verlagsleiter* videoeditor* videograf* videoproduzent* vision_mixer voice_artist volontär* vortragsredner* zauberer*
      zauberkünstler* entertainer*`,
    fields: `media journalism journalismus presse_écrite publishing film cinema cinéma music photography photographie fotografía fotografia fotografie broadcast* television
      televisión televisão televisione editorial verlag édition editora редакци* медиа medya اعلام* メディア 媒体 出版 entertainment video vídeo audiovisual* audio musik musique
      música musica théâtre teatro theater film_* tv_* radio_* news_* filmproduktion newsroom rundfunk schauspiel translation verlagswesen videography`,
    weakRoles: `speaker* redner* conférencier* conferencist* palestrante* спикер*`,
    areas: `broadcast_* linguistic_* localization_*`,
  },
  {
    of: 'education',
    roles: `teacher* professor* lecturer* tutor* instructor* educator* trainer* principal_school school_principal* headteacher* head_teacher* teaching_assistant*
      teaching_fellow* faculty* dean* assistant_professor* associate_professor* librarian* kindergarten* nanny* coach* teaching* lehrer* *lehrer *lehrerin dozent* *dozent
      pädagog* *pädagog* erzieher* ausbilder* schulleit* lehrbeauftragt* bibliothekar* studienrat* nachhilfe* hochschullehr* lehrkraft enseignant* professeur* prof
      formateur* formatrice* instituteur* institutrice* maître_de_conférences maîtresse_de_conférences éducateur* éducatrice* directeur_d'école bibliothécaire* proviseur*
      surveillant* conseiller*_pédagogique assistant_d'éducation atsem auxiliaire_de_puériculture profesor* maestr* docente* catedrátic* educador* formador* rector*
      director_de_escuela bibliotecari* pedagog* orientador* coordinador*_académic* instrutor* coordenador*_pedagógic* diretor*_escolar* diretor*_de_escola
      palestrante_professor* monitor* insegnant* maestra maestro ricercatore_universitario educatric* formator* dirigente_scolastic* preside docent* leraar* lerares
      leerkracht* onderwijzer* hoogleraar* opleider* schooldirecteur pedagogisch_medew* onderwijsassist* nauczyciel* wykładow* trener* dyrektor_szkoły wychowaw* учител*
      преподавател* воспитател* педагог* профессор* доцент* тренер* репетитор* декан* ректор* методист* библиотекар* öğretmen* öğretim_üyesi akademisyen* profesör* doçent*
      eğitmen* okul_müdür* dekan* rektör* eğitim_uzman* معلم* مدرس* استاذ* محاضر* مدرب* مدير_مدرسه مشرف_تربوي 教師 教員 講師 教授 教諭 塾講師 保育士 保育 校長 教师 老师 讲师 校长 教练 辅导员 班主任 培训师 园长
      training_specialist* e_learning* elearning* rektor* headmaster* principal_teacher* vice_principal* assistant_principal* homeschool* school_counselor*
      academic_advisor* academic_director* academic_coordinator* academic_dean* dean_of* provost* chancellor* registrar* english_teacher* language_teacher* music_teacher*
      driving_instructor* flight_instructor* ski_instructor* swimming_instructor* language_trainer* corporate_trainer* day_care* daycare* au_pair* babysitter*
      special_education* instructional_designer* student_advisor* reader_in grundschul* realschul* gymnasial* förderschul* berufsschul* sonderpädagog* schulbegleit*
      schulsozial* kinderpfleg* kitaleit* heilpädagog* sprachlehr* fahrlehr* musikschul* tanzlehr* hochschul* privatdozent* juniorprofess* akademisch_rat ausbildungsleit*
      ausbildungsbeauf* lernbegleit* bildungsreferent* bildungsberat* seminarleit* kursleit* nachhilf* studienr* oberstudien* tagesmutter tagespflegeperson fachlehr*
      bibliothek* aesh avs cpe principal_de_collège directrice_d'école directeur_d'études directrice_pédagogique responsable_pédagogique coordinat*_pédagogique
      ingénieur*_pédagogique ingénieur*_de_formation animat*_périscolaire animat*_enfance animat*_jeunesse* moniteur* monitrice* moniteur_éducateur moniteur_auto*
      auxiliaire_de_puéri* assistant*_maternel* assistante_maternelle éducat*_spécialisé* éducat*_de_jeunes* éducat*_sportif* documentaliste* chargé*_de_cours
      chargé*_d'enseignement vacataire* ater conseill*_d'orientation* conseiller_principal_d'éducation educadora_infantil psicopedagog* director*_académic*
      director*_de_colegio jefe_de_estudios decan* vicerrector* capacitador* técnic*_en_educación auxiliar_de_educación ayudante_de_cátedra niñera orientador*_educacional*
      educador*_físic* educador*_social coordenador*_de_curso* coordenador*_acadêmic* auxiliar_de_classe auxiliar_de_sala monitor*_escolar babá bibliotecári* formatric*
      istruttor* professoress* collaboratore_scolastico coordinat*_didattic* babysitter baby_sitter intern_begeleid* onderwijs* lesgever* lector mentor schoolleid*
      directeur_basisschool schooldirecteur* pedagogisch* gastouder kinderopvang* peuterspeel* bibliothecar* studieloopbaan* decaan* opleidingscoörd* opleidingsmanag*
      wychowawc* wykładowc* dyrektor_przedszkola trenerk* lektor* korepetytor* dziekan* metodyk* instruktor* opiekunka_dziecięca niania bibliotekar* szkoleniowiec*
      asystent_nauczyciela adiunkt_dydaktycz* преподавательниц* учительниц* учитель* воспитательниц* завуч* директор_школы заведующ*_детск* проректор* заведующий_кафедрой
      старший_преподаватель тьютор* инструктор* нян* библиотекарь* бизнес_тренер* вожат* öğretmeni öğretmenliği eğitmeni eğitimci* öğretim_görevlis* öğretim_üyes*
      doktor_öğretim* araştırma_görevlisi_eğitim müdür_yardımcısı_okul anaokulu* rehber_öğretmen* rehberlik* kütüphane* antrenör* doç_dr eğitim_koordinatör* معلمه* محاضره*
      استاذه* مدربه* عميد* مربيه* مدير_المدرسه امين_مكتبه مدرس_مساعد معيد* 小学校教員 中学校教師 高校教師 英語教師 日本語教師 大学教授 准教授 助教 特任講師 専任講師 非常勤講師 家庭教師 幼稚園教諭 学習塾 インストラクター 司書 语文老师 英语老师
      英语教师 数学老师 幼儿园 幼师 家教 教务* 教学* 教研* 副教授 培训讲师 教导主任 图书管理员 招生* 课程顾问 学管 kindergärtner* department_chair* faculty_member* professor_in chief_education* academic_chair*
      pró_reitor* pro_reitor* vice_rector* reitor* prorector* camp_counselor* relator*_curso* enrolments* enrollment* class_representative* course_representative*
      akademieleiter* ausbildungsmeister* berufsbildner* child_care_provider childminder early_years_practitioner erwachsenenbildner* exam_invigilator
      fachangestellter_für_medien_und_informationsdienste fachfrau_kinderbetreuung fachmann_betreuung_kinder fami freizeitbetreuer* governess headmistress
      honorarprofessor* hortleitung* hortnerin* house_parent integrationshelfer* internatsleiter* invigilator jugendbetreuer* jugendleiter* jugendreferent* kinderbetreuer*
      kinderfrau* kindertagespflegeperson* konrektor* konrektor_stellvertretend lehramtsanwärter* lehramtsreferendar* lehramtsstudent* lehrlingsausbilder*
      lehrstuhlinhaber* leiter_akademie leiter_volkshochschule lerncoach* lernhelfer* library_manager logikkurs* montessori_guide paraeducator paraprofessional
      pgce_student playworker praxisanleiter_ausbildung praxisanleiterin_ausbildung prorektor* referendar* rhetoriktrainer* schoolteacher schulassistent* schuldirektor*
      schulinspektor* schwimmtrainer* senco sprachtrainer* student_affairs studiendirektor* studiengangsleiter* tagesvater* tefl universitätsassistent*
      universitätsprofessor* universitätspräsident* youth_leader`,
    fields: `education educational school college academy éducation enseignement educación educação istruzione ensino enseñanza bildung* schule universität onderwijs edukacj*
      szkoł* образован* школ* университет* eğitim* okul üniversite* تعليم* تربيه تدريب جامعه مدرسه 教育 学校 大学 培训 teaching learning pedagogy pedagogía didactique students
      kita schulamt educativ* educativo pedagógic* didattica учебн* educaiton enrolment* academic* académic* acadêmic* training_department academia admissions
      ausbildung_abteilung childcare erwachsenenbildung jugendarbeit kinderbetreuung library unterricht volkshochschule weiterbildung`,
    weakFields: `academic trainings university université universidad universidade università`,
    areas: `academic_* adjunct_* school_* curriculum_* instructional_* öğretim_* e_learning* elearning* training_programs formation_professionnelle formación_profesional
      formazione_professionale teacher's_* esl_* childcare_* early_childhood_* preschool_* admissions_* educational_* kita_* maestr*_de_* instructor*_* monitor*_* professor*_*
      tutor*_* مدرسه_*`,
    weakRoles: `куратор* mentor*`,
  },
  {
    of: 'healthcare',
    roles: `dental_hygien* dental_assist* dental_nurse* medizinisch*_fachangestellt* clinical_psycholog* medical_assistant* medical_technolog* nursing_assistant* anesthesie*
      anästhesi* nurse* physician* doctor* surgeon* dentist* pharmacist* therapist* physiotherapist* physical_therapist* occupational_therapist* psychologist*
      psychotherapist* psychiatrist* counselor* caregiver* midwife* paramedic* emt radiolog* cardiolog* dermatolog* veterinar* optometrist* optician* nutritionist*
      dietitian* pathologist* chiropract* massage* orthodont* orthopedi* anesthesi* pediatric* case_manager* arzt* ärzt* *ärztin zahnarzt* krankenpfleg* pflegefach*
      altenpfleg* pfleger* pflege* krankenschwester* physiotherapeut* ergotherapeut* logopäd* psycholog* psychotherap* apotheker* hebamme* heilpraktiker* sanitäter*
      rettungs* therapeut* *therapeut *therapeutin mfa tierarzt* sozialpädagog* heilerziehung* optiker* augenoptik* pta infirm* médecin* aide_soignant* soignant*
      chirurgien* dentiste* pharmacien* kinésithérapeut* kiné sage_femme ostéopath* orthophonist* ergothérapeut* psychologue* psychothérapeut* psychiatre*
      préparat*_en_pharmacie ambulancier* vétérinaire* diététicien* opticien* assistant*_social* travailleur*_social* auxiliaire_de_vie naturopath* sophrolog* enfermer*
      médic* medic* doctor_en_medicina cirujan* odontólog* dentista* farmacéutic* fisioterapeut* kinesiólog* terapeut* psicólog* psiquiatra* nutricionista* veterinari*
      matron* partera* trabajador*_social* auxiliar_de_enfermería cuidador* óptic* logoped* fonoaudiólog* pediatra* médico* enfermeir* cirurgi* farmacêutic* psicanalist*
      veterinári* assistente_social técnic*_de_enfermagem técnic*_em_enfermagem enfermagem biomédic* agente_de_saúde radiologist* infermier* chirurg* odontoiatr*
      farmacist* fisioterapist* psicolog* psicoterapeut* psichiatr* nutrizionist* dietist* ostetric* oss operatore_socio_sanitario logopedist* assistente_sociale osteopat*
      ottic* educatore_sanitario verpleeg* arts huisarts* tandarts* fysiotherap* psycholoog* verloskund* verzorgende* thuiszorg* diëtist* dierenarts* maatschappelijk_werk*
      begeleider* mondhygi* doktersassist* apothekers* pielęgniark* pielęgniarz* lekarz* lekark* dentyst* stomatolog* farmaceut* fizjoterap* położn* ratownik_med*
      dietetyk* weterynarz* opiekun* врач* медсестр* медбрат* стоматолог* хирург* фармацевт* провизор* психолог* психотерап* терапевт* педиатр* фельдшер* ветеринар*
      санитар* массажист* логопед* гинеколог* кардиолог* невролог* hemşire* doktor* hekim* diş_hekim* eczacı* fizyoterapist* psikolog* veteriner* ebe diyetisyen* cerrah*
      terapist* sosyal_hizmet* طبيب* طبيبه ممرض* صيدلي* جراح* معالج* اسنان اخصايي_نفسي اخصائي_نفسي علاج_طبيعي دكتور 医師 看護師 看護 薬剤師 歯科* 理学療法士 作業療法士 介護* 栄養士 獣医 保健師 助産師 臨床 医生
      护士 药剂师 药师 牙医 医师 护理 心理咨询 营养师 兽医 康复 主治 audiolog* art_therapist* health_coach* assistenzarzt* assistenzärzt* resident_physician* medical_resident* medical_doctor*
      medical_officer* medical_student* medical_coder* medical_biller* medical_scribe* medical_lab* clinical_pharmacist* clinical_nurse* clinical_specialist*
      clinical_manager* clinician* practice_nurse* rn lpn cna np crna dvm dds gp consultant_physician* consultant_surgeon* oncolog* neurolog* gynecolog* gynaecolog*
      urolog* endocrinolog* anaesthet* hygienist* phlebotom* sonograph* radiograph* speech_therapist* behavior_analyst* rbt mental_health_counselor* psychiatric*
      psychoanalyst* healthcare_assistant* healthcare_professional* support_worker* care_worker* care_assistant* carer* doula* ärztlich* oberarzt* oberärzt* chefarzt*
      chefärzt* facharzt* fachärzt* hausarzt* hausärzt* amtsarzt* pflegehelf* pflegeassist* pflegeleit* pflegedienst* wohnbereichsleit* praxismanag*
      gesundheits_und_krankenpfleg* medizinisch_technisch* mtra mta op_schwester arzthelfer* zahnmedizin* zahntechnik* dentalhygien* notfallsanitäter* rettungssanitäter*
      physio physiotherapie masseur* podolog* orthopädie* hörakust* diätassist* ernährungsberat* psychologin suchtberat* betreuungskraft altenbetreu* alltagsbegleit*
      interne_des_hôpitaux interne_en_médecine praticien* aide_médico* aide_à_domicile auxiliaire_de_santé manipulat*_radio chirurgien_dentiste assistant*_dentaire
      assistant*_médical* secrétaire_médico* cadre_de_santé puéricult* ambulanci* brancardi* podologue* audioprothésist* orthoptist* radiologue* cardiologue* pédiatre*
      gynécologue* anesthésist* dermatologue* psychomotric* neuropsycholog* médicin* técnic*_en_enfermería auxiliar_enfermería tens médico_cirujano cirujan*_dentista
      odontopediatra* ginecólog* cardiólog* dermatólog* anestesiólog* anestesista* radiólog* traumatólog* oftalmólog* regente_de_farmacia químic*_farmacéutic*
      auxiliar_de_farmacia tecnólog*_médic* paramédic* matrona auxiliar_de_geriatría gerocultor* técnic*_de_radiologia técnic*_em_radiologia auxiliar_de_enfermagem
      auxiliar_de_saúde técnico_de_saúde médic*_veterinári* cirurgiã*_dentista ortodontist* ginecologist* cardiologist* dermatologist* terapeuta_ocupacional
      agente_comunitári* socorrista* acupunturist* medico_chirurgo medico_veterinario odontotecnic* igienista_dental* assistente_alla_poltrona logopedista*
      tecnico_radiolog* tecnico_di_radiologia psicoterapeuta* operator*_socio_sanitari* medico_di pediatra ginecolog* chiropratic* massoterapist* massofisioterapist*
      basisarts bedrijfsarts kinderarts coassistent* anios aios geneeskund* specialist_ouderengeneeskunde ambulance* wijkverple* verzorgend* zorgmanager* zorgcoörd*
      zorgmedewerk* zorgverlen* doktersassistent* tandartsassist* praktijkondersteun* praktijkassist* oefentherapeut* radiodiagnostisch* operatieassist* jeugdzorg*
      orthopedagoog* gz_psycho* diergenees* opticien ratowni* pielegniar* technik_farmac* farmaceutk* higienistk* elektroradiolog* fizjoterapeut* rehabilitant* masaży*
      opiekunk* optometryst* медицинская_сестра мед_сестра акушер* рентгенолог* анестезиолог* офтальмолог* психиатр* дерматолог* уролог* реабилитолог* остеопат*
      нутрициолог* диетолог* зубной* ортодонт* doktoru hekimi hemşiresi ebe_hemşire diş_hekimi eczane* ecza_teknik* paramedik acil_tıp* sağlık_teknik* sağlık_memur*
      radyoloji* anestezi* psikiyatr* odyolog* pratisyen uzman_doktor asistan_doktor başhekim* دكتوره اخصايي_تمريض ممرضه صيدلانيه صيدلانى صيدلاني فني_اشعه فني_تمريض
      اخصايي_تغذيه اخصاييه_تغذيه اخصايي_اجتماعي مسعف اخصايي_بصريات بيطري قابله معالج_طبيعي 准看護師 歯科医師 歯科衛生士 歯科助手 臨床検査技師 放射線技師 管理栄養士 言語聴覚士 介護福祉士 社会福祉士 ケアマネ 柔道整復師 鍼灸師 登録販売者
      臨床心理士 公認心理師 心理カウンセラー 医療事務 内科 外科 药剂 牙科 中医 麻醉 康复师 心理咨询师 心理医生 护理师 检验师 放射 兽医师 月嫂 *arzt tierärzt* *tierarzt vet vets psikolojik_danışman* hospital_auditor
      auditoria_hospitalar placement_specialist_health 检验科 24_stunden_betreuung acupuncturist akupunkteur* allgemeinmediziner* alltagsbetreuer* apothekenhelferin*
      apothekenleiter* arzneimittelsicherheit* bcba behindertenbetreuer* betreuungsassistent* care_home_manager care_manager casemanager* chiropodist chiropraktiker* cota
      cytotechnologist desinfektor* dgkp dietician diätologin* einrichtungsleiter* embryologist endodontist ent_specialist entbindungspfleger* exercise_physiologist
      fachkrankenpfleger* fachkrankenschwester* fage famulant* first_aider first_responder gastroenterologist general_practitioner geriatrician gynäkologe* gynäkologin*
      hauskrankenpflege* hearing_aid_specialist heilmasseur* heimhilfe* heimleiter* hematologist herbalist histotechnologist homeopath homöopath* hospitalist house_officer
      humanmediziner* hygienefachkraft* hygieneinspektor* hypnotherapist hörgeräteakustiker* impfhelfer* infection_control intensivpfleger* internist internist*
      kardiologe* kardiologin* kardiotechnikerin* kieferorthopäde* kieferorthopädin* kinderkrankenschwester* klinische_kodiererin kodierfachkraft* krankengymnast*
      krankenhaushygiene* krankentransport* lmft lmhc masseuse mri_technologist msl mtla nephrologist neurosurgeon oberschwester* obstetrician onkologe* onkologin*
      op_leitung operating_department_practitioner ophthalmologist oralchirurg* orderly ordinationsassistentin* orthopäde* orthopädin* orthotist paediatrician pathologe*
      pdl perfusionist periodontist physiotherapy_student pj_student pka podiatrist practice_manager praktisches_jahr praxisanleiter* praxisleitung* primarius*
      prophylaxeassistent* prosthetist psychiater* psychoanalytiker* pulmonologist pädiater* reflexologist reiki_master reiki_meisterin reiki_practitioner rheumatologist
      schulpsychologe* schulpsychologin* scrub_tech seniorenbetreuer* sexologist shiatsu_praktikerin sprechstundenhilfe* stationsschwester* surgical_technologist tfa
      therapieleiter* tierheilpraktiker* tiermedizinische_fachangestellte tiermedizinische_fachangestellter traditional_healer unfallchirurg* vaccinator wachleiter*
      ward_manager wohnbereichspfleger* wound_care wundexperte* wundmanager* zfa nutricionist*`,
    fields: `medical_* clinical_* healthcare_* health_care_* hospital_* dental_* nursing_* zorg* gesundheits* medizin* sağlık* медицинск* социальн* health healthcare hospital
      clinic medicine medical nursing pharmacy pharma* wellness mental_health gesundheit* klinik* medizin santé médical* clinique salud saúde clínic* hospitalar*
      hospitalaria sanità sanitari* ospedal* gezondheid* zdrow* medyczn* здравоохран* медицин* клиник* sağlık hastane tıp صحه طبي* مستشفى مستشفي تمريض صيدله 医療 病院 医院 医疗 医药
      福祉 rehabilitation psychology psychologie dental dentaire orthodontie ostéopathie orthodontics medical_officer social_work sozialarbeit psicologia psicología
      odontologia odontología enfermería fisioterapia apotheke behindertenhilfe betreuung elderly_care emergency_department ergotherapie hno home_care intensive_care
      intensivstation kardiologie krankenhaus notaufnahme pathology physiotherapy anatomia_patologic* surgery`,
    weakFields: `md`,
    areas: `pharmacy_* speech_language_* personal_care_* sanitary_* respiratory_* home_health_* dental_* médica_* medico_* ggz_*`,
  },
];
