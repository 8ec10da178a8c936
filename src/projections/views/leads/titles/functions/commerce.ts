import type { FunctionTerms } from './terms.ts';

export const commerce: readonly FunctionTerms[] = [
  {
    of: 'marketing',
    roles: `marketer* marketeer* marketing_manager* brand_manager* brand_ambassador* copywriter* seo_specialist* seo sem ppc
      social_media_manager* social_media_specialist* community_manager* content_creator* content_strategist* content_manager*
      content_marketing* growth_hacker* campaign_manager* publicist* spokes* pr_manager* media_planner* media_buyer*
      event_manager* event_planner* digital_marketer* marketing_executive* influencer* content_writer* pr_consultant*
      pressesprecher* *redakteur_marketing texter* werbetexter* mediaplaner* werbekaufmann* werbekauffrau eventmanager*
      *marketingmanager* chargé*_de_communication chargé*_de_marketing chargé*_marketing chargé*_de_com community_manageur*
      attaché*_de_presse gestor_de_redes gestor_de_tráfego analista_de_marketing marketólogo* mercadólog* publicitári*
      publicista* relações_públicas relaciones_públicas redactor_publicitario relator_público copywriter*
      маркетолог* пиарщик* копирайтер* смм* smm* таргетолог* рекламщик* pazarlamacı* مسوق* 企划 文案 市场专员 市场营销
      媒介 新媒体 マーケター 広報担当 ambassadeur_de_marque market_researcher* event_coordinator* events_coordinator*
      digital_strategist* brand_strategist* wedding_planner communications_specialist* account_planner* ecommerce_manager*
      promotor* promoter*`,
    fields: `marketing* *marketing mktg mktng mkt brand branding communications communication* comms kommunikation* pr
      public_relations press advertising ads advertisement werbung* publicité publicidad publicidade pubblicità reclame* reklam* pazarlama* tanıtım
      comunicación comunicação comunicazion* communicatie* komunikacj* маркетинг* коммуникаци* реклам* pr_* связям_с_общественностью
      связи_с_общественностью пиар* growth user_growth digital_media social_media content social events event événementiel* événements eventos
      eventi veranstaltung* kurumsal_iletişim iletişim تسويق علاقات_عامه اعلان* اتصال* マーケティング 広報 宣伝 販促 PR 市场 营销 品牌 公关
      推广 广告 传播 campaigns demand_generation crm seo* öffentlichkeitsarbeit presse unternehmenskommunikation redes_sociais
      redes_sociales mídias_sociais ecommerce e_commerce sponsorship* partnership_marketing copywriting marketingu
      partner_marketing go_to_market web_content digital_content medya_planlama`,
    weakFields: `digital customer_experience`,
  },
  {
    of: 'sales',
    roles: `salesperson salesman saleswoman seller* sales_representative* sales_rep* sales_executive* sales_engineer*
      account_executive* account_manager* key_account* kam sdr bdr business_developer* sales_associate* sales_assistant*
      sales_consultant* sales_manager* sales_development* shop_assistant* store_manager* store_associate* retail_*
      cashier* merchandiser* telemarket* telesales* medical_representative* medical_rep medical_sales* presales* pre_sales*
      account_director* verkäufer* *verkäufer *verkäuferin vertriebler* *vertriebler aussendienst* außendienst* kundenberater*
      handelsvertreter* vertriebsmitarbeiter* verkaufsberater* einzelhandelskaufmann* einzelhandelskauffrau filialleit*
      marktleiter* kaufmann_im_einzelhandel kauffrau_im_einzelhandel kassierer* vendeur* vendeuse* technico_commercial*
      commercial*_terrain attaché*_commercial* conseill*_de_vente conseill*_vente* conseill*_commercial* chargé*_d'affaires
      chargé*_de_clientèle ingénieur_commercial* ingénieur_d'affaires chargé_d_affaires charge*_d_affaires ingenieur_d_affaires
      hôte*_de_caisse hotesse_de_caisse chef_de_rayon chef_des_ventes responsable_de_magasin vendedor* asesor*_comercial*
      asesor*_de_ventas ejecutiv*_de_ventas ejecutiv*_comercial* ejecutiv*_de_cuenta* representante_de_ventas agente_comercial agente_de_ventas
      promotor_de_ventas promotor*_de_vendas consultor*_comercial* consultor*_de_vendas representante_comercial executiv*_de_contas executiv*_de_vendas
      gerente_de_contas gerente_de_cuenta* cajer* encargad*_de_tienda gerente_de_loja gerente_de_tienda operador*_de_caixa venditor* commess* addett*_vendit* agente_di_commercio agente_commerciale
      account_commerciale impiegat*_commercial* responsabile_punto_vendita direttore_punto_vendita store_director* capo_area
      verkoper* *verkoper verkoopmedewerker* verkoopster winkelmedewerker* accountmanager* vertegenwoordiger* commercieel_medewerker*
      filiaalmanager* filiaalleider* winkelmanager* kassa* caissière sprzedawca* przedstawiciel_handlowy przedstawiciel* handlowiec*
      doradca_klienta kierownik_sklepu kasjer* менеджер_по_продажам менеджер_по_работе_с_клиентами продавец* продавец_консультант
      торговый_представитель* кассир* товаровед* satış_temsilc* satış_danışman* satış_sorumlu* satış_uzman* kasiyer mağaza_müdür*
      müşteri_temsilc* bölge_müdür* مندوب_مبيعات مندوب* بائع* مسؤول_مبيعات مسيول_مبيعات 営業担当 営業マン 販売員 販売スタッフ 店長 店长 销售员 销售代表
      业务员 业务代表 客户经理 销售经理 导购 收银 营业员 大客户 account_representative* area_sales* regional_sales* territory_manager*
      insurance_agent* branch_sales* shop_manager* car_sales* client_advisor* dealer distributor* business_development_*
      relationship_manager* client_partner* real_sales vendas_externas vendas_internas ventes_internes ejecutiv*_key_account`,
    fields: `perakende mağazacılık großhandel wholesale sales *sales biz_dev bizdev business_development new_business commercial* retail revenue vertrieb* *vertrieb verkauf* handel* einzelhandel
      absatz vente ventes développement_commercial développement_des_affaires développement_d'affaires développement_d_affaires ventas
      comercial* vendas negócios desarrollo_de_negocio* desenvolvimento_de_negócio* novos_negócios vendite
      commerciale sviluppo_commerciale verkoop* commercieel* binnendienst buitendienst handlow* sprzedaż* продаж* сбыт* торгов* коммерческ* развити*_бизнеса
      satış* iş_geliştirme ticaret ticari مبيعات تجاري* تطوير_اعمال تطوير_الاعمال 営業 販売 セールス 事業開発 销售 业务 商务 营业 客户开发 outside_sales
      channel* partnerships alliances export* exportación exportação fidelización store magasin tienda loja negozio mağaza winkel`,
    weakFields: `partner_manager* accounts`,
  },
  {
    of: 'customer_success',
    roles: `customer_success* customer_service* customer_support* customer_care* client_success* call_center* call_centre*
      callcenter* contact_center* customer_experience_* client_service* customer_relations* support_specialist* support_agent*
      customer_advocate* onboarding_specialist* kundenbetreuer* kundenservice* kundendienst* kundensupport* téléconseiller*
      téléopérat* teleoperador* atendente* atendimento* service_client* servicio_al_cliente atención_al_cliente
      servicio_a_cliente* agente_de_atención asesor*_de_servicio operador*_de_telemarketing operador*_de_atendimento suporte_ao_cliente sucesso_do_cliente éxito_del_cliente
      addett*_al_call_center assistenza_clienti servizio_clienti customer_care klantenservice* klantadviseur* klantcontact* obsług*_klienta
      поддержк*_клиент* оператор_колл* колл_центр* специалист_поддержки служба_поддержки клиентск* müşteri_hizmet* müşteri_ilişki*
      müşteri_deneyim* çağrı_merkez* خدمه_عملاء خدمه_العملاء علاقات_عملاء カスタマーサポート カスタマーサクセス お客様 客服* 客户服务 客户成功
      guest_relation* passenger_service* after_sales* aftersales* service_après_vente posventa pós_venda kundenberatung client_relation*
      expérience_client relation_client customer_operations`,
    fields: `customer* client_experience member_services support_team`,
    weakFields: `support client* kunden* klient* клиент* müşteri* عملاء 客户 顧客`,
  },
  {
    of: 'procurement',
    roles: `buyer* purchaser* purchasing_* procurement_* sourcing_manager* sourcing_specialist* category_manager* strategic_sourcing
      einkäufer* acheteur* acheteuse* comprador* compratore buyer inkoper* zakupowiec* kupiec закупщик* менеджер_по_закупкам
      снабженец* satın_almacı 採购员 采购员 采购经理 采购工程师 バイヤー 購買担当 approvisionneur* vendor_manager* supplier_manager*`,
    fields: `procurement purchasing sourcing einkauf* *einkauf beschaffung* achat* approvisionnement* compras adquisiciones
      suprimentos abastecimiento aprovisionamiento acquisti approvvigionament* inkoop* zakup* закуп* снабжен* satın_alma* satınalma*
      مشتريات 採購 采购 購買 調達 仕入 vendor_management supplier_* supply_manager*`,
  },
  {
    of: 'hospitality',
    roles: `bell* valet doorman front_office night_auditor sous_chef* chef_proprietor waiter* waitress* bartender* barista* barman barmaid chef cook* sous_chef executive_chef* chef_de_partie pastry_chef*
      housekeep* receptionist_hotel front_desk_hotel concierge* hotel_manager* restaurant_manager* hotelier* food_and_beverage*
      flight_attendant* cabin_crew* tour_guide* travel_agent* travel_consultant* travel_specialist* crew_member team_member host hostess catering_* steward* kellner* koch köchin* küchenchef* hotelfach*
      hotelkaufmann* restaurantfach* barkeeper* reisebüro* reiseverkehr* flugbegleiter* serveur* serveuse* cuisinier* cuisinière*
      commis_de_cuisine chef_de_cuisine chef_de_rang chef_pâtissier pâtissier* boulanger* plongeur* réceptionniste_hôtel gouvernante* barmaid
      hôte*_de_l'air hôtesse* cociner* meser* camarer* camarero* jefe_de_cocina recepcionista_de_hotel azafat* chef_ejecutivo cozinheir* garçom garçonete
      camareir* gastrônom* comissári*_de_bordo cuoc* camerier* pizzaiol* pasticcer* barist* receptionist_di_hotel portier* chef_de_cuisine
      ober kok *kok serveerster horecamedewerk* barmedewerk* keukenhulp kelner* kucharz* kucharka recepcjonist*_hotel barmank* официант* повар* бармен*
      шеф_повар* бариста* горничн* администратор_гостиницы стюардесс* garson aşçı* barmen komi kat_görevlis* host* طباخ شيف نادل طاهي
      シェフ 調理師 調理 料理 コック ウェイター ホール 接客 厨师 服务员 厨师长 空乘 導遊 导游 kitchen_* banquet* sommelier* head_waiter maitre maître_d'hôtel`,
    fields: `hotel* hospitality restaurant* f&b food_beverage tourism* tourisme turismo turizm* touristik gastronom* gastro catering horeca hotellerie hôtellerie hostelería
      hotelaria restauration* restauración restauração ristorazione alberghier* ristorant* hostel resort kitchen cuisine küche туризм* гостини* ресторан*
      otel* فندق* فنادق سياحه مطعم ホテル 飲食 旅館 酒店 餐饮 旅游 饭店 travel viajes viagens reisen food`,
  },
  {
    of: 'real_estate',
    roles: `realtor* real_estate* estate_agent* property_manager* leasing_* property_consultant* letting* appraiser* land_surveyor_valuer
      immobilienmakler* immobilien* *makler_immobilien hausverwalter* agent_immobilier* négociat*_immobilier* conseill*_immobilier*
      agente_inmobiliari* asesor*_inmobiliari* corretor*_de_imóveis corretor*_imobiliári* consultor*_imobiliári* agente_immobiliare
      consulente_immobiliare makelaar* vastgoed* zarządca_nieruchomości pośrednik_nieruchomości риелтор* риэлтор* emlak* gayrimenkul* وسيط_عقاري
      مستشار_عقاري 不動産 房地产 房产 置业顾问 syndic facility_property* community_association_manager*`,
    fields: `property properties immobilier* inmobiliari* imobiliári* immobiliar* nieruchomości недвижимост* عقار* 物业 housing realty leasehold bienes_raíces`,
  },
];
