const list = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * 256 given names and 256 surnames. No word is a prefix of another, over both lists, so that `noraquill` can be
 * decoded unambiguously. Changes must preserve that (a test checks it).
 */
export const FIRST_NAMES = list(`
  nora ivan lena hugo mira dina yuki kofi emma liam noah zoe luca nina alma otto ines jana karl lars
  maya nils olga pablo quinn rosa sven tara umar vera wanda xenia yara zane aiden bella caleb diego
  elena fatma grace henry irene jonas kenji leila mateo nadia oskar petra rania simon tomas viola
  wayne yusuf zelda aaron becky clara dario edgar fiona gavin heidi jules katya logan mabel nigel
  olive perry rhea sofia tanya ulric vince willa yosef amina boris celia daria ewan felix gemma ilona
  jorge keiko lydia marco naomi orson paula raul selma theo udo vito wilma abel bruno chloe derek
  edith frida giles hanna igor kira leon moira nevin opal piotr rocco saul tilda uwe vanya zora adele
  basil cyrus dolly enzo flora greta holly imran jade kurt livia milo oona pia ravi stan vlad walt
  yael zack amos beth cleo dean elsa finn gwen hope iris jack kyle lola mona neil otis phil remy seth
  tina wade xena york zara agnes brett cindy dylan emil fern glen hazel ilse joan kevin lewis megan
  norma ollie pearl rufus sally terry vicky wendy yann zeno akira bilal chidi desta eddie farid gita
  hiro ibra jomo kwame ligia minh nikos priya ruben sana tariq uzma wafa xavi yemi zaid anouk bjorn
  ciara esra freya goran hilde ilias jelle kaisa lotte manu ngozi oleg pilar roald thijs una vesna
  wout zofia arlo bodhi cora dante edda fabio gael indra juno kaya lupe mace nell ozzy posy reed suki
  toby zuri amir bram cyd dov elio
`);

export const LAST_NAMES = list(`
  quill hess brook stone marsh novak petit lopez costa silva rossi bauer koch weber wolf klein lang
  braun krug vogt haas graf roth ernst frank voss busch kuhn jung horn moll pohl reich sato mori kato
  ito ueda ono hara kubo nagai okada chen wang zhao liang huang tran pham bui singh patel gupta mehta
  rao khan malik shah das bose okoro adeyi mensa diop sow keita toure bello musa sani kamau njoro
  achen sorov popov orlov belov kozak levko hruby cerny maly urban kral nagy toth szabo varga kiss
  horia popa ionel radu dinu kovac horva babic juric maric perez gomez diaz ruiz vega cruz reyes ortiz
  ramos rojas soto lima melo dias pinto rocha nunes reis matos barro lund berg dahl holm strom vik
  moen haug lie foss bakke virta laine salo maki niemi korhi smith jones brown evans king hill wood
  hall green baker scott adams nash mills fox webb ford cole gray boyd hunt west lowe pope tate ash
  birch cedar elm larch maple oak pine sage thorn yew flint slate ridge vale dell moor heath beach
  coast shore creek river lake pond bay cape cliff crane finch hawk heron jay kite merle owl raven
  robin swan swift wrenn byrne doyle duffy kelly lynch nolan ryan walsh burke casey daly egan flood
  garde haley irwin joyce keane leary moran niall oshea power regan shea tully yates blanc duval faure
  girod joly leroy quere renau tessi ungar vidal weiss zidi amato bassi conti drago greco iorio longo
  negri orsi ricci sanna testa urso
`);

/** 127 endings of two or three letters; with none and the numbers 1 to 896 they form 1024 tails. */
export const ENDINGS = list(`
  tv hq art dj lab ink fm pro fan fit gym run ski sea sun sky zen zip pod mix map mom dad boy gal man
  kid cat dog bee ant emu yak elk cod eel ray bay oak ash gem ivy fig tea pie jam bun rye oat nut egg
  ham soy pea rum gin ale bar inn pub spa zoo den hub web net dev app bit hex ram cpu usb gfx css sql
  api ops sec irl afk gg ez op xp hp mp uk us de fr es it pt nl ca au jp nyc la sf ldn ber par rio mex
  tlv phd md rn jr sr ii iii xx xo ox yo hey hi oh ah mr ms dr sir ace
`);
