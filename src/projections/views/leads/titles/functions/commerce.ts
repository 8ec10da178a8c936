import type { FunctionTerms } from './terms.ts';

export const commerce: readonly FunctionTerms[] = [
  {
    of: 'marketing',
    roles: `marketer* marketeer* marketing_manager* brand_manager* brand_ambassador* copywriter* seo_specialist* seo sem ppc social_media_manager* social_media_specialist*
      community_manager* content_creator* content_strategist* content_manager* content_marketing* growth_hacker* campaign_manager* publicist* spokes* pr_manager*
      media_planner* media_buyer* event_manager* event_planner* digital_marketer* marketing_executive* influencer* content_writer* pr_consultant* pressesprecher*
      *redakteur_marketing texter* werbetexter* mediaplaner* werbekaufmann* werbekauffrau eventmanager* *marketingmanager* chargé*_de_communication chargé*_de_marketing
      chargé*_marketing chargé*_de_com community_manageur* attaché*_de_presse gestor_de_redes gestor_de_tráfego analista_de_marketing marketólogo* mercadólog* publicitári*
      publicista* redactor_publicitario relator_público маркетолог* пиарщик* копирайтер* смм* smm* таргетолог* рекламщик* pazarlamacı* مسوق* 企划 文案 市场专员 市场营销 媒介 新媒体 マーケター
      広報担当 ambassadeur_de_marque market_researcher* event_coordinator* events_coordinator* digital_strategist* brand_strategist* wedding_planner communications_specialist*
      account_planner* ecommerce_manager* marketing_specialist* marketing_assistant* marketing_associate* marketing_analyst* marketing_consultant* pr_specialist*
      pr_executive* pr_officer* public_relations_officer* communications_officer* communications_manager* communication_manager* communications_consultant*
      content_specialist* content_marketer* content_lead* content_editor_marketing social_media_expert* social_media_assistant* media_manager* media_buying*
      media_strategist* media_consultant* media_specialist* seo_expert* seo_analyst* seo_manager* growth_manager* growth_lead* performance_manager_marketing
      email_marketer* brand_specialist* brand_consultant* brand_executive* trade_marketing* event_specialist* events_manager* events_planner* event_organizer*
      event_producer* conference_manager* press_officer* press_secretary* crm_manager* crm_specialist* product_marketing* field_marketing* affiliate_manager*
      ad_operations* adops copywriting* ugc_creator* content_producer* creator tiktoker instagrammer blogger_influencer marketingleit* marketingassist* marketingreferent*
      marketingfach* referent*_marketing pr_referent* pr_berater* kommunikationsmanager* kommunikationsberater* kommunikationsreferent* kommunikationswirt*
      veranstaltungskauf* veranstaltungsmanag* mediaberater* medienberater* contentmanager* social_media_redakteur* onlinemarketing* konzeptionist*
      responsable_communication responsable_de_communication responsable_de_la_communication chargé*_communication chargé*_d'événementiel chargé*_événementiel*
      chef_de_publicité chef_de_pub chargé*_de_relations_publiques concepteur*_rédacteur* concepteur_rédacteur rédact*_web traffic_manager* acheteu*_média* consultant*_seo
      référenceur* gestionnaire_de_communauté* jefe_de_prensa periodista_corporativ* mercadotecn* mercadeo* relacionista_públic* planner_estratégic* gestor_de_tráfico
      especialista_seo creador*_de_contenido* generador*_de_contenido* criador*_de_conteúdo* produtor*_de_conteúdo* gestor_de_mídia* gestor_de_marketing analista_de_mídia*
      analista_de_comunicação assessor*_de_imprensa assessor*_de_comunicação redator*_publicitári* social_mídia social_media_manager addett*_stampa addett*_comunicazione
      addett*_marketing ufficio_stampa organizzat*_di_eventi organizzatric* pubblicitar* grafico_pubblicitario_marketing responsabile_ufficio_stampa communicatieadvis*
      communicatiemedewerk* communicatiemanager* communicatiespecialist* woordvoerder* persvoorlichter* voorlichter* marketingadvis* marketingcommunic*
      marketingspecialist* evenementen* rzecznik_prasow* specjalista_ds_marketingu specjalista_ds_komunikacji specjalista_ds_promocji marketingowiec* интернет_маркетолог*
      бренд_менеджер* контент_менеджер* pr_менеджер* smm_менеджер* event_менеджер* менеджер_по_рекламе менеджер_по_маркетингу специалист_по_рекламе
      специалист_по_маркетингу пресс_секретар* контент_мейкер* блогер* seo_специалист* директолог* контекстолог* медиапланер* промоутер* pazarlama_uzman* reklamcı*
      halkla_ilişkiler* marka_yönetic* marka_müdür* sosyal_medya* metin_yazar* içerik_üretic* اخصايي_تسويق مدير_تسويق منسق_تسويق علاقات_عامه صانع_محتوي صانعه_محتوي
      كاتب_محتوي كاتب_اعلانات مدير_محتوي マーケティング担当 プランナー_広告 イベントプランナー プランナー ブランドマネージャー 市场经理 市场推广 品牌经理 品牌策划 策划* 媒体运营 新媒体运营 内容运营 用户增长 广告设计_营销 公关经理 活动策划 presserefer*
      presse_refer* marktforsch* evangelis* social_media_advisor* conseill*_médias_sociaux brandmanager* campaign_specialist conference_organiser dekorateur_schaufenster
      dekorateurin_schaufenster eventassistent* eventplaner* exhibition_organiser hochzeitsplaner* interviewer* kampagnenmanager* kontakter* marcom_manager
      marcom_specialist markenbotschafter* markenmanager* messekoordinator* messereferent* onlinemarketer* schauwerbegestalter* unternehmenssprecher* werbeassistent*
      werbefachmann* werbeleiter* window_dresser market_specialist* 行销 用户运营 community_builder*`,
    fields: `marketing* *marketing mktg mktng mkt brand branding communications communication* comms kommunikation* pr public_relations press advertising ads advertisement
      werbung* publicité publicidad publicidade pubblicità reclame* reklam* pazarlama* tanıtım comunicación comunicação comunicazion* communicatie* komunikacj* маркетинг*
      коммуникаци* реклам* pr_* связям_с_общественностью связи_с_общественностью пиар* growth user_growth digital_media social_media content social events event
      événementiel* événements eventos eventi veranstaltung* kurumsal_iletişim iletişim تسويق علاقات_عامه اعلان* اتصال* マーケティング 広報 宣伝 販促 PR 市场 营销 品牌 公关 推广 广告 传播 campaigns
      demand_generation crm seo* öffentlichkeitsarbeit presse unternehmenskommunikation redes_sociais redes_sociales mídias_sociais ecommerce e_commerce sponsorship*
      partnership_marketing copywriting marketingu partner_marketing go_to_market web_content digital_content medya_planlama mercadeo mercadotecnia promoción promoções
      promozione stampa imprensa prensa merk marki merken promocj* продвижени* бренд* marka فعاليات محتوي سوشيال ブランド プロモーション イベント 企画 eventmanagement messen pressestelle`,
    weakFields: `digital`,
    areas: `promotion promotions comunicaciones relações_públicas relaciones_públicas relations_presse relations_publiques relazioni_pubbliche relazioni_esterne pressearbeit
      presse_und_öffentlichkeitsarbeit customer_marketing customer_insights market_research marktforschung étude_de_marché investigación_de_mercados brand_management
      brand_marketing brandmanagement demand_generation influencer_marketing pers_en_communicatie halkla_ilişkiler sosyal_medya digital_marketing_* advertising_* messe_*
      relações_públicas_* etkinlik_* médias_sociaux medias_sociaux redes_sociales redes_sociais`,
    weakRoles: `promoter* promotor*`,
  },
  {
    of: 'sales',
    roles: `salesperson salesman saleswoman seller* sales_representative* sales_rep* sales_executive* sales_engineer* account_executive* account_manager* key_account* kam sdr
      bdr business_developer* sales_associate* sales_assistant* sales_consultant* sales_manager* sales_development* shop_assistant* store_manager* store_associate*
      cashier* merchandiser* telemarket* telesales* medical_representative* medical_rep medical_sales* presales* pre_sales* account_director* verkäufer* *verkäufer
      *verkäuferin vertriebler* *vertriebler handelsvertreter* vertriebsmitarbeiter* verkaufsberater* einzelhandelskaufmann* einzelhandelskauffrau filialleit* marktleiter*
      kaufmann_im_einzelhandel kauffrau_im_einzelhandel kassierer* vendeur* vendeuse* technico_commercial* commercial*_terrain attaché*_commercial* conseill*_de_vente
      conseill*_vente* conseill*_commercial* chargé*_d'affaires ingénieur_commercial* ingénieur_d'affaires chargé_d_affaires charge*_d_affaires ingenieur_d_affaires
      hôte*_de_caisse hotesse_de_caisse chef_de_rayon chef_des_ventes responsable_de_magasin vendedor* asesor*_comercial* asesor*_de_ventas ejecutiv*_de_ventas
      ejecutiv*_comercial* ejecutiv*_de_cuenta* representante_de_ventas agente_comercial agente_de_ventas promotor_de_ventas promotor*_de_vendas consultor*_comercial*
      consultor*_de_vendas representante_comercial executiv*_de_contas executiv*_de_vendas gerente_de_contas gerente_de_cuenta* cajer* encargad*_de_tienda gerente_de_loja
      gerente_de_tienda operador*_de_caixa venditor* commess* addett*_vendit* agente_di_commercio agente_commerciale account_commerciale impiegat*_commercial*
      responsabile_punto_vendita direttore_punto_vendita store_director* capo_area verkoper* *verkoper verkoopmedewerker* verkoopster winkelmedewerker* accountmanager*
      vertegenwoordiger* commercieel_medewerker* filiaalmanager* filiaalleider* winkelmanager* kassa* caissière sprzedawca* przedstawiciel_handlowy przedstawiciel*
      handlowiec* kierownik_sklepu kasjer* менеджер_по_продажам менеджер_по_работе_с_клиентами продавец* продавец_консультант торговый_представитель* кассир* товаровед*
      satış_temsilc* satış_danışman* satış_sorumlu* satış_uzman* kasiyer mağaza_müdür* مندوب_مبيعات مندوب* بائع* مسؤول_مبيعات مسيول_مبيعات 営業担当 営業マン 販売員 販売スタッフ 店長 店长 销售员
      销售代表 业务员 业务代表 客户经理 销售经理 导购 收银 营业员 大客户 account_representative* area_sales* regional_sales* territory_manager* insurance_agent* branch_sales* shop_manager* car_sales*
      client_advisor* dealer distributor* relationship_manager* client_partner* real_sales vendas_externas vendas_internas ventes_internes ejecutiv*_key_account
      sales_specialist* sales_coordinator* sales_support* sales_advisor* sales_agent* sales_officer* sales_supervisor* sales_director* sales_lead* sales_trainee*
      sales_administrator* sales_professional* sales_clerk* sales_analyst* inside_sales* field_sales* account_coordinator* account_specialist* account_supervisor*
      account_associate* business_manager* business_development_manager* bdm bde business_dev* store_supervisor* store_assistant* store_clerk* store_leader* shop_keeper*
      shopkeeper* floor_manager* retailer* stylist_advisor beauty_advisor* beauty_consultant* brand_promoter* promoter_sales fundraiser* auctioneer* vertriebsleit*
      vertriebsassist* vertriebsingenieur* vertriebsbeauftragt* vertriebsrepräsentant* vertriebspartner* vertriebsmanag* verkaufsleit* gebietsleit* gebietsverkaufs*
      bezirksleit* regionalverkauf* regionalvertrieb* verkaufsmitarbeit* verkaufsassist* verkaufsrepräsent* fachverkäuf* automobilverkäuf* automobilkauf*
      kaufmann_für_groß* kauffrau_für_groß* groß_und_außenhandel* einzelhandels* handelsfachwirt* handelsassist* handelsvertret* handelsagent* pharmareferent*
      accountmanagement storemanager* kundenmanager* commercial_sédentaire commerciale_sédentaire commercial_itinérant commerciale_itinérante commercial_b2b
      commercial_terrain télévendeu* télévente* télévendeur* vendeur*_conseil* conseill*_en_vente* responsable_grands_comptes responsable_de_secteur
      responsable_commercial* responsable_des_ventes responsable_de_compte* directeur_de_clientèle gestionnaire_de_comptes représentant* délégué*_commercial*
      délégué*_médical* assistant*_commercial* chef_de_secteur chef_de_ventes ingénieur*_commercial* ingénieur*_d'affaires responsable_boutique responsable_de_boutique
      adjoint*_magasin caissier* hôte_de_caisse développeur*_commercial* ejecutiv*_de_cuentas ejecutiv*_ventas asesor*_de_venta* asesor_venta* asistente_de_ventas
      auxiliar_de_ventas auxiliar_comercial gestor*_comercial* técnico_comercial técnic*_comercial delegad*_comercial* delegad*_de_ventas visitador*_médic*
      agente_de_venta* representante_de_venta* representante_de_vendas preventista* dependient* jefe_de_tienda jefe_de_zona supervisor*_de_ventas supervisor*_de_vendas
      coordinador*_de_ventas coordinador*_comercial* coordenador*_de_vendas coordenador*_comercial* gerente_de_ventas gerente_de_vendas gerente_regional_de_ventas
      gerente_de_negócios gerente_de_zona balconist* analista_comercial assistente_comercial auxiliar_de_vendas consultor_vendas televendas operador*_de_loja repositor*
      subgerente_de_loja propagandista* executiv*_comercial* rappresentant* agente_plurimandatario agente_monomandatario informator*_scientific* informatore_medico
      consulente_commerciale addett*_alle_vendite addett*_alla_vendita responsabile_commerciale responsabile_negozio responsabile_vendite direttore_vendite
      funzionari*_commercial* tecnico_commerciale banconist* cassier* commerciant* winkelier* winkelbediende* winkelverkoop* verkoopadvis* verkoopmanager* verkoopleid*
      verkoopbinnendienst* verkoopassist* salesmanager* salesmedewerk* sales_medewerk* rayonmanager* rayonleid* filiaalleid* filiaalchef* kassamedewerk* kassière
      bedrijfsleider_winkel commercieel_manager* relatiebeheerder* accountmanag* przedstawicielk* kierownik_sprzedaży kierownik_regionu doradca_handlow* doradca_sprzedaż*
      doradca_techniczno_handlow* specjalista_ds_sprzedaży specjalista_ds_handlowych sprzedawczyn* kierowniczka_sklepu zastępca_kierownika_sklepu ekspedient*
      opiekun_klienta менеджер_по_развитию менеджер_по_развитию_бизнеса менеджер_по_ключевым_клиентам менеджер_отдела_продаж менеджер_активных_продаж
      менеджер_торгового_зала специалист_по_продажам региональный_представитель* медицинский_представитель* администратор_магазина директор_магазина управляющий_магазином
      мерчендайзер* мерчандайзер* торговый_агент* супервайзер_продаж аккаунт_менеджер* территориальный_менеджер* satıcı* tezgahtar* satış_elemanı satış_müdür*
      satış_yönetic* satış_mühendis* satış_direktör* mağaza_yönetic* mağaza_sorumlu* plasiyer* müşteri_yönetic* saha_satış* tıbbi_satış* tıbbi_mümessil* bölge_satış*
      bölge_yönetic* مدير_مبيعات ممثل_مبيعات ممثل_تجاري بايع بايعه كاشير مندوب_تسويق اخصايي_مبيعات مدير_معرض مدير_فرع_مبيعات تاجر 販売職 店員 レジ セールスマネージャー 営業職 営業部 法人営業 営業事務
      アカウントマネージャー アカウントエグゼクティブ ショップ店員 海外営業 销售工程师 销售顾问 销售助理 销售主管 销售专员 销售总监 区域经理 大区经理 外贸* 商务经理 渠道经理 业务经理 业务主管 电话销售 医药代表 店员 售货员 促销员 导购员 业务助理 supervisor*_de_loja
      außendienstmitarb* innendienstmitarb* außendienstler* vertriebsinnendienstmitarb* tender_manager* tendermanag* bid_manager* consulent*_di_vendita consulent*_vendit*
      consulent*_commercial* abonnentenwerber* angebotskalkulator* angebotsmanager* antiquar* antiquitätenhändler* appointment_setter auktionator* avon_representative
      bezirksverkaufsleiter* bookseller buchhändler* car_rental_agent closer dealership_manager demonstrator detailhandelsassistent* detailhandelsfachfrau*
      detailhandelsfachmann* donor_relations drogist* einzelhändler* fuel_attendant fundraising_manager fundraising_officer fördermittelakquise* gas_station_attendant
      hawker händler* kassenkraft* kassenleiter* keyholder kioskbetreiber* kommissionär* kunsthändler* ladenbesitzer* ladenleiter* leiter_geschäftsentwicklung
      lernende_detailhandel manufacturers_agent markthändler* merchant mystery_shopper petrol_station_attendant propagandist* proposal_manager regalauffüller* rental_agent
      shelf_filler shelf_stacker shop_supervisor stallholder street_vendor supermarket_manager tankwart* teiledienst* ticket_agent versteigerer* vertreter* warenverräumer*
      wholesaler wine_merchant operações_comercia* négociant* retailsupport* conseiller*_de_vente floor_staff director*_de_cuentas listing_bd`,
    fields: `perakende mağazacılık großhandel wholesale sales *sales biz_dev bizdev business_development new_business commercial* retail revenue vertrieb* *vertrieb verkauf*
      handel* einzelhandel absatz vente ventes développement_commercial développement_des_affaires développement_d'affaires développement_d_affaires ventas comercial*
      vendas negócios desarrollo_de_negocio* desenvolvimento_de_negócio* novos_negócios vendite commerciale sviluppo_commerciale verkoop* commercieel* binnendienst
      buitendienst handlow* sprzedaż* продаж* сбыт* торгов* коммерческ* развити*_бизнеса satış* iş_geliştirme ticaret ticari مبيعات تجاري* تطوير_اعمال تطوير_الاعمال 営業 販売
      セールス 事業開発 销售 业务 商务 营业 客户开发 outside_sales channel* partnerships alliances export* exportación exportação fidelización store magasin tienda loja negozio mağaza winkel
      verkauf فرع متجر außenhandel detailhandel fundraising geschäftsentwicklung`,
    weakFields: `partner_manager* accounts venta`,
    areas: `retail_* business_development_* sales_operations revenue_operations revops sales_enablement area_manager_sales commercial_development business_developement trade
      grands_comptes grandes_cuentas grandes_contas grandi_clienti duże_klienty müşteri_kazanım lead_generation inside_sales key_accounts account_management channel_sales
      sales_management sales_marketing sales_&_marketing sales_and_marketing vertrieb_und_marketing ventas_y_marketing vendas_e_marketing verkauf_und_marketing
      sales_operations_* territory_* biz_dev_* einzelhandel_* key_account_manager_* ticari_* vertriebsinnendienst vertriebsaußendienst außendienst aussendienst innendienst
      sales_marketing_director sales_marketing_manager sales_marketing_* ключев*_клиент* client_solutions account_renewal* renewals_* expansión_de_negocio*
      expansão_de_negócio* شراكات investor_sales institutional_sales`,
  },
  {
    of: 'customer_success',
    roles: `support_specialist* support_agent* customer_advocate* onboarding_specialist* kundenbetreuer* téléconseiller* téléopérat* teleoperador* atendente* agente_de_atención
      asesor*_de_servicio operador*_de_telemarketing operador*_de_atendimento addett*_al_call_center klantadviseur* klantcontact* оператор_колл* специалист_поддержки
      guest_relation* passenger_service* teleoperator* télé_conseiller* téléconseill* call_agent* callcenteragent* kundenbetreuerin kundenberater_service* customer_agent*
      clients_happiness* customer_service_agent customer_advisor* client_advocate* medewerker_klantenservice klantmanager* telefonist* call_center_agent*
      operatore_call_center operatrice_call_center operatore_telefonic* operador*_telefónic* operador*_de_call_center agente_de_call_center asesor*_de_call_center
      asesor*_de_atención asesor*_de_servicio* ejecutiv*_de_atención chargé*_de_clientèle chargé*_de_relation_client* conseill*_clientèle conseill*_relation_client*
      gestionnaire_clientèle hotliner* müşteri_temsilc* teleoperatör çağrı_merkezi_görevlisi konsultant*_ds_obsługi konsultant*_telefoniczn* doradca_klienta
      مسؤول_خدمه_العملاء موظف_خدمه_عملاء オペレーター_コールセンター テレフォンオペレーター customer_service_officer member_advocate community_support_agent technical_account_manager*
      customer_success_account_manager* kundenberater* auskunftsangestellte* beschwerdemanager* complaints_handler csm implementation_manager implementation_specialist
      live_chat_agent serviceleiter* telefonagent* implementations_manager* implementation_manager*`,
    fields: `customer* client_experience member_services support_team beschwerdemanagement complaints`,
    weakFields: `support client* kunden* klient* клиент* müşteri* عملاء 客户 顧客`,
    areas: `customer_experience_* customer_success* customer_service* customer_support* customer_care* client_success* call_center* call_centre* callcenter* contact_center*
      contact_centre* client_service* client_services customer_relations* customer_experience cx client_experience client_onboarding customer_onboarding user_support
      client_support client_care customer_engagement customer_happiness customer_loyalty customer_operations kundenservice* kundendienst* kundensupport* kundenbetreuung*
      kundenzufriedenheit* kundenberatung service_center servicecenter* atendimento* service_client* service_clients service_à_la_clientèle relation_client relations_clients
      relation_clientèle expérience_client support_client support_clients satisfaction_client servicio_al_cliente servicios_al_cliente atención_al_cliente atención_a_clientes
      atención_al_usuario servicio_a_cliente* servicio_de_atención experiencia_del_cliente experiencia_de_cliente experiência_do_cliente suporte_ao_cliente sucesso_do_cliente
      relacionamento_com_o_cliente relacionamento_com_cliente* éxito_del_cliente centro_de_contacto central_de_atendimento assistenza_clienti servizio_clienti cura_del_cliente
      klantenservice* klantcontact* klantrelatie* klantbeleving obsług*_klienta obsług*_klientów biuro_obsługi поддержк*_клиент* поддержк*_пользовател* колл_центр* call_центр*
      контакт_центр* служба_поддержки клиентск*_сервис* клиентск*_поддержк* обслуживани*_клиент* работе_с_клиентами müşteri_hizmet* müşteri_ilişki* müşteri_deneyim*
      müşteri_memnuniyet* müşteri_destek* çağrı_merkez* خدمه_عملاء خدمه_العملاء علاقات_عملاء رضا_العملاء مركز_الاتصال カスタマーサポート カスタマーサクセス カスタマーサービス コールセンター お客様 顧客対応 客服* 客戶服務
      客户服务 客户成功 客户支持 售后* 呼叫中心 after_sales* aftersales* after_sale* sav service_après_vente posventa postventa pós_venda post_vendita оператор_call_*`,
  },
  {
    of: 'procurement',
    roles: `buyer* purchaser* sourcing_manager* sourcing_specialist* category_manager* strategic_sourcing einkäufer* acheteur* acheteuse* comprador* compratore buyer inkoper*
      zakupowiec* kupiec закупщик* менеджер_по_закупкам снабженец* satın_almacı 採购员 采购员 采购经理 采购工程师 バイヤー 購買担当 approvisionneur* vendor_manager* supplier_manager*
      cpo_procurement procurement_manager* procurement_specialist* procurement_officer* procurement_analyst* procurement_engineer* procurement_coordinator*
      procurement_lead* procurement_buyer* purchasing_manager* purchasing_agent* purchasing_officer* purchasing_assistant* purchase_manager* purchase_officer*
      purchase_executive* purchasing_specialist* sourcing_engineer* sourcing_analyst* sourcing_lead* commodity_manager* commodity_buyer* category_buyer* category_lead*
      category_specialist* assistant_buyer* senior_buyer* junior_buyer* strategic_buyer* technical_buyer* fashion_buyer* retail_buyer* contracts_and_procurement
      einkaufsleit* einkaufsmanag* einkaufssachbearb* einkaufsassist* einkaufsreferent* einkaufscontroll* einkaufsdirekt* einkaufs* beschaffungs* leiter_einkauf
      leiter_beschaffung bereichsleiter_einkauf warengruppenmanager* kategoriemanager* fachwirt_einkauf acheteu*_industriel* acheteu*_projet* acheteu*_public* acheteu*
      assistant*_achat* chargé*_d'achat* responsable_achat* responsable_des_achats responsable_approvisionnement* directeur_achat* directeur_des_achats
      directrice_des_achats chef_des_achats agent_d'approvisionnement gestionnaire_des_achats gestionnaire_achats gestionnaire_approvisionnement* approvisionneu*
      ingénieur*_achat* jefe_de_compras jefe_compras gerente_de_compras analista_de_compras analista_de_abastecimiento analista_de_adquisiciones asistente_de_compras
      auxiliar_de_compras coordinador*_de_compras encargad*_de_compras responsable_de_compras director*_de_compras técnico_de_compras gestor*_de_compras
      gerente_de_abastecimiento jefe_de_abastecimiento jefe_de_adquisiciones especialista_de_compras analista_de_suprimentos assistente_de_compras
      assistente_de_suprimentos coordenador*_de_compras coordenador*_de_suprimentos gerente_de_suprimentos supervisor*_de_compras supervisor*_de_suprimentos
      diretor*_de_compras diretor*_de_suprimentos especialista_em_compras especialista_em_suprimentos addett*_acquisti addett*_agli_acquisti addett*_ufficio_acquisti
      impiegat*_acquisti impiegat*_ufficio_acquisti responsabile_acquisti responsabile_degli_acquisti responsabile_ufficio_acquisti direttore_acquisti compratric*
      ufficio_acquisti approvvigionat* inkoopmanager* inkoopmedewerk* inkoopadvis* inkoopassist* inkoopspecialist* inkoopcoörd* inkoop* strategisch_inkoper*
      operationeel_inkoper* tactisch_inkoper* hoofd_inkoop kierownik_zakupów specjalista_ds_zakupów dyrektor_zakupów dyrektor_ds_zakupów kupiec* zaopatrzeniow*
      kierownik_zaopatrzenia zaopatrzeni* zakupy менеджер_по_снабжению менеджер_отдела_закупок начальник_отдела_закупок начальник_отдела_снабжения начальник_снабжения
      директор_по_закупкам руководитель_отдела_закупок специалист_по_снабжению специалист_отдела_закупок специалист_по_госзакупкам специалист_по_тендерам тендерн* байер*
      категорийн*_менеджер* снабжен* закупщи* satın_alma_müdür* satın_alma_uzman* satın_alma_sorumlu* satın_alma_yönetic* satın_alma_direktör* satın_alma_şef*
      kategori_müdür* kategori_yönetic* مدير_مشتريات مدير_المشتريات مسيول_مشتريات موظف_مشتريات مندوب_مشتريات اخصايي_مشتريات اخصايي_عقود_ومشتريات رييس_المشتريات ريس_مشتريات
      منسق_مشتريات مشترياتي 購買部 購買部長 調達部 調達担当 調達部長 資材* 資材調達 仕入担当 購買マネージャー マーチャンダイザー 采购主管 采购助理 采购总监 采购部经理 採購經理 採購專員 买手 供应商管理 招标* aankoop* *aankoop ausschreibungsmanager*
      beschaffer* buying_manager facheinkäufer* lieferantenmanager* tender_officer vergabereferent* vergabesachbearbeiterin* zentraleinkäufer*`,
    fields: `procurement purchasing sourcing einkauf* *einkauf beschaffung* achat* approvisionnement* compras adquisiciones suprimentos abastecimiento aprovisionamiento acquisti
      approvvigionament* inkoop* zakup* закуп* снабжен* satın_alma* satınalma* مشتريات 採購 采购 購買 調達 仕入 vendor_management supplier_* supply_manager* buying
      lieferantenmanagement materialbeschaffung vergabestelle`,
    areas: `purchasing_* procurement_* strategic_sourcing global_sourcing category_management supplier_management purchase purchases contract_procurement approvisionnements
      supplier_relations supply_management strategischer_einkauf operativer_einkauf purchase_* supplier_quality_* satınalma_*`,
  },
  {
    of: 'hospitality',
    roles: `bell* valet doorman front_office night_auditor sous_chef* chef_proprietor waiter* waitress* bartender* barista* barman barmaid chef cook* sous_chef executive_chef*
      chef_de_partie pastry_chef* housekeep* receptionist_hotel front_desk_hotel concierge* hotel_manager* restaurant_manager* hotelier* food_and_beverage*
      flight_attendant* cabin_crew* tour_guide* travel_agent* travel_consultant* travel_specialist* crew_member team_member host hostess kellner* koch köchin* küchenchef*
      hotelfach* hotelkaufmann* restaurantfach* barkeeper* reisebüro* reiseverkehr* flugbegleiter* serveur* serveuse* cuisinier* cuisinière* commis_de_cuisine
      chef_de_cuisine chef_de_rang chef_pâtissier pâtissier* boulanger* plongeur* réceptionniste_hôtel gouvernante* hôte*_de_l'air hôtesse* cociner* meser* camarer*
      camarero* jefe_de_cocina recepcionista_de_hotel azafat* chef_ejecutivo cozinheir* garçom garçonete camareir* gastrônom* comissári*_de_bordo cuoc* camerier* pizzaiol*
      pasticcer* receptionist_di_hotel portier* ober kok *kok serveerster horecamedewerk* barmedewerk* keukenhulp kelner* kucharz* kucharka recepcjonist*_hotel barmank*
      официант* повар* бармен* шеф_повар* бариста* горничн* администратор_гостиницы стюардесс* garson aşçı* barmen komi kat_görevlis* طباخ شيف نادل طاهي シェフ 調理師 調理 料理 コック
      ウェイター ホール 接客 厨师 服务员 厨师长 空乘 導遊 导游 banquet* sommelier* head_waiter maître_d'hôtel steward stewardess stewards bar_manager* bar_staff* bar_back barback line_cook*
      prep_cook* dishwasher* busser* food_server* server food_runner* caterer* baker* pastry* mixolog* room_attendant* housekeeping* guest_service* guest_experience*
      reservation_agent* tour_operator* tour_leader* tour_manager* tourist_guide* event_chef air_hostess* cabin_attendant* revenue_manager* night_manager* spa_manager*
      croupier* jungkoch* küchen* beikoch* restaurantleit* hotelleit* hotelmanag* hoteldirekt* hotelkauf* hotelbetriebswirt* rezeptionist*_hotel servicekraft
      servicemitarbeiter_gastr* restaurantmanag* barchef* barmann gastronom* gastwirt* konditor* zimmermädchen hausdame* reiseleit* reiseverkehrs* reiseberater*
      tourismuskauf* touristikkauf* flugbegleit* stewardess* systemgastronom* chef_de_cuisine* second_de_cuisine commis* employé*_de_restauration équipier*_polyvalent*
      plongeu* barmaid* barman* sommeli* hôtelier* directeur_d'hôtel directrice_d'hôtel responsable_restauration directeur_de_restaurant directeur_restaurant
      gérant*_restaurant réceptionniste* femme_de_chambre valet_de_chambre gouvernant* agent_de_voyage* conseill*_voyage* guide_touristique* guide_conférenci*
      accompagnat*_touris* hôtesse_de_l'air steward* pizzaïolo traiteur* ayudante_de_cocina jefe_de_sala chef_de_cocina mozo pasteler* repostero* panader* gerente_de_hotel
      director*_de_hotel gobernanta* recepcionista_hotel botones agente_de_viaje* asesor*_de_viaje* guía_turístic* guía_de_turismo técnico_en_turismo auxiliar_de_vuelo
      tripulante_de_cabina gerente_de_restaurante gerente_de_alimentos* chefe_de_cozinha auxiliar_de_cozinha ajudante_de_cozinha copeir* garçon* confeiteir* padeir*
      governanta* agente_de_viagens consultor*_de_viagens guia_de_turismo guia_turístic* comissári*_de_voo aux_cozinha churrasqueir* aiuto_cuoco commis_di_cucina pasticc*
      panettier* responsabile_di_sala lavapiatti direttore_d'albergo direttore_hotel albergator* ristorator* cameriera_ai_piani governante* agente_di_viaggi*
      consulente_di_viaggi* accompagnat*_turistic* guida_turistica assistente_di_volo animator*_turistic* keukenmedewerk* keukenassist* afwasser* bediening* serveer*
      barkeep* gastheer gastvrouw horeca* hotelreceptionist* reisagent* reisadvis* reisleid* gids toeristisch* cabinepersoneel* patissier* banketbakker* szef_kuchni
      pomoc_kuchenna kelnerk* cukierni* piekarz* kierownik_restauracji kierownik_hotelu menedżer_restauracji recepcjonist*_hotel* pokojow* pilot_wycieczek przewodni*
      agent_turystyczn* doradca_turystyczn* stewardes* су_шеф* пекарь* кондитер* управляющий_рестораном директор_ресторана администратор_ресторана менеджер_ресторана
      администратор_отеля менеджер_отеля управляющий_отелем хостес* турагент* менеджер_по_туризму экскурсовод* гид бортпроводник* baş_aşçı* şef_aşçı mutfak* pastacı*
      garson* barmen* restoran_müdür* restoran_şef* otel_müdür* ön_büro* kat_hizmet* kat_şef* tur_rehber* turist_rehber* turizm* kabin_memur* طاه طاهيه نادل* جرسون باريستا
      مدير_مطعم مدير_فندق موظف_استقبال_فندق مضيف_طيران مضيفه* مرشد_سياحي حلواني خباز 料理人 調理補助 パティシエ バリスタ バーテンダー ウェイトレス ホテルマン ホテルスタッフ フロントスタッフ ホテル支配人 旅行代理店 ツアーガイド 添乗員 客室乗務員
      キャビンアテンダント 板前 寿司職人 女将 飲食店 レストラン 厨师* 主厨 面点* 西点* 糕点* 咖啡师 调酒师 传菜 餐厅经理 餐饮经理 酒店经理 酒店前台 大堂经理 客房 领班 旅行顾问 旅游顾问 空姐 乘务员 计调 barista maitre_d souschef* airport_lounge_attendant
      animateur* bademeisterhotel* barfrau* barkellner* bedienung* bergführer* bodenstewardess* bookmaker buffetkraft* busboy butler cafe_manager camp_manager
      campingplatzleiter* chambermaid check_in_agent chefkoch* chefköchin* chefsteward* chefstewardess* chief_purser chocolatier chocolatier* cloakroom_attendant
      coffee_roaster counter_attendant demichef* diätkoch* duty_manager einlasskraft* etagenhilfe* eventgastronomie* fachkraft_im_gastgewerbe fahrkartenkontrolleur*
      fremdenführer* frühstückskraft* frühstücksservice* garderobenfrau* gästebetreuer* gästeführer* haushälter* hauswirtschafter* hauswirtschaftsleiter*
      hauswirtschaftsleitung* hiking_guide holiday_rep hüttenwart* innkeeper kantinenleiter* kinderanimateur* kochlehrling* leisure_centre_manager lunch_lady maid maître
      messehostess* mountain_guide museum_guide museumsführer* nachtportier* night_porter oberkellner* oberkellner_stellvertretend pit_boss pizzabäcker* platzanweiser*
      pool_attendant pub_manager purser purserette* reisebegleiter* restaurateur roomboy* safari_guide schaffner* schankkraft* serviceangestellte* servicefachangestellte*
      servicefachkraft* spa_attendant spielhallenaufsicht* spüler spülerin stadtführer* tea_taster teeverkoster* thekenbedienung* thekenkraft* theme_park_attendant
      ticket_inspector tourguide* tourist_information touristiker* touristikfachmann* train_attendant usher wanderführer* wirt wirtin zimmerfrau* zugbegleiter*
      resepsiyon_müdür* front_office_assistant_manager* front_office_manager*`,
    fields: `hotel* hospitality restaurant* f&b food_beverage tourism* tourisme turismo turizm* touristik gastronom* gastro catering horeca hotellerie hôtellerie hostelería
      hotelaria restauration* restauración restauração ristorazione alberghier* ristorant* hostel resort kitchen cuisine küche туризм* гостини* ресторан* otel* فندق* فنادق
      سياحه مطعم ホテル 飲食 旅館 酒店 餐饮 旅游 饭店 travel viajes viagens reisen food rooms rooms_division guest guests recreation* bar_service cabin_services casino gastgewerbe
      hauswirtschaft reservations`,
    areas: `catering_* kitchen_* food_service_* reservations_* travel_* cruise_* f&b_* resort_* casino_* otel_* seyahat_*`,
  },
  {
    of: 'real_estate',
    roles: `realtor* estate_agent* property_manager* property_consultant* letting* appraiser* land_surveyor_valuer immobilienmakler* immobilien* *makler_immobilien
      hausverwalter* agent_immobilier* négociat*_immobilier* conseill*_immobilier* agente_inmobiliari* asesor*_inmobiliari* corretor*_de_imóveis corretor*_imobiliári*
      consultor*_imobiliári* agente_immobiliare consulente_immobiliare makelaar* zarządca_nieruchomości pośrednik_nieruchomości риелтор* риэлтор* emlak* gayrimenkul*
      وسيط_عقاري مستشار_عقاري 不動産 房地产 房产 置业顾问 syndic facility_property* community_association_manager* leasing_agent* leasing_manager* leasing_consultant* landlord*
      asset_manager_real_estate valuation_surveyor* valuer* real_estate_appraiser* home_inspector* mortgage_realtor block_manager* lettings_manager* broker_associate*
      licensed_broker_real community_manager_property immobilienverwalt* immobilienkauf* immobilienberat* immobilienfach* immobilienmanag* immobilienbewert* makler_immob*
      mietverwalt* wohnungsverwalt* weg_verwalt* objektmanag* property_manag* vermiet* bauträg* agent*_immobilier* agent_commercial_immobilier* conseill*_en_immobilier*
      négociat*_en_immobilier gestionnaire_locati* gestionnaire_de_copro* gestionnaire_immobilier* gestionnaire_de_biens promoteu*_immobilier* mandataire_immobilier*
      administrateur_de_biens responsable_immobilier* directeur_immobilier diagnostiqueur_immobilier chargé*_de_gestion_locative corredor*_de_propiedades
      corredor*_inmobiliari* promotor*_inmobiliari* gestor*_inmobiliari* consultor*_inmobiliari* broker_inmobiliari* valuador* tasador* administrador*_de_fincas
      administrador*_de_propiedades martillero* ejecutiv*_inmobiliari* corretor*_de_imóve* gestor*_imobiliári* gerente_imobiliári* consultor*_de_imóveis
      avaliador*_de_imóveis administrador*_de_condomínio* síndico síndica incorporador* agente_imobiliári* analista_imobiliári* mediador*_imobiliári* agent*_immobiliar*
      consulente_immobiliar* amministrat*_di_condomini* amministratore_condominiale mediator*_immobiliar* gestore_immobiliare property_manager perito_immobiliare
      kandidaat_makelaar* assistent_makelaar* vastgoedmanag* taxateur* verhuurmakelaar* verhuurconsul* verhuurmedewerk* woonconsul* woningcorpor* pośredni*_nieruchomości
      pośredni* agent*_nieruchomości doradca_nieruchomości doradca_ds_nieruchomości rzeczoznawca_majątkowy rzeczoznawc* deweloper_nieruchomości риэлтер*
      агент_по_недвижимости специалист_по_недвижимости менеджер_по_недвижимости оценщик* девелопер* управляющий_недвижимостью emlakçı* site_yönetic* değerleme_uzman*
      مسوق_عقاري مدير_عقارات مطور_عقاري مقيم_عقاري سمسار* مدير_املاك تسويق_عقاري مبيعات_عقاريه 不動産営業 不動産* 宅建* 宅地建物取引士 不動産鑑定士 マンション管理 房产* 房地产* 地产* 置业* 物业经理 物业管理 物业主管 招商*
      租赁* 售楼 licensed_salesperson* licensed_real_estate* real_estate_salesperson* sales_associate_real_estate branch_manager_estate_agency building_manager centermanager*
      escrow_officer grundstücksmakler* home_stager land_agent leiter_liegenschaften liegenschaften* liegenschaftsverwalter* listing_agent objektbetreuer*
      right_of_way_agent title_agent`,
    fields: `property properties immobilier* inmobiliari* imobiliári* immobiliar* nieruchomości недвижимост* عقار* 物业 housing realty leasehold bienes_raíces propiedades
      propriedades hausverwaltung leasing liegenschaftsverwaltung wohnungswirtschaft`,
    areas: `leasing_* real_estate* property_* lettings vastgoed* 不動産 房地产 地产 物业管理 lettings_*`,
  },
];
