"""Names of columns in seven languages, folded (see `fold_label`), by the field that they stand for."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS: Mapping[str, str] = {
    "full": "fullname name contactname contact person displayname nomcomplet nomprenom vollstandigername nombrecompleto nomecompleto "
    "naam volledigenaam prospect lead prospectname leadname personname ansprechpartner",
    "first": "firstname givenname vorname prenom nombre primernombre nome voornaam fname forename first",
    "last": "lastname surname familyname nachname nom nomdefamille apellido apellidos cognome sobrenome achternaam lname zuname last",
    "email": "email emailaddress mail workemail businessemail personalemail emailprofessionnel correo correoelectronico courriel adresseemail "
    "emailadresse emailadres indirizzoemail enderecodeemail mailadresse contactemail primaryemail email1",
    "title": "title jobtitle position role fonction poste cargo puesto funktion stelle functie ruolo jobposition currenttitle "
    "positiontitle intitule funcao qualifica mansione beruf",
    "company": "company companyname organization organisation firma unternehmen societe entreprise empresa azienda bedrijf account "
    "accountname employer currentcompany organizationname organisationsname arbeitgeber firmenname raisonsociale",
    "domain": "website domain companydomain companywebsite web webseite siteweb sitioweb sitoweb homepage",
    "headline": "headline tagline linkedinheadline",
    "about": "about bio linkedinsummary aboutme",
    "location": "location place ort standort lieu ubicacion localizacao luogo locatie",
    "city": "city ville stadt ciudad cidade citta plaats town",
    "region": "state region province bundesland provincia estado regione provincie",
    "country": "country land pays pais paese countryregion",
    "linkedin": "linkedin linkedinurl linkedinprofile linkedinprofileurl profileurl personlinkedinurl profile url profillinkedin "
    "linkedinlink publicprofileurl contactlinkedinurl profil perfil",
    "linkedin_id": "linkedinid memberid linkedinmemberid",
    "industry": "industry branche secteur sector industria settore companyindustry",
    "size": "companysize employees numberofemployees mitarbeiter effectif headcount",
    "started": (
        "started startdate startedon since seit depuis startdatum jobstartdate positionstartdate rolestartdate "
        "currentjobstartdate datedebut fechadeinicio datadiinizio datadeinicio begindatum"
    ),
    "ended": "ended enddate endedon finishedon until bis enddatum datefin fechadefin datadifine datadefim einddatum",
    "period": "daterange jobdaterange dates period employmentperiod zeitraum periode periodo",
    "language": "language sprache langue idioma lingua taal preferredlanguage",
    "skills": "skills skill kenntnisse fahigkeiten competences competencias habilidades competenze vaardigheden",
    "school": "school university schule hochschule ecole universite escuela universidad scuola universita universiteit",
    "degree": "degree abschluss diplome titulacion laurea diploma opleiding",
    "post": "posttext postcontent latestpost lastpost recentpost",
    "post_date": "postdate postedat posttimestamp latestpostdate",
    "post_url": "posturl postlink latestposturl",
}
TARGET_OF: Mapping[str, str] = {label: target for target, labels in _WORDS.items() for label in labels.split()}
