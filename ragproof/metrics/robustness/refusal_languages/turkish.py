"""How Turkish declines: the negation is a suffix, the verb comes last ("yer almıyor", "yardımcı olamam")."""

from ragproof.metrics.robustness.refusal_languages.phrasebook import Phrasebook

_PIECES = {
    "evidence_in": r"""
        (?<!\w)(metin|metn|bağlam|belge|doküman|kaynak|kaynağ|pasaj|parça|paragraf|bölüm|içerik|içeriğ\
            |materyal|kitab|kitap|kılavuz|rehber|bilgi|taban
        banka|makale|dosya|alıntı|rapor|yazı|sonuç|kesit|pdf)\w*?'?(de|da|te|ta|den|dan|ten|tan)(ki)?(?!\w)
        (metnin|belgenin|belgelerin|bağlamın|kaynakların|içeriğin) (\w+ )?(yerinde|hiçbirinde|içinde)\
            |(bilgilerle|verilerle|metinle|belgelerle|kaynaklarla|bağlamla)
    """,
    "evidence": r"""
        (?<!\w)(metin\w*|metn\w*|bağlam\w*|belge\w*|doküman\w*|kaynak\w*|kaynağ\w*|pasaj\w*|parça\w*\
            |paragraf\w*|bölüm\w*|içerik\w*|içeriğ\w*|materyal\w*
        (el )?kitab\w*|kitapçı\w*|kılavuz\w*|rehber\w*|bilgi (taban|bankas)\w*|veri ?taban\w*|makale\w*\
            |dosya\w*|alıntı\w*|rapor\w*|yazı\w*
        (sağlanan|verilen|mevcut|eldeki|sunulan|elimdeki|paylaşılan|getirilen) (bilgi|veri)\w*|arama sonuç\w*\
            |doküm?an\w*|kesit\w*)
    """,
    "info": r"""
        (bilgi|yanıt|yanıtı|cevap|cevab|ifade|veri|ayrıntı|detay|kayıt|kayd|atıf|açıklama|ipucu|referans\
            |içerik|bahis|şey|ibare|belirti|sonuç|dair|yeterli)\w*
    """,
    "not_said": r"""
        (belirtmi(yor|yorlar)|belirtmemiş\w*|bahsetmi(yor|yorlar)|bahsetmemiş\w*|değinmi(yor|yorlar)\
            |değinmemiş\w*|söylemiyor\w*|açıklamıyor\w*|söz etmiyor\w*|ele almıyor\w*|aydınlatmıyor\w*\
            |netleştirmiyor\w*|açıklık getirmiyor\w*|kapsamıyor\w*|kapsamamakta\w*|yanıtlamıyor\w*\
            |cevaplamıyor\w*
        (cevap|yanıt|bilgi|ayrıntı|açıklama) (vermi\w+|vermemekte\w*|sunmu\w+|sunmamakta\w*|içermi\w+\
            |içermemekte\w*|sağlamıyor\w*)|yetersiz\w*|yeterli değil\w*|(ilgili|alakalı|ilişkili\
            |uygun) değil\w*|izin vermiyor|olanak tanımıyor|sessiz\w*)
    """,
    "not_told": r"""
        <not_said>
        (yer (almıyor|almamakta\w*|almamış\w*|almaz|verilmemiş\w*|verilmiyor)|bulun(muyor|mamakta\w*|amadı\
            |mamış\w*|maz|amıyor|amamış\w*|amamakta\w*)|belirtil(memiş\w*|miyor|memekte\w*|mez)|belirtmiyor\
            |belirtmemiş\w*
        bahsedil(miyor|memiş\w*|memekte\w*)|bahsetmi(yor|yorlar)|bahsetmemiş\w*|bahsi geçm\w+\
            |değinil(memiş\w*|miyor|memekte\w*)|değinmiyor\w*|değinmemiş\w*|geçmiyor\w*|geçmemekte\w*\
            |söylemiyor|söylenmiyor|söylenmemiş\w*|açıklan(mamış\w*|mıyor|mamakta\w*)|açıklamıyor
        söz edil(miyor|memiş\w*|memekte\w*)|söz etmiyor|belli değil\w*|anlaşılmıyor|anlaşılamıyor\
            |net değil\w*|açık değil\w*|ele alınm[ıa]\w+|ele almıyor|kapsa(mıyor|mamakta\w*|nmıyor)\
            |yanıtla(mıyor|nmıyor|namaz|namıyor|nmamış\w*)|cevapla(mıyor|nmıyor|namaz|namıyor)
        (cevap|yanıt|bilgi) (vermi\w+|vermemekte\w*|sunmu\w+|sunmamakta\w*|içermi\w+|içermemekte\w*|bulamadım\
            |bulamıyorum|yok\w*|bulunm\w+|bulunamadı|mevcut değil\w*|sağlamıyor)|mevcut değil\w*|yetersiz\w*\
            |yeterli değil\w*|çıkarılam\w+|tespit edilem\w+|belirlenem\w+|saptanam\w+|verilme(miş\w*\
            |mekte\w*)|verilmiyor
        bulamadım|bulamıyorum|göremiyorum|göremedim|rastlamadım|rastlayamadım|rastlanmam\w+|mümkün (değil\
            |olmuyor|görünmüyor)\w*|imkansız\w*|ulaşılamıyor|ulaşılamadı|izin vermiyor|olanak tanımıyor\
            |sessiz\w*|aktarılm[ıa]\w+|yazmıyor|yazılmamış\w*|tanımlanmamış\w*|gösterilmemiş\w*)
    """,
    "inability": r"""
        (?<!\w)\w{2,}(amam|emem|amıyorum|emiyorum|amadım|emedim|amayacağım|emeyeceğim|amamaktayım\
            |ememekteyim)(?!\w)
    """,
    "no_figure": r"(?!.*\d)",
    "lead": r"(?!(eğer|kim|hayır|evet|şayet)\b)",
}

_REFUSALS = {
    "says that it does not know": r"""
        (?!.*\bkimse\b).{0,160}?\b(bilmiyorum|bilemiyorum|bilemem|bilmemekteyim)( maalesef| ne yazık ki)?$
        .{0,120}?\b(bilgim|fikrim|görüşüm|haberim|erişimim|malumatım|cevabım|yanıtım|verim|yetkim\
            |iznim)\b.{0,20}?\b(yok|bulunmuyor|bulunmamakta|mevcut değil|yetersiz)\w*
        .{0,140}?\b(bilgiye|veriye|cevaba|yetkiye|detaya|içeriğe|bağlama|yeterliliğe\
            |kaynağa)\b.{0,25}?\b(sahip değilim|erişimim yok|ulaşamı\w+|ulaşamadım|erişemiyorum|rastlamadım\
            |rastlayamadım)
        .{0,80}?\b(emin değilim|emin olamı\w+|kararsızım|fikrim yok|habersizim|bilgi sahibi değilim)
        .{0,80}?\b(bilgilere|verilere|cevaba|yanıta|kaynaklara) sahip değili[mz]
        elimizde\b.{0,60}?<info>.{0,20}?\b(yok|bulunmuyor|mevcut değil)\w*
        (bu|bu konu)\b.{0,30}\b(bilgim|bilgi alanım|uzmanlığım)( \w+)? dışında
        elimde\b.{0,80}?<info>.{0,20}?\b(yok|bulunmuyor|bulunmamakta|mevcut değil)\w*
    """,
    "could not find or determine it": r"""
        <lead>[^;]{0,200}?<inability>( maalesef| ne yazık ki)?$
        (bu |sorunuz|sorunun|soru|buna |bunu |sorduğunuz )[^;]{0,120}?\b(yanıtlayamı\w+|cevaplayamı\w+\
            |yanıtlan?am\w+|cevaplan?am\w+|mümkün değil\w*|<not_told>|bilinmiyor|yok\w*)$
        [^;]{0,80}?\b(ilgili|hakkında|dair|ilişkin|merkezinde|konuda|hiçbir) ([\w]+ ){0,2}?(şey|bilgi|yanıt\
            |cevap|sonuç|belge)\w* (bulamadı[mk]|bulamıyoru[mz]|göremedi[mk]|göremiyoru[mz]|rastlamadı[mk]\
            |bulunamadı|yok|bulunmuyor)$
        [^;]{0,80}?\bsoru\w* (yanıtlanamıyor|cevaplanamıyor|yanıtlanamaz|cevaplanamaz|cevapsız)\w*$
        (bu|isteğiniz|talebiniz|bu istek|bu talep|bu isteği|bu talebi)\b.{0,30}(yerine getirilem|karşılanam\
            |işlenem|gerçekleştirilem)\w*$
        [^;]{0,60}?(cevap|yanıt|bilgi)\w* (\w+ )?(verecek|bulabilecek|verebilecek) (durumda|halde) değilim
        (belirlemek|söylemek|yanıtlamak|cevaplamak|bilmek|saptamak|tespit etmek|cevap vermek\
            |yanıt vermek) (mümkün|imkansız|olanaksız)\b
        (<lead>[^;]{0,100}<evidence>[^;]{0,120}?)(mümkün değil|imkansız|olanaksız|belirsiz)\w*
    """,
    "the source does not say": r"""
        <lead>[^;]{0,110}?<evidence>[^;]{0,160}?<not_said>$
        <lead>[^;]{0,110}?<evidence_in>[^;]{0,160}?<not_told>$
        <lead>[^;]{0,110}?<evidence_in>[^;]{0,100}?\b(hiçbir )?(şey|bilgi|yanıt|cevap|bahis|ifade|kayıt\
            |ayrıntı)\w* (yok\w*|bulunmuyor|geçmiyor|mevcut değil\w*)$
        <lead>[^;]{0,110}?<evidence>[^;]{0,120}?<info>( [\w]+){0,2}? (yok\w*|içermi\w+|içermemekte\w*\
            |sunmu\w+|sunmamakta\w*|vermi\w+|barındırmı\w+|taşımıyor)$
        <lead>[^;]{0,60}?\b(bağlam|pasaj|parça)\w*[^;]{0,120}?(içermi\w+|içermemekte\w*|sunmu\w+|yok\w*)$
        [^;]{1,100} (belirtilmemiş|belirtilmiyor|bahsedilmiyor|bahsedilmemiş)(tir|ti)?$
    """,
    "there is no information": r"""
        <lead>[^;]{0,140}?\b(bilgi|bilgiler|yanıt|cevap|ayrıntı|açıklama|veri|detay|bilgiye|cevaba\
            |yanıta)\b( [\w]+){0,2}? (yok\w*|bulun(muyor|mamakta\w*|amadı|amamış\w*|amıyor)|mevcut değil\w*\
            |verilmemiş\w*|rastlan(madı|mamış\w*|amadı)|ulaşılamadı|yer almıyor|yer almamakta\w*\
            |paylaşılmamış\w*|sağlanmamış\w*)$
        yeterli (bilgi|veri|bağlam|kaynak|ayrıntı)\w*( \w+){0,3}? (yok\w*|bulun\w+|değil\w*|mevcut değil\w*)
    """,
    "nothing was retrieved": r"""
        [^;]{0,80}?\b(belge|sonuç|doküman|kaynak|kayıt|içerik|eşleşme|metin|pasaj)\b( \w+)? (bulunamadı\
            |bulunmuyor|yok|bulunmamaktadır|getirilemedi|bulunamamıştır|bulunmadı)$
        (arama|sorgu)\w*\b.{0,60}?(sonuç|bir şey)\w* (vermedi|döndürmedi|bulunamadı|getirmedi)
    """,
    "declines by policy": r"""
        .{0,120}?\b(reddetmek|geri çevirmek|reddetmem|kaçınmak) (zorundayım|durumundayım|gerekiyor|gerek\
            |mecburiyetindeyim|isterim)
        .{0,120}?\b\w+(memeyi|mamayı) tercih eder(im|dim)$
        .{0,120}?\b\w+(mem|mam)(e|a) (izin|müsaade) (verilmiyor|verilmedi|edilmiyor|yok)$
        .{0,120}?\b(reddediyorum|geri çeviriyorum|kaçınıyorum|yetkili değilim|izinli değilim|yetkim yok\
            |iznim yok|uygun değilim|istemiyorum|mümkün değil maalesef|tasarlanmadım)$
        (bu|bunu|isteğiniz|talebiniz|sorunuz)\b.{0,60}?\b(kapsam\w*|yetki\w*|uzmanlı\w*|politika\w*\
            |ilkeler\w*|görev\w*)\b.{0,30}?(dışında|aykırı|değil)
        <lead>[^;]{0,120}?\b(et|yap|ver|yaz|paylaş|yardım et|oluştur|söyle|açıkla|cevapla|yanıtla|katıl\
            |tartış|yorumla|sağla|üret)(me|ma)y(e|a)ce(ğ|g)im$
        <lead>[^;]{0,120}?\b(paylaş|yap|yaz|oluştur|tartış|yanıtla|cevapla|açıkla|sağla|yorumla)mayacağım$
        (bu|bunu|isteğiniz|talebiniz)\b.{0,30}\b(kural|ilke|politika|yönerge)\w*( \w+)? (aykırı|uymuyor\
            |uygun değil)
        (size |bu konuda |bu isteğe |bu soruya |talebinize |sorunuza ){1,4}.{0,40}?\b(yardımcı olamayız\
            |yanıt veremeyiz|cevap veremeyiz)
    """,
}

_OPENERS = r"""
    (üzgünüm|maalesef|ne yazık ki|özür dilerim|kusura bakma(yın|yınız)?|affedersiniz|pardon|korkarım( ki)?\
        |üzülerek belirtmeliyim ki|şu anda?|açıkçası|merhaba|teşekkürler|ancak|ama|fakat|dolayısıyla\
        |bu nedenle|görünüşe göre|sanırım|anladığım kadarıyla)\b,? ?(ama |ancak |fakat |ki )?
    (yanıt|cevap)\b[,:]? ?
"""

_COURTESIES = r"""
    (üzgünüm|özür dilerim|kusura bakma\w*|affedersiniz|maalesef|ne yazık ki\
        |anlayışınız için teşekkür\w*)[^,;]{0,30}$|.{0,60}\b(üzgünüm|özür dilerim|teşekkür ederim\
        |teşekkürler)$
    (lütfen|rica)\b|.{0,120}\b(lütfen)\b
    .{0,160}?\b(misiniz|mısınız|musunuz|müsünüz|misin|mısın|ister misiniz|var mı|olur mu)$
    <no_figure>(eğer|isterseniz|dilerseniz|daha fazla|daha ayrıntılı|daha detaylı|bunun için|belki|farklı\
        |başka|detaylı)\b
    .{0,160}?\b(deneyin|deneyebilirsiniz|başvurun|başvurunuz|başvurabilirsiniz|danışın|danışınız\
        |danışabilirsiniz|iletişime (geçin|geçiniz|geçebilirsiniz|geçmeniz)\w*|kontrol (edin|ediniz\
        |edebilirsiniz)|inceleyin|inceleyebilirsiniz|öneririm|önerilir|tavsiye (ederim|edilir)|bakabilirsiniz\
        |bakın|sorun|sorabilirsiniz|paylaşın|paylaşırsanız|belirtin|iletin|ulaşın|ulaşabilirsiniz|yazın\
        |gözden geçirin|edinebilirsiniz)( \w+)?$
    .{0,120}?\b(yardımcı (olabilirim|olmaktan|olmaya)|memnun(iyetle)? \w+|yardım edebilirim|memnun olurum\
        |yardımcı olurum|çalışabilirim|hazırım|buradayım|yardımcı olayım)
    <no_figure>.{0,80}?\b(inceledim|kontrol ettim|taradım|baktım|aradım|gözden geçirdim|okudum)
    <no_figure>.{0,40}?<evidence>.{0,40}?\b(yalnızca|sadece|esas olarak)
    (bir )?(yapay zek[aâ]|dil model|asistan)\w*|ben (bir|sadece|yalnızca)\b
    <no_figure>.{0,80}?\b(gerekiyor|gerekir|gereklidir|gerekebilir|faydalı olabilir|yararlı olabilir\
        |ihtiyacım var|gerekmektedir)$
    .{0,60}\b(isterdim|isterim|çok isterdim)$
    <no_figure>.{0,60}\b(baktım|aradım|taradım|araştırdım)$
    <no_figure>(yalnızca|sadece)\b[^;]{0,80}?(bahsedil|bahsed|ele al|anlatıl|değinil|açıkla|içer|yer al)\w*$
    <no_figure>[^;]{0,30}bilgi\w*[^;]{0,30}(gizli|kişisel|özel|hassas)\w*$
    (kaynaklar?|yanıt|cevap|not|neden)($| ?:)|umarım|iyi günler|saygılar
"""

PHRASEBOOK = Phrasebook(
    cues=r"""
        yok|değil|m[ıiuü]yor|m[ae]mak|m[ae]mek|m[ae]mış|m[ae]miş|[ae]m[ae]m|[ae]m[ae]d|[ae]m[ae]z\
            |[ae]m[ıi]yor|bilemem|bulunam|lem[ei]z|getirilem|redde|mayaca|meyece|imkansız|yetersiz|zorundayım\
            |m[ae]z\b|geri çevir|belirsiz|bilinm|madı|medi|memeyi|mamayı|sessiz|dışında|aykırı
        [ae]m[ae]y|olanaksız|kararsızım|habersizim|kaçın
    """,
    labels="""
        bilgi yok|bilgi bulunamadı|bilgi mevcut değil|bilgi bulunmuyor|cevap yok|yanıt yok|cevap bulunamadı
        yanıt bulunamadı|bilinmiyor|belirtilmemiş|belirtilmemiştir|yeterli bilgi yok|yetersiz bilgi|veri yok
        mevcut değil|bulunamadı|belli değil
        yanıtlanamaz|cevaplanamaz|sonuç yok|sonuç bulunamadı|belge bulunamadı|ilgili belge yok
        ilgili bilgi yok|bağlamda yok|metinde yok|bilmiyorum|geçerli değil|uygulanamaz|belirsiz|bahsedilmemiş
        bahsedilmiyor|fikrim yok|yer almıyor|veri bulunamadı|tespit edilemedi|belirlenemedi|bilgi verilmemiş
        ilgili bilgi bulunamadı|yeterli bağlam yok|yeterli veri yok|hiçbir bilgi bulunamadı
    """,
    pieces=_PIECES,
    refusals=_REFUSALS,
    whole_sentence={
        "the source speaks of something else": r"""
            [^;\d]{0,60}?<evidence>[^;\d]{0,100}?\b(söz edilse|bahsedilse|değinilse|geçse|bahsetse|açıklansa\
                |anlatılsa|içerse|verilse|yer alsa|olsa)(ler)? (de|da|bile)\b[^;\d]{0,120}?<not_told>$
            [^;\d]{0,60}?<evidence>[^;\d]{0,80}?\b(bahsediliyor|bahsediyor|değiniliyor|anlatılıyor|geçiyor\
                |var|söz ediliyor|bahsedilmekte\w*|açıklanıyor),? (ama|ancak|fakat)\b[^;\d]{0,100}?<not_told>$
        """,
    },
    openers=_OPENERS,
    courtesies=_COURTESIES,
    answers=r"""
        (evet|hayır|doğru|yanlış|elbette|kesinlikle)([,;:!]| -)
        .{0,120}\b(kanıt|şüphe|delil)\w* (yok|bulunm|mevcut değil)\w*
        .{0,120}\b(yeterince|ne kadar)\b.{0,40}<inability>
        .{0,200}\b(dışında|haricinde|hariç)\b.{0,80}\d
    """,
    turns=r"""
        ,? ve (?=[^,;]{0,80}(değilim|amam|emem|yorum)$)
        ,? ?\b(ama|ancak|fakat|lakin|oysa|yalnız|buna rağmen|bununla birlikte)\b,?|; ?|: |( [-–—] )|—
        , (?=(muhtemelen|belki|galiba|sanırım|tahminen|yaklaşık|büyük ihtimalle|lütfen|bu nedenle|bu yüzden\
            |dolayısıyla)\b)
    """,
)
