"""Function words of four letters and more (folded) in seven languages: they name no subject."""

from __future__ import annotations

_BY_LANGUAGE = {
    "en": (
        "about above after again against also although always among another anyone anything because been before "
        "being below between both cannot could does doing done down during each either else enough even ever every "
        "everyone everything from further gets getting give given goes going gone have having here hers herself "
        "himself into itself just keep kept know less like little look made make many maybe mean might mine more "
        "most much must myself near need never next nobody none nothing only onto other others ours over part people "
        "perhaps quite rather really said same says seem seen shall should since some someone something soon still "
        "such take taken than that their them themselves then there these they thing things think this those though "
        "through time times today together told took toward towards under until upon used uses using very want wants "
        "well went were what when where whether which while will with within without would year years yesterday your "
        "first second third three four five seven eight nine yours yourself whom whose works work company companies customer customers month months week weeks"
    ),
    "de": (
        "aber alle allem allen aller alles also andere anderen auch auf aus beim bereits bevor bisher blieb bleibt "
        "damit dann daran darauf darum dass dein denn deren dessen deshalb dich diese diesem diesen dieser dieses "
        "doch dort durch eben eher eine einem einen einer eines einfach einmal etwas euch euer fast gegen geht "
        "genau gibt haben hatte hatten heute hier hinter ihnen ihre ihrem ihren ihrer immer indem jede jedem jeden "
        "jeder jedes jedoch jetzt kann kein keine keinen konnte konnen kommt machen macht mehr mein meine meinem "
        "meinen meiner muss mussen nach nicht nichts noch oder ohne schon sehr seine seinem seinen seiner seit selbst "
        "sich sind sollte soll sondern statt trotz uber unser unsere unseren unter viel viele vielleicht vier waren "
        "warum weil weiter welche wenn werden wieder will wird wirklich worden wurde wurden zwei zwischen jahr jahre "
        "jahren unternehmen kunden monat monaten monate wochen woche"
    ),
    "fr": (
        "afin ainsi alors apres aucun aussi autre autres avant avec avoir beaucoup bien cela celle celles celui "
        "ceux cette chaque chez comme comment contre dans depuis deja dont donc elle elles encore entre etait "
        "etaient etre faire fait faut juste leur leurs lors mais meme memes mieux moins notre nous parce parmi "
        "pendant peut peuvent plus plusieurs pour pourquoi puis quand quel quelle quelles quelque quelques quels quoi "
        "rien sans sera seulement sinon sont sous souvent suis sur tous tout toute toutes tres trop votre vous annee "
        "annees mois semaine semaines entreprise clients ans moyenne grace"
    ),
    "es": (
        "ahora algo alguien algunos algunas alla antes aqui aquel asi aunque bajo bien cada casi como con contra "
        "cual cuando cuanto dentro desde despues donde durante ellas ellos entonces entre eran eres esta estaba "
        "estado estamos estan estar este esto estos estas fue fueron gran hace hacer hacia hasta habia incluso luego "
        "mas menos mientras misma mismo mucha mucho muchos muy nada nadie nosotros nuestra nuestro otra otras otro "
        "otros para pero poco poner porque puede pueden pues quien sea sean segun sera siempre sido sobre solo somos "
        "son soy suya tambien tanto tener tenia tiene tienen toda todas todavia todo todos tras una unas unos usted "
        "vamos veces ano anos mes meses semana semanas empresa clientes dias"
    ),
    "pt": (
        "agora ainda algo alguem algum alguma alguns antes aonde apenas aquele aquela aqui assim ate bem cada coisa "
        "com como contra cada dela dele deles desde depois dessa desse desta deste disso durante elas eles entao "
        "entre era eram essa esse esses esta estao estar estava este estou fazer faz feito foi foram havia hoje isso "
        "isto mais mas melhor menos mesma mesmo muita muito muitos nada nao nem nenhum nossa nosso num numa nunca "
        "onde outra outras outro outros para pela pelo pelos pode podem porque pouco pois qual qualquer quando "
        "quanto quem sao seja sempre sera seus sobre sua suas talvez tambem tanto tem tenho ter tinha toda todas "
        "todo todos uma umas vai voce voces anos ano meses mes semana semanas empresa empresas clientes dias umas"
    ),
    "it": (
        "abbiamo adesso alcuni alla alle allora altra altre altri altro anche ancora anni anno avere aveva avevo "
        "avete bene bensi che chi come con contro cosa cose cosi cui dalla dalle dallo davanti dei del della delle "
        "dello dentro deve devono dopo dove dovrebbe due durante ecco era erano essere fare fatto fino fra fuori "
        "gia hanno infatti invece loro lungo mai meglio meno mentre mesi mese mia mio molta molti molto nei nella "
        "nelle nello nessuno niente noi nostra nostre nostri nostro nulla ogni oggi oltre ora per perche pero piu "
        "poco poi possono prima proprio puo qualche quale quali quando quanto quasi quella quelle quelli quello "
        "questa queste questi questo quindi saranno sempre senza sia siamo siete solo sono sopra sotto stata stati "
        "stato sua sue sugli sulla sulle suo suoi tra troppo tutta tutte tutti tutto una uno vengono verso viene "
        "volta volte settimana settimane azienda clienti giorni media"
    ),
    "nl": (
        "aan alle alleen alles als altijd andere ander anders beter bij binnen daar daarna daarom dacht deze "
        "dit doen door dus echt een eens eerst elke enkele erg even gaan gaat geen geven had hadden hebben hebt heeft "
        "heel hele hem hier hij hoe hun iemand iets ieder iedere jaar jaren jouw jullie kan keer komen komt kon konden "
        "krijgt kunnen laat maar maken maakt meer meest men met mijn minder moet moeten naar nadat niemand niet niets "
        "nodig nog nooit ook omdat onder ons onze onder over pas precies rond sinds soms staat steeds tegen terug "
        "tijdens toch toen tot tussen twee uit van vaak vanaf veel vind vindt vond voor voordat waar waarom wanneer "
        "wat weer weet wel welke werd werden wie wij wil wilde willen worden wordt zich zelf zijn zoals zonder zou "
        "zouden maand maanden week weken bedrijf bedrijven klanten dagen half"
    ),
}

STOP_WORDS = frozenset(word for words in _BY_LANGUAGE.values() for word in words.split())
