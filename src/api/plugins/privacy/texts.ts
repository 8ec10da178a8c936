/** What `/privacy` says, in each of its languages. */

import type { Act } from '../../../crawlers/live-read/ownership.ts';
import type { Outcome } from '../../../operations/subjects/own-hand.ts';

/** Languages by their own names. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  it: 'Italiano',
} as const;

export type Language = keyof typeof LANGUAGES;

/** In texts, `{…}` stands for what the page knows: an account, a code, a time, days. */
export interface Texts {
  readonly title: string;
  readonly intro: string;
  readonly platform: string;
  readonly account: string;
  readonly act: string;
  readonly acts: Readonly<Record<Act, string>>;
  readonly next: string;
  readonly codeTitle: string;
  readonly codeHelp: string;
  readonly check: string;
  readonly download: string;
  readonly askTitle: string;
  readonly askHelp: string;
  readonly contact: string;
  readonly send: string;
  readonly asked: string;
  readonly back: string;
  readonly faults: Readonly<Record<'account' | 'form' | 'platform' | 'later' | 'contact', string>>;
  readonly outcomes: Readonly<Record<Outcome['is'], string>>;
}

const en: Texts = {
  title: 'Your account in this catalog',
  intro:
    'This service keeps public profiles. Prove that an account is yours, and hide and erase it, or get a copy of what is kept. An erasure and a copy take {days} days, in which you can undo them.',
  platform: 'Platform',
  account: 'Account (name or address of the profile)',
  act: 'What you want',
  acts: {
    erase: 'Hide it now, and erase it for good',
    export: 'Get a copy of everything that is kept about it',
    undo: 'Undo what I asked for',
  },
  next: 'Continue',
  codeTitle: 'Show this code in the bio of {account}',
  codeHelp:
    'Only the bio counts, and no post. Nobody should ask you to show such a code: whoever does wants to use your account. It is valid in this browser until {time}, and counts once. You can remove it afterwards.',
  check: 'The bio shows it: check now',
  download: 'Download the copy',
  askTitle: 'Ask the operator about {account}',
  askHelp:
    'This page can’t check the account: the platform does not show enough of it. Say how the operator can reach you, and you will be told how to prove that it is yours.',
  contact: 'How to reach you',
  send: 'Send',
  asked: 'The operator has your request.',
  back: 'Back to the start',
  faults: {
    account: 'This is no account of the platform.',
    form: 'This form is too old, or your browser sent no cookie. Begin again.',
    platform: 'The platform did not answer. Wait a little, and check again: the code stays valid.',
    later: 'This does not work at the moment. Try again later.',
    contact: 'Say how to reach you, in at most 200 characters.',
  },
  outcomes: {
    hidden:
      'The account is hidden within a minute. It will be erased on {time}; until then you can undo it here.',
    erased: 'The account was erased before.',
    ready_later: 'The copy will be ready on {time}. Come back with this browser, or prove the account again.',
    ready: 'The copy is ready.',
    shown:
      'It is undone. The account may be read again, and what was known of it comes back within two days.',
    no_code: 'The bio does not show the code. Platforms may take a minute: check again.',
    expired: 'The code is older than an hour. Begin again.',
    used: 'The code has counted already. Begin again.',
    too_many: 'Too many attempts. Try again in an hour.',
    nothing_to_undo: 'There is nothing here that you could undo.',
    ask: 'The platform does not show enough of this account.',
  },
};

const de: Texts = {
  title: 'Ihr Konto in diesem Verzeichnis',
  intro:
    'Dieser Dienst bewahrt öffentliche Profile auf. Weisen Sie nach, dass ein Konto Ihres ist: Dann können Sie es verbergen und löschen oder eine Kopie des Gespeicherten erhalten. Löschung und Kopie brauchen {days} Tage, in denen Sie sie widerrufen können.',
  platform: 'Plattform',
  account: 'Konto (Name oder Adresse des Profils)',
  act: 'Was Sie möchten',
  acts: {
    erase: 'Jetzt verbergen und endgültig löschen',
    export: 'Eine Kopie von allem, was darüber gespeichert ist',
    undo: 'Widerrufen, worum ich gebeten habe',
  },
  next: 'Weiter',
  codeTitle: 'Zeigen Sie diesen Code in der Biografie von {account}',
  codeHelp:
    'Nur die Biografie zählt, kein Beitrag. Niemand sollte Sie bitten, einen solchen Code zu zeigen: Wer das tut, will Ihr Konto benutzen. Er gilt in diesem Browser bis {time} und zählt einmal. Danach können Sie ihn entfernen.',
  check: 'Die Biografie zeigt ihn: jetzt prüfen',
  download: 'Kopie herunterladen',
  askTitle: 'Den Betreiber zu {account} fragen',
  askHelp:
    'Diese Seite kann das Konto nicht prüfen: Die Plattform zeigt nicht genug davon. Sagen Sie, wie der Betreiber Sie erreicht; er sagt Ihnen, wie Sie nachweisen, dass es Ihres ist.',
  contact: 'Wie man Sie erreicht',
  send: 'Senden',
  asked: 'Der Betreiber hat Ihre Anfrage.',
  back: 'Zum Anfang',
  faults: {
    account: 'Das ist kein Konto der Plattform.',
    form: 'Das Formular ist zu alt, oder Ihr Browser hat kein Cookie gesendet. Beginnen Sie neu.',
    platform:
      'Die Plattform hat nicht geantwortet. Warten Sie etwas und prüfen Sie erneut: Der Code bleibt gültig.',
    later: 'Das geht im Augenblick nicht. Versuchen Sie es später.',
    contact: 'Sagen Sie in höchstens 200 Zeichen, wie man Sie erreicht.',
  },
  outcomes: {
    hidden:
      'Das Konto ist binnen einer Minute verborgen. Es wird am {time} gelöscht; bis dahin können Sie es hier widerrufen.',
    erased: 'Das Konto wurde schon gelöscht.',
    ready_later:
      'Die Kopie ist am {time} bereit. Kommen Sie mit diesem Browser wieder, oder weisen Sie das Konto erneut nach.',
    ready: 'Die Kopie ist bereit.',
    shown:
      'Es ist widerrufen. Das Konto darf wieder gelesen werden; was bekannt war, kommt binnen zwei Tagen zurück.',
    no_code:
      'Die Biografie zeigt den Code nicht. Plattformen brauchen manchmal eine Minute: Prüfen Sie erneut.',
    expired: 'Der Code ist älter als eine Stunde. Beginnen Sie neu.',
    used: 'Der Code hat schon gezählt. Beginnen Sie neu.',
    too_many: 'Zu viele Versuche. Versuchen Sie es in einer Stunde wieder.',
    nothing_to_undo: 'Hier ist nichts, was Sie widerrufen könnten.',
    ask: 'Die Plattform zeigt nicht genug von diesem Konto.',
  },
};

const fr: Texts = {
  title: 'Votre compte dans ce catalogue',
  intro:
    'Ce service conserve des profils publics. Prouvez qu’un compte est le vôtre pour le masquer et l’effacer, ou pour obtenir une copie de ce qui est conservé. L’effacement et la copie prennent {days} jours, pendant lesquels vous pouvez les annuler.',
  platform: 'Plateforme',
  account: 'Compte (nom ou adresse du profil)',
  act: 'Ce que vous voulez',
  acts: {
    erase: 'Le masquer maintenant et l’effacer définitivement',
    export: 'Obtenir une copie de tout ce qui est conservé',
    undo: 'Annuler ma demande',
  },
  next: 'Continuer',
  codeTitle: 'Affichez ce code dans la bio de {account}',
  codeHelp:
    'Seule la bio compte, pas une publication. Personne ne devrait vous demander d’afficher un tel code : qui le fait veut se servir de votre compte. Il est valable dans ce navigateur jusqu’au {time} et compte une fois. Vous pourrez ensuite le retirer.',
  check: 'La bio l’affiche : vérifier',
  download: 'Télécharger la copie',
  askTitle: 'Interroger l’exploitant au sujet de {account}',
  askHelp:
    'Cette page ne peut pas vérifier le compte : la plateforme n’en montre pas assez. Dites comment vous joindre ; l’exploitant vous dira comment prouver qu’il est le vôtre.',
  contact: 'Comment vous joindre',
  send: 'Envoyer',
  asked: 'L’exploitant a reçu votre demande.',
  back: 'Retour au début',
  faults: {
    account: 'Ce n’est pas un compte de cette plateforme.',
    form: 'Ce formulaire est trop ancien, ou votre navigateur n’a pas envoyé de cookie. Recommencez.',
    platform:
      'La plateforme n’a pas répondu. Attendez un peu et vérifiez de nouveau : le code reste valable.',
    later: 'Cela ne fonctionne pas pour le moment. Réessayez plus tard.',
    contact: 'Dites comment vous joindre, en 200 caractères au plus.',
  },
  outcomes: {
    hidden:
      'Le compte sera masqué en moins d’une minute. Il sera effacé le {time} ; d’ici là, vous pouvez annuler ici.',
    erased: 'Le compte a déjà été effacé.',
    ready_later:
      'La copie sera prête le {time}. Revenez avec ce navigateur, ou prouvez de nouveau que le compte est le vôtre.',
    ready: 'La copie est prête.',
    shown:
      'C’est annulé. Le compte peut être lu de nouveau ; ce qui en était connu revient en moins de deux jours.',
    no_code: 'La bio n’affiche pas le code. Cela peut prendre une minute : vérifiez de nouveau.',
    expired: 'Le code a plus d’une heure. Recommencez.',
    used: 'Le code a déjà compté. Recommencez.',
    too_many: 'Trop d’essais. Réessayez dans une heure.',
    nothing_to_undo: 'Il n’y a rien ici que vous puissiez annuler.',
    ask: 'La plateforme ne montre pas assez de ce compte.',
  },
};

const es: Texts = {
  title: 'Su cuenta en este catálogo',
  intro:
    'Este servicio guarda perfiles públicos. Demuestre que una cuenta es suya para ocultarla y borrarla, o para obtener una copia de lo guardado. El borrado y la copia tardan {days} días, en los que puede anularlos.',
  platform: 'Plataforma',
  account: 'Cuenta (nombre o dirección del perfil)',
  act: 'Qué desea',
  acts: {
    erase: 'Ocultarla ahora y borrarla para siempre',
    export: 'Obtener una copia de todo lo guardado',
    undo: 'Anular lo que pedí',
  },
  next: 'Continuar',
  codeTitle: 'Muestre este código en la biografía de {account}',
  codeHelp:
    'Solo cuenta la biografía, no una publicación. Nadie debería pedirle que muestre un código así: quien lo hace quiere usar su cuenta. Vale en este navegador hasta {time} y cuenta una vez. Después puede quitarlo.',
  check: 'La biografía lo muestra: comprobar',
  download: 'Descargar la copia',
  askTitle: 'Preguntar al operador por {account}',
  askHelp:
    'Esta página no puede comprobar la cuenta: la plataforma no muestra lo suficiente. Diga cómo contactarle; el operador le dirá cómo demostrar que es suya.',
  contact: 'Cómo contactarle',
  send: 'Enviar',
  asked: 'El operador tiene su solicitud.',
  back: 'Volver al inicio',
  faults: {
    account: 'No es una cuenta de la plataforma.',
    form: 'El formulario es demasiado antiguo, o su navegador no envió la cookie. Empiece de nuevo.',
    platform:
      'La plataforma no respondió. Espere un poco y compruebe otra vez: el código sigue siendo válido.',
    later: 'Ahora no funciona. Inténtelo más tarde.',
    contact: 'Diga cómo contactarle, en 200 caracteres como máximo.',
  },
  outcomes: {
    hidden:
      'La cuenta se oculta en menos de un minuto. Se borrará el {time}; hasta entonces puede anularlo aquí.',
    erased: 'La cuenta ya se borró.',
    ready_later: 'La copia estará lista el {time}. Vuelva con este navegador o demuestre otra vez la cuenta.',
    ready: 'La copia está lista.',
    shown: 'Está anulado. La cuenta puede leerse de nuevo, y lo que se sabía vuelve en menos de dos días.',
    no_code: 'La biografía no muestra el código. Puede tardar un minuto: compruebe otra vez.',
    expired: 'El código tiene más de una hora. Empiece de nuevo.',
    used: 'El código ya contó. Empiece de nuevo.',
    too_many: 'Demasiados intentos. Inténtelo en una hora.',
    nothing_to_undo: 'Aquí no hay nada que pueda anular.',
    ask: 'La plataforma no muestra lo suficiente de esta cuenta.',
  },
};

const pt: Texts = {
  title: 'A sua conta neste catálogo',
  intro:
    'Este serviço guarda perfis públicos. Prove que uma conta é sua para a ocultar e apagar, ou para obter uma cópia do que está guardado. O apagamento e a cópia demoram {days} dias, nos quais os pode anular.',
  platform: 'Plataforma',
  account: 'Conta (nome ou endereço do perfil)',
  act: 'O que pretende',
  acts: {
    erase: 'Ocultá-la agora e apagá-la para sempre',
    export: 'Obter uma cópia de tudo o que está guardado',
    undo: 'Anular o que pedi',
  },
  next: 'Continuar',
  codeTitle: 'Mostre este código na biografia de {account}',
  codeHelp:
    'Só a biografia conta, não uma publicação. Ninguém deve pedir-lhe que mostre um código destes: quem o faz quer usar a sua conta. Vale neste navegador até {time} e conta uma vez. Depois pode retirá-lo.',
  check: 'A biografia mostra-o: verificar',
  download: 'Descarregar a cópia',
  askTitle: 'Perguntar ao operador sobre {account}',
  askHelp:
    'Esta página não consegue verificar a conta: a plataforma não mostra o suficiente. Diga como o contactar; o operador dir-lhe-á como provar que é sua.',
  contact: 'Como o contactar',
  send: 'Enviar',
  asked: 'O operador tem o seu pedido.',
  back: 'Voltar ao início',
  faults: {
    account: 'Não é uma conta da plataforma.',
    form: 'O formulário é demasiado antigo, ou o navegador não enviou o cookie. Comece de novo.',
    platform: 'A plataforma não respondeu. Espere um pouco e verifique de novo: o código continua válido.',
    later: 'De momento não funciona. Tente mais tarde.',
    contact: 'Diga como o contactar, em 200 caracteres no máximo.',
  },
  outcomes: {
    hidden: 'A conta fica oculta em menos de um minuto. Será apagada em {time}; até lá pode anular aqui.',
    erased: 'A conta já foi apagada.',
    ready_later: 'A cópia estará pronta em {time}. Volte com este navegador ou prove de novo a conta.',
    ready: 'A cópia está pronta.',
    shown: 'Está anulado. A conta pode ser lida de novo, e o que se sabia volta em menos de dois dias.',
    no_code: 'A biografia não mostra o código. Pode demorar um minuto: verifique de novo.',
    expired: 'O código tem mais de uma hora. Comece de novo.',
    used: 'O código já contou. Comece de novo.',
    too_many: 'Demasiadas tentativas. Tente daqui a uma hora.',
    nothing_to_undo: 'Não há aqui nada que possa anular.',
    ask: 'A plataforma não mostra o suficiente desta conta.',
  },
};

const it: Texts = {
  title: 'Il suo account in questo catalogo',
  intro:
    'Questo servizio conserva profili pubblici. Dimostri che un account è suo per nasconderlo e cancellarlo, o per avere una copia di ciò che è conservato. La cancellazione e la copia richiedono {days} giorni, nei quali può annullarle.',
  platform: 'Piattaforma',
  account: 'Account (nome o indirizzo del profilo)',
  act: 'Che cosa desidera',
  acts: {
    erase: 'Nasconderlo ora e cancellarlo per sempre',
    export: 'Avere una copia di tutto ciò che è conservato',
    undo: 'Annullare la mia richiesta',
  },
  next: 'Continua',
  codeTitle: 'Mostri questo codice nella bio di {account}',
  codeHelp:
    'Conta solo la bio, non un post. Nessuno dovrebbe chiederle di mostrare un codice così: chi lo fa vuole usare il suo account. Vale in questo browser fino a {time} e conta una volta. Poi può toglierlo.',
  check: 'La bio lo mostra: verifica',
  download: 'Scarica la copia',
  askTitle: 'Chiedere al gestore di {account}',
  askHelp:
    'Questa pagina non può verificare l’account: la piattaforma non ne mostra abbastanza. Dica come contattarla; il gestore le dirà come dimostrare che è suo.',
  contact: 'Come contattarla',
  send: 'Invia',
  asked: 'Il gestore ha la sua richiesta.',
  back: 'Torna all’inizio',
  faults: {
    account: 'Non è un account della piattaforma.',
    form: 'Il modulo è troppo vecchio, o il browser non ha inviato il cookie. Ricominci.',
    platform: 'La piattaforma non ha risposto. Aspetti un po’ e verifichi di nuovo: il codice resta valido.',
    later: 'Al momento non funziona. Riprovi più tardi.',
    contact: 'Dica come contattarla, in 200 caratteri al massimo.',
  },
  outcomes: {
    hidden:
      'L’account è nascosto entro un minuto. Sarà cancellato il {time}; fino ad allora può annullare qui.',
    erased: 'L’account è già stato cancellato.',
    ready_later: 'La copia sarà pronta il {time}. Torni con questo browser o dimostri di nuovo l’account.',
    ready: 'La copia è pronta.',
    shown: 'È annullato. L’account può essere letto di nuovo; ciò che se ne sapeva torna entro due giorni.',
    no_code: 'La bio non mostra il codice. Può servire un minuto: verifichi di nuovo.',
    expired: 'Il codice ha più di un’ora. Ricominci.',
    used: 'Il codice ha già contato. Ricominci.',
    too_many: 'Troppi tentativi. Riprovi tra un’ora.',
    nothing_to_undo: 'Qui non c’è nulla che possa annullare.',
    ask: 'La piattaforma non mostra abbastanza di questo account.',
  },
};

export const TEXTS: Readonly<Record<Language, Texts>> = { en, de, fr, es, pt, it };
