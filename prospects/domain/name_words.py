"""Words around names: titles, credentials, particles, nicknames, and the ways exports say "nobody"."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HONORIFICS = _words(
    "dr med prof professor mr mrs ms miss mx sir dame lord lady ing dipl-ing dipling mag herr frau hr fr mme mlle m "
    "sr sra srta dott dottssa avv dhr mevr ir drs rev hon univ habil iur jur phil rer nat oec"
) - {"m", "fr", "sr"}

CREDENTIALS = _words(
    "phd md mba msc bsc ma ba bs ms meng beng llm llb jd cfa cpa pmp psm csm cissp cisa cism frm acca aca cima ca "
    "ccna ccnp aws itil shrm-cp shrmcp shrmscp sphr phr cipd mcipd fcipd fd edd dba dphil mphil mpa mph mfa bfa pe "
    "rn np pa-c pac lcsw esq cspo safe spc six-sigma sixsigma cka ckad prince2 togaf mbe obe cbe frsa fca cmgr mcmi "
    "ceng miet mict citp fbcs mbcs cmc cgma ea cams cfp clu chfc cscp cpim cpsm mcips ccp cebs gphr emba mmath mres "
    "msci mstat mtech btech bcom mcom bca mca dipl-kfm diplkfm dipl-kffr diplkffr dipl-ing dipling mag bakk"
)

GENERATIONS = _words("jr sr ii iii iv junior senior filho neto júnior")

PARTICLES = _words(
    "de da do dos das del della delle dei di d' du des la le les los las van von vom zu zum zur der den dem ten ter "
    "te 't af av el al bin bint ibn abu ben bar mac st saint san santa y e und"
) - {"mac", "st", "e", "y", "und", "san", "santa", "saint"}

PRONOUNS = _words(
    "she her hers he him his they them theirs ze xe any all pronouns ella elle el él elles iel lui lei sie ihr er ihm "
    "ela ele zij haar hij hem hen hun"
)

NOBODY = frozenset(
    {
        "linkedin member",
        "membre linkedin",
        "membre de linkedin",
        "linkedin mitglied",
        "mitglied von linkedin",
        "miembro de linkedin",
        "usuario de linkedin",
        "membro do linkedin",
        "usuario do linkedin",
        "utente linkedin",
        "membro di linkedin",
        "linkedin lid",
        "linkedin gebruiker",
        "linkedin user",
        "utilisateur linkedin",
        "null",
        "none",
        "nan",
        "undefined",
        "unknown",
        "n a",
        "na",
        "not provided",
        "no name",
        "anonymous",
        "false",
        "ref",
    }
)

NICKNAMES: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in (
        "robert bob rob bobby robbie",
        "william bill will billy liam willem wilhelm",
        "richard dick rick rich ricky",
        "elizabeth liz beth eliza lisa betty elisabeth",
        "katherine kate katie kathy catherine cathy kathryn",
        "michael mike mick mickey michel miguel michele",
        "james jim jimmy jamie",
        "john jack johnny jon jonathan",
        "anthony tony antonio",
        "margaret maggie meg peggy greta",
        "alexander alex sasha sascha xander alexandra alexandre",
        "thomas tom tommy",
        "edward ed ted eddie eduardo eduard",
        "charles charlie chuck",
        "joseph joe joey giuseppe beppe pepe jose",
        "christopher chris kit",
        "christina chris tina christine",
        "daniel dan danny",
        "andrew andy drew",
        "matthew matt",
        "nicholas nick nico nicolas",
        "patricia pat patty trish",
        "samuel sam samantha",
        "benjamin ben benny",
        "stephen steve steven stephan stefan",
        "francisco paco francis frank francesco",
        "ignacio nacho",
        "maximilian max",
        "friedrich fritz",
        "johannes hans hannes",
        "susan sue suzanne susanne",
        "deborah debbie deb debra",
        "barbara barb",
        "timothy tim",
        "gregory greg",
        "jeffrey jeff geoffrey geoff",
        "kenneth ken kenny",
        "lawrence larry laurence",
        "ronald ron ronnie",
        "donald don donnie",
        "philip phil philippe",
        "peter pete",
        "dmitri dima dmitry dmitrij",
        "ekaterina katya",
    )
)

COMPOUND_SURNAMES = _words(
    "欧阳 歐陽 司马 司馬 上官 诸葛 諸葛 东方 東方 皇甫 尉迟 公孙 公孫 慕容 令狐 司徒 夏侯 长孙 宇文 端木 남궁 황보 제갈 선우 독고"
)
