"""Dates in questions: what is found, where, and what is refused. Now is Wednesday 18 June 2025."""

import time
from contextlib import suppress
from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.dates import find_period
from tools.domain import Period
from tools.errors import InputError

ZONE = timezone(timedelta(hours=3))
NOW = datetime(2025, 6, 18, 14, 30, tzinfo=ZONE)


def day(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text).replace(tzinfo=ZONE)


# question, start, end, phrase
FOUND: list[tuple[str, str | None, str | None, str]] = [
    # ISO and numeric
    ("What did I write on 2024-05-12?", "2024-05-12", "2024-05-13", "on 2024-05-12"),
    ("notes of 2024/5/3", "2024-05-03", "2024-05-04", "2024/5/3"),
    ("meeting 12.05.2024 minutes", "2024-05-12", "2024-05-13", "12.05.2024"),
    ("What happened on 25/12/2024?", "2024-12-25", "2024-12-26", "on 25/12/2024"),
    ("What happened on 12/25/2024?", "2024-12-25", "2024-12-26", "on 12/25/2024"),
    ("What changed in 2024-05?", "2024-05-01", "2024-06-01", "in 2024-05"),
    ("log 2024-02-29T10:15", "2024-02-29", "2024-03-01", "2024-02-29T10:15"),
    # years and decades
    ("What did I learn in 2024?", "2024-01-01", "2025-01-01", "in 2024"),
    ("my 2023 goals", "2023-01-01", "2024-01-01", "2023"),
    ("Which books did I read during 2022", "2022-01-01", "2023-01-01", "during 2022"),
    ("design trends of the 1990s", "1990-01-01", "2000-01-01", "the 1990s"),
    ("music in the 2010's", "2010-01-01", "2020-01-01", "in the 2010's"),
    # months and days
    ("What did I write in May 2024?", "2024-05-01", "2024-06-01", "in May 2024"),
    ("the sept 2023 retreat", "2023-09-01", "2023-10-01", "the sept 2023"),
    ("December of 2021 decisions", "2021-12-01", "2022-01-01", "December of 2021"),
    ("on 12 May 2025 what was decided", "2025-05-12", "2025-05-13", "on 12 May 2025"),
    ("What did we decide on May 12, 2025?", "2025-05-12", "2025-05-13", "on May 12, 2025"),
    ("March 3rd 2024 standup", "2024-03-03", "2024-03-04", "March 3rd 2024"),
    ("the 3rd of March 2024", "2024-03-03", "2024-03-04", "the 3rd of March 2024"),
    ("notes from 12 May", "2025-05-12", "2025-05-13", "from 12 May"),
    ("What was said 12 May?", "2025-05-12", "2025-05-13", "12 May"),
    ("What was decided on 20 December?", "2024-12-20", "2024-12-21", "on 20 December"),
    ("What happened on 29 February?", "2024-02-29", "2024-03-01", "on 29 February"),
    ("What did I learn in March?", "2025-03-01", "2025-04-01", "in March"),
    ("What did I learn in may", "2025-05-01", "2025-06-01", "in may"),
    ("What did I learn in August?", "2024-08-01", "2024-09-01", "in August"),
    ("september notes on focus", "2024-09-01", "2024-10-01", "september"),
    ("the talks of last March", "2025-03-01", "2025-04-01", "last March"),
    ("the talks of last June", "2024-06-01", "2024-07-01", "last June"),
    ("the workshop 12-14 May 2024", "2024-05-12", "2024-05-15", "12-14 May 2024"),
    ("between 3 and 9 March 2024", "2024-03-03", "2024-03-10", "between 3 and 9 March 2024"),
    # quarters and seasons
    ("Q2 2024 review", "2024-04-01", "2024-07-01", "Q2 2024"),
    ("What did we ship in Q1?", "2025-01-01", "2025-04-01", "in Q1"),
    ("2023-Q4 report", "2023-10-01", "2024-01-01", "2023-Q4"),
    ("the third quarter of 2022", "2022-07-01", "2022-10-01", "the third quarter of 2022"),
    ("What did I read in spring 2023?", "2023-03-01", "2023-06-01", "in spring 2023"),
    ("winter 2023 plans", "2023-12-01", "2024-03-01", "winter 2023"),
    ("What did I plant last summer?", "2024-06-01", "2024-09-01", "last summer"),
    ("What did I plant this summer?", "2025-06-01", "2025-09-01", "this summer"),
    ("Which hikes did I do in autumn?", "2024-09-01", "2024-12-01", "in autumn"),
    # relative
    ("What did I write yesterday?", "2025-06-17", "2025-06-18", "yesterday"),
    ("What did I write today?", "2025-06-18", "2025-06-19", "today"),
    ("the day before yesterday I wrote", "2025-06-16", "2025-06-17", "the day before yesterday"),
    ("What did I do this week?", "2025-06-16", "2025-06-23", "this week"),
    ("What did I do last week?", "2025-06-09", "2025-06-16", "last week"),
    ("What did I learn last month?", "2025-05-01", "2025-06-01", "last month"),
    ("What did I learn last year?", "2024-01-01", "2025-01-01", "last year"),
    ("What did I learn last quarter?", "2025-01-01", "2025-04-01", "last quarter"),
    ("notes of the last 7 days", "2025-06-11", "2025-06-19", "the last 7 days"),
    ("in the past two weeks", "2025-06-04", "2025-06-19", "in the past two weeks"),
    ("over the last three months", "2025-03-18", "2025-06-19", "over the last three months"),
    ("over the last year", "2024-06-18", "2025-06-19", "over the last year"),
    ("the last couple of days", "2025-06-16", "2025-06-19", "the last couple of days"),
    ("What did I write 3 days ago?", "2025-06-15", "2025-06-16", "3 days ago"),
    ("What did I believe two months ago?", "2025-04-01", "2025-05-01", "two months ago"),
    ("a year ago", "2024-01-01", "2025-01-01", "a year ago"),
    ("the call last Tuesday", "2025-06-17", "2025-06-18", "last Tuesday"),
    ("the call last Wednesday", "2025-06-11", "2025-06-12", "last Wednesday"),
    ("What did I eat on Monday?", "2025-06-16", "2025-06-17", "on Monday"),
    # bounds
    ("How has X changed since 2024?", "2024-01-01", None, "since 2024"),
    ("How has X changed since March?", "2025-03-01", None, "since March"),
    ("since spring 2023 what changed", "2023-03-01", None, "since spring 2023"),
    ("everything since last week", "2025-06-09", None, "since last week"),
    ("from March 2024 onwards", "2024-03-01", None, "from March 2024 onwards"),
    ("starting in 2021", "2021-01-01", None, "starting in 2021"),
    ("What did I think before 2023?", None, "2023-01-01", "before 2023"),
    ("What did I think prior to May 2024", None, "2024-05-01", "prior to May 2024"),
    ("What did I learn after 2023?", "2024-01-01", None, "after 2023"),
    ("after March 2024 what changed", "2024-04-01", None, "after March 2024"),
    ("What was true until 2022?", None, "2023-01-01", "until 2022"),
    ("goals to reach until 2030", None, "2031-01-01", "until 2030"),
    ("What did I know as of 2024-05-12?", None, "2024-05-13", "as of 2024-05-12"),
    # ranges
    ("between 2021 and 2023", "2021-01-01", "2024-01-01", "between 2021 and 2023"),
    ("between March and May 2024", "2024-03-01", "2024-06-01", "between March and May 2024"),
    ("between January and March", "2025-01-01", "2025-04-01", "between January and March"),
    ("between October and March", "2024-10-01", "2025-04-01", "between October and March"),
    ("from 2020 to 2022", "2020-01-01", "2023-01-01", "from 2020 to 2022"),
    ("from May to March 2024", "2023-05-01", "2024-04-01", "from May to March 2024"),
    ("from 12 May 2024 until 3 June", "2024-05-12", "2024-06-04", "from 12 May 2024 until 3 June"),
    ("2021-2023 in review", "2021-01-01", "2024-01-01", "2021-2023"),
    ("March–May 2024", "2024-03-01", "2024-06-01", "March–May 2024"),
    ("Compare 2022 and 2024", "2022-01-01", "2025-01-01", "2022 and 2024"),
    # Turkish
    ("dün ne yazdım?", "2025-06-17", "2025-06-18", "dün"),
    ("bugün ne öğrendim", "2025-06-18", "2025-06-19", "bugün"),
    ("geçen hafta ne yazdım?", "2025-06-09", "2025-06-16", "geçen hafta"),
    ("geçen ay neler okudum", "2025-05-01", "2025-06-01", "geçen ay"),
    ("bu yıl ne öğrendim", "2025-01-01", "2026-01-01", "bu yıl"),
    ("BU YIL ne öğrendim", "2025-01-01", "2026-01-01", "BU YIL"),
    ("son 7 gün", "2025-06-11", "2025-06-19", "son 7 gün"),
    ("son üç ayda ne değişti", "2025-03-18", "2025-06-19", "son üç ayda"),
    ("3 gün önce ne yazdım", "2025-06-15", "2025-06-16", "3 gün önce"),
    ("Zettelkasten 2024'ten beri nasıl değişti?", "2024-01-01", None, "2024'ten beri"),
    ("2024’ten bu yana", "2024-01-01", None, "2024’ten bu yana"),
    ("2023'te ne yazdım", "2023-01-01", "2024-01-01", "2023'te"),
    ("2023 yılında ne yazdım", "2023-01-01", "2024-01-01", "2023 yılında"),
    ("Mart 2024 notları", "2024-03-01", "2024-04-01", "Mart 2024"),
    ("2024 Mart ayında ne oldu", "2024-03-01", "2024-04-01", "2024 Mart ayında"),
    ("martta ne yazdım", "2025-03-01", "2025-04-01", "martta"),
    ("Ocak'tan beri", "2025-01-01", None, "Ocak'tan beri"),
    ("Ocak ile Mart arasında ne okudum", "2025-01-01", "2025-04-01", "Ocak ile Mart arasında"),
    ("Aralık ayında ne yazdım?", "2024-12-01", "2025-01-01", "Aralık ayında"),
    ("ARALIK ayında ne yazdım?", "2024-12-01", "2025-01-01", "ARALIK ayında"),
    ("12 Mayıs 2025'te ne oldu", "2025-05-12", "2025-05-13", "12 Mayıs 2025'te"),
    ("2023'ten 2024'e kadar", "2023-01-01", "2025-01-01", "2023'ten 2024'e kadar"),
    ("2022'den önce ne düşünüyordum", None, "2022-01-01", "2022'den önce"),
    ("2022'den sonra", "2023-01-01", None, "2022'den sonra"),
    ("Mayıs 2024'e kadar", None, "2024-06-01", "Mayıs 2024'e kadar"),
    ("geçen yaz ne okudum", "2024-06-01", "2024-09-01", "geçen yaz"),
    ("2023 baharında", "2023-03-01", "2023-06-01", "2023 baharında"),
    ("2024 ikinci çeyreği", "2024-04-01", "2024-07-01", "2024 ikinci çeyreği"),
    ("pazartesi günü ne konuştuk", "2025-06-16", "2025-06-17", "pazartesi günü"),
]

# The families, in both languages: question, start, end. The phrase is checked by FOUND.
FAMILIES: dict[str, list[tuple[str, str | None, str | None]]] = {
    "a day": [
        ("photos of 3-Mar-2024", "2024-03-03", "2024-03-04"),
        ("log 03.March.2024", "2024-03-03", "2024-03-04"),
        ("on Friday, 13 June 2025", "2025-06-13", "2025-06-14"),
        ("on Fri 13 Jun 2025", "2025-06-13", "2025-06-14"),
        ("on Wednesday the 5th of March 2025", "2025-03-05", "2025-03-06"),
        ("the twenty-first of April 2024", "2024-04-21", "2024-04-22"),
        ("What did I write on May the 4th?", "2025-05-04", "2025-05-05"),
        ("What did I grill on July fourth?", "2024-07-04", "2024-07-05"),
        ("What did I pay on the 5th?", "2025-06-05", "2025-06-06"),
        ("What did I pay on the 25th?", "2025-05-25", "2025-05-26"),
        ("the bill of the 3rd of last month", "2025-05-03", "2025-05-04"),
        ("between the 5th and the 10th of last month", "2025-05-05", "2025-05-11"),
        ("on the morning of 12 May 2024", "2024-05-12", "2024-05-13"),
        ("What did I dream last night?", "2025-06-17", "2025-06-18"),
        ("on 12/25/24", "2024-12-25", "2024-12-26"),
        ("2024 May 12", "2024-05-12", "2024-05-13"),
        ("12-Mayıs-2024 kaydı", "2024-05-12", "2024-05-13"),
        ("12.05.24'te ne oldu", "2024-05-12", "2024-05-13"),
        ("2024-05-12, Pazar günü ne yazdım", "2024-05-12", "2024-05-13"),
        ("mayısın 5'inde ne yazdım", "2025-05-05", "2025-05-06"),
        ("bu ayın beşinde", "2025-06-05", "2025-06-06"),
        ("geçen ayın on ikisinde", "2025-05-12", "2025-05-13"),
        ("ayın ilk günü", "2025-06-01", "2025-06-02"),
        ("dün akşam ne yedik", "2025-06-17", "2025-06-18"),
        ("bugünkü notlarım", "2025-06-18", "2025-06-19"),
    ],
    "days in one month": [
        ("January 3-5, 2025", "2025-01-03", "2025-01-06"),
        ("from Mar 3rd to 5th, 2024", "2024-03-03", "2024-03-06"),
        ("the 3rd to the 5th of March 2024", "2024-03-03", "2024-03-06"),
        ("3–5 Mart 2024 gezisi", "2024-03-03", "2024-03-06"),
        ("3 ile 5 Mart arasında", "2025-03-03", "2025-03-06"),
    ],
    "months and years": [
        ("invoices 07/2023", "2023-07-01", "2023-08-01"),
        ("expenses in 3/2024", "2024-03-01", "2024-04-01"),
        ("October of last year", "2024-10-01", "2024-11-01"),
        ("March of the previous year", "2024-03-01", "2024-04-01"),
        ("the trip in May '24", "2024-05-01", "2024-06-01"),
        ("What happened last year in May?", "2024-05-01", "2024-06-01"),
        ("since May of last year", "2024-05-01", None),
        ("fatura 05.2024", "2024-05-01", "2024-06-01"),
        ("geçen yılın ekiminde ne yazdım", "2024-10-01", "2024-11-01"),
        ("bu yılın ocak ayında", "2025-01-01", "2025-02-01"),
        ("geçen sene mayısta", "2024-05-01", "2024-06-01"),
        ("geçen yılın mayıs ayından beri", "2024-05-01", None),
        ("geçen ayki giderler", "2025-05-01", "2025-06-01"),
        ("Mayıs başında ne yazdım", "2025-05-01", "2025-06-01"),
        ("in 2023/24", "2023-01-01", "2025-01-01"),
        ("spending year to date", "2025-01-01", "2025-06-19"),
    ],
    "decades": [
        ("fashion of the eighties", "1980-01-01", "1990-01-01"),
        ("films from the late 90s", "1990-01-01", "2000-01-01"),
        ("records of the '60s", "1960-01-01", "1970-01-01"),
        ("seksenlerde müzik", "1980-01-01", "1990-01-01"),
        ("yetmişli yıllarda tasarım", "1970-01-01", "1980-01-01"),
        ("90'lı yıllarda internet", "1990-01-01", "2000-01-01"),
        ("2000'li yıllarda", "2000-01-01", "2010-01-01"),
    ],
    "halves and quarters": [
        ("H1 2025 goals", "2025-01-01", "2025-07-01"),
        ("2H 2023", "2023-07-01", "2024-01-01"),
        ("H2 of last year", "2024-07-01", "2025-01-01"),
        ("the latter half of 2024", "2024-07-01", "2025-01-01"),
        ("the first half of this year", "2025-01-01", "2025-07-01"),
        ("What did I do in the first half of the year?", "2025-01-01", "2025-07-01"),
        ("second half of March 2025", "2025-03-16", "2025-04-01"),
        ("first half of 2024 vs second half of 2024", "2024-01-01", "2025-01-01"),
        ("the second quarter of last year", "2024-04-01", "2024-07-01"),
        ("Q3 last year", "2024-07-01", "2024-10-01"),
        ("last year's third quarter", "2024-07-01", "2024-10-01"),
        ("in the first quarter", "2025-01-01", "2025-04-01"),
        ("geçen yılın ikinci yarısında", "2024-07-01", "2025-01-01"),
        ("2024'ün ilk yarısından beri", "2024-01-01", None),
        ("Mayıs ayının ilk yarısında", "2025-05-01", "2025-05-16"),
        ("geçen yılın son çeyreğinde", "2024-10-01", "2025-01-01"),
        ("yılın ilk yarısında", "2025-01-01", "2025-07-01"),
    ],
    "first and last": [
        ("the first two weeks of 2025", "2025-01-01", "2025-01-15"),
        ("the last ten days of March 2024", "2024-03-22", "2024-04-01"),
        ("the final week of May 2024", "2024-05-25", "2024-06-01"),
        ("the last day of last month", "2025-05-31", "2025-06-01"),
        ("the last day of the month", "2025-05-31", "2025-06-01"),
        ("the first day of 2025", "2025-01-01", "2025-01-02"),
        ("first Monday of May 2025", "2025-05-05", "2025-05-06"),
        ("the first weekend of May", "2025-05-03", "2025-05-05"),
        ("2024'ün son üç ayında", "2024-10-01", "2025-01-01"),
        ("geçen ayın ilk haftasında", "2025-05-01", "2025-05-08"),
        ("2023'ün son günü", "2023-12-31", "2024-01-01"),
        ("mayısın ilk pazartesisi", "2025-05-05", "2025-05-06"),
    ],
    "weeks": [
        ("standup 2025W07", "2025-02-10", "2025-02-17"),
        ("2025-W12-3", "2025-03-19", "2025-03-20"),
        ("week 7 of 2025", "2025-02-10", "2025-02-17"),
        ("calendar week 50 of last year", "2024-12-09", "2024-12-16"),
        ("the week of 14 April", "2025-04-14", "2025-04-21"),
        ("the week starting 4 March 2025", "2025-03-04", "2025-03-11"),
        ("the week before Christmas 2024", "2024-12-18", "2024-12-25"),
        ("Friday of last week", "2025-06-13", "2025-06-14"),
        ("Monday to Friday last week", "2025-06-09", "2025-06-14"),
        ("2025'in 12. haftasında", "2025-03-17", "2025-03-24"),
        ("14 Nisan haftasında", "2025-04-14", "2025-04-21"),
        ("geçen haftanın salısı", "2025-06-10", "2025-06-11"),
        ("geçen hafta cuma günü", "2025-06-13", "2025-06-14"),
        ("Noel'den önceki hafta", "2024-12-18", "2024-12-25"),
    ],
    "seasons": [
        ("skiing in winter 2022/23", "2022-12-01", "2023-03-01"),
        ("the winter of 2021-2022", "2021-12-01", "2022-03-01"),
        ("summer of last year", "2024-06-01", "2024-09-01"),
        ("2022-23 kışında", "2022-12-01", "2023-03-01"),
        ("geçen yılın yazında", "2024-06-01", "2024-09-01"),
        ("evvelki yaz", "2023-06-01", "2023-09-01"),
    ],
    "the one before last": [
        ("the year before last", "2023-01-01", "2024-01-01"),
        ("the winter before last", "2023-12-01", "2024-03-01"),
        ("the Friday before last", "2025-06-06", "2025-06-07"),
        ("the Christmas before last", "2023-12-25", "2023-12-26"),
        ("evvelki hafta", "2025-06-02", "2025-06-09"),
        ("evvelki gün", "2025-06-16", "2025-06-17"),
    ],
    "weekends": [
        ("this weekend", "2025-06-14", "2025-06-16"),
        ("What did we do over the weekend?", "2025-06-14", "2025-06-16"),
        ("two weekends ago", "2025-06-07", "2025-06-09"),
        ("the weekend of 12 April 2025", "2025-04-12", "2025-04-14"),
        ("hafta sonunda ne yaptım", "2025-06-14", "2025-06-16"),
        ("evvelki hafta sonu", "2025-06-07", "2025-06-09"),
    ],
    "counted back": [
        ("a week ago today", "2025-06-11", "2025-06-12"),
        ("exactly two months ago", "2025-04-18", "2025-04-19"),
        ("this day last year", "2024-06-18", "2024-06-19"),
        ("this time last year", "2024-06-01", "2024-07-01"),
        ("over the past eleven days", "2025-06-07", "2025-06-19"),
        ("the last twenty-one days", "2025-05-28", "2025-06-19"),
        ("in the last 48 hours", "2025-06-16", "2025-06-19"),
        ("a decade ago", "2015-01-01", "2016-01-01"),
        ("half a year ago", "2024-12-01", "2025-01-01"),
        ("notes older than six months", None, "2024-12-18"),
        ("notes newer than 30 days", "2025-05-19", None),
        ("three days before 12 May 2024", "2024-05-09", "2024-05-10"),
        ("son on iki ayda", "2024-06-18", "2025-06-19"),
        ("son yirmi gün", "2025-05-29", "2025-06-19"),
        ("on beş gün önce", "2025-06-03", "2025-06-04"),
        ("bir yıl önce bugün", "2024-06-18", "2024-06-19"),
        ("geçen yıl bu zamanlar", "2024-06-01", "2024-07-01"),
    ],
    "holidays": [
        ("What did we eat on Christmas?", "2024-12-25", "2024-12-26"),
        ("Christmas Eve last year", "2024-12-24", "2024-12-25"),
        ("New Year's Day 2024", "2024-01-01", "2024-01-02"),
        ("since Valentine's Day", "2025-02-14", None),
        ("this Halloween", "2024-10-31", "2024-11-01"),
        ("the day after Boxing Day 2023", "2023-12-27", "2023-12-28"),
        ("from Christmas to New Year's Eve 2024", "2024-12-25", "2025-01-01"),
        ("yılbaşında ne yaptık", "2025-01-01", "2025-01-02"),
        ("yılbaşı gecesi 2023", "2023-12-31", "2024-01-01"),
        ("geçen Sevgililer Günü", "2025-02-14", "2025-02-15"),
        ("29 Ekim'den beri", "2024-10-29", None),
        ("23 Nisan'da ne yazdım", "2025-04-23", "2025-04-24"),
        ("Cumhuriyet Bayramı'nda", "2024-10-29", "2024-10-30"),
    ],
    "bounds": [
        ("up to and including May 2024", None, "2024-06-01"),
        ("by the end of 2023", None, "2024-01-01"),
        ("as of last week", None, "2025-06-16"),
        ("on or after 3 May 2024", "2024-05-03", None),
        ("on or before 3 May 2024", None, "2024-05-04"),
        ("2023 or earlier", None, "2024-01-01"),
        ("March 2023 and later", "2023-03-01", None),
        ("pre-2020 plans", None, "2020-01-01"),
        ("from 2022 to now", "2022-01-01", "2025-06-19"),
        ("2022'den bugüne", "2022-01-01", "2025-06-19"),
        ("2023'ten günümüze", "2023-01-01", "2025-06-19"),
        ("2024'ün ilk çeyreğine kadar", None, "2024-04-01"),
        ("2024-05-12'den sonraki notlar", "2024-05-13", None),
        ("yaz boyunca ne okudum", "2025-06-01", "2025-09-01"),
    ],
}

NOT_DATES = [
    "What is Zettelkasten?",
    "May I link notes twice?",
    "Why may habits fail?",
    "You may march for 12 hours",
    "How do soldiers march on Rome?",
    "a summary of 500 characters",
    "texts of 2000 words",
    "Does a note of 2000 characters still count as atomic?",
    "How does the spring framework work?",
    "Why do leaves fall?",
    "the second law of thermodynamics",
    "version 3.12 of Python",
    "What is 1.5.9 about?",
    "port 8080 and room 2024a1",
    "Who ruled France in 1789?",
    "What should be done in 2040?",
    "call 1234-2023",
    "Sunday is a rest day",
    "What is an 80/20 rule?",
    "What is a 12-factor app?",
    "the note “Goals 2024” and nothing else",
    "What does [[2024-05-12]] link to?",
    'Who wrote "1984"?',
    "before I met her and after the move",
    "Bu kitap neden önemli?",
    "Ekim nasıl yapılır?",
    "mart kedisi nedir",
    "son derece önemli bir fikir",
    "Which last words mattered?",
    "€2000 a month",
    "How much is $1999?",
    "the ratio 2000:1",
    "Is Mark right about the past?",
    # a number that names or counts something
    "How do I install SQL Server 2022?",
    "the footnote on page 1984",
    "article 2013 of the law",
    "coins from 2000 BC",
    "oda 2019 nerede",
    "2020 model araba",
    "2017 sayılı kanun",
    # names
    "works by August Wilson",
    "letters from April Henry",
    "Who is June Carter?",
    "Nisan Hanım kim",
    "Ekim Devrimi nedir",
    # words that also belong to dates
    "notes on spring cleaning",
    "notes on Sunday roasts",
    "What do I do on Mondays?",
    "What do I cook on weekends?",
    "How this may change",
    "What mattered in my early twenties?",
    "a Christmas tree in every room",
    "Halloween costume ideas",
    "on the 5th floor",
    "How does it differ from the first?",
    "the fifth element",
    "the best book of the year",
    "the second half of the match",
    "week 12 of the course",
    "H2 headings in markdown",
    "my last day at work",
    "pazar yeri nerede",
    "cuma namazı nasıl kılınır",
    "mart önceliklerim nedir",
    "yılbaşı ağacı nasıl süslenir",
    "kitabın ilk yarısı",
    "filmin son günü",
    "bu ayna neden kırık",
    "geçen gün ne dedi",
]

REFUSED = [
    "since 2024-13-45",
    "What changed since 2024-13-45?",
    "on 2024-02-30",
    "What happened on 2023-02-29?",
    "since 31 February 2024",
    "on 45 May 2024",
    "since 2024-13",
    "on 05/06/2024",
    "Q5 2024 results",
    "from 2024 to 2022",
    "between May 2024 and March 2024",
    "between 2024-05-12 and 2024-05-11",
    "since 2030",
    "after 2025",
    "on 2031-01-01",
    "since 1850",
    "on 1850-05-01",
    "2024-13-45'ten beri",
    "2024'ten 2022'ye kadar",
    "since 2199-99-99",
    "2025-W60 notes",
    "the 31st of April 2025",
    "the second half of this year",
    "999 decades ago",
]


@pytest.mark.parametrize(("question", "start", "end", "phrase"), FOUND)
def test_finds_the_period_and_where_it_stands(
    question: str, start: str | None, end: str | None, phrase: str
) -> None:
    found = find_period(question, now=NOW)
    assert found is not None
    assert found.period == Period(start=day(start), end=day(end))
    assert found.phrase == phrase
    assert question[slice(*found.span)] == phrase


@pytest.mark.parametrize(
    ("question", "start", "end"), [case for cases in FAMILIES.values() for case in cases]
)
def test_understands_every_family_of_expressions(
    question: str, start: str | None, end: str | None
) -> None:
    found = find_period(question, now=NOW)
    assert found is not None
    assert found.period == Period(start=day(start), end=day(end))
    assert question[slice(*found.span)] == found.phrase


@pytest.mark.parametrize("question", NOT_DATES)
def test_ordinary_words_and_numbers_are_no_dates(question: str) -> None:
    assert find_period(question, now=NOW) is None


@pytest.mark.parametrize("question", REFUSED)
def test_an_impossible_date_is_refused_with_examples(question: str) -> None:
    with pytest.raises(InputError) as caught:
        find_period(question, now=NOW)
    message = str(caught.value)
    assert "\n" not in message
    assert all(example in message for example in ("2024-05", "May 2024", "since 12 May 2024"))


DAYS = st.dates(min_value=date(1900, 1, 1), max_value=NOW.date())


@given(DAYS, st.sampled_from(["%Y-%m-%d", "%-d %B %Y", "%B %-d, %Y", "%d.%m.%Y"]))
def test_every_way_to_write_a_day_means_that_day(wanted: date, form: str) -> None:
    found = find_period(f"What did I note on {wanted.strftime(form)}?", now=NOW)
    assert found is not None
    start = datetime(wanted.year, wanted.month, wanted.day, tzinfo=ZONE)
    assert found.period == Period(start=start, end=start + timedelta(days=1))


@given(DAYS)
def test_before_and_since_meet_and_leave_no_gap(wanted: date) -> None:
    before = find_period(f"before {wanted.isoformat()}", now=NOW)
    since = find_period(f"since {wanted.isoformat()}", now=NOW)
    assert before is not None
    assert since is not None
    assert before.period.end == since.period.start
    assert before.period.start is None
    assert since.period.end is None


@given(st.text(alphabet=st.sampled_from("0123456789-/. '’maytoinsce ÜİıŞğ[]\"q"), max_size=60))
def test_any_text_gives_a_sound_period_none_or_a_refusal(text: str) -> None:
    try:
        found = find_period(text, now=NOW)
    except InputError:
        return
    if found is not None:
        start, end = found.period.start, found.period.end
        assert start or end
        assert not (start and end) or start < end
        assert text[slice(*found.span)] == found.phrase


@given(DAYS, st.integers(min_value=1, max_value=400))
def test_rolling_periods_end_with_today_and_hold_at_least_their_length(
    today: date, count: int
) -> None:
    now = datetime(today.year + 1, today.month, min(today.day, 28), 9, tzinfo=ZONE)
    found = find_period(f"in the last {count} days", now=now)
    assert found is not None
    assert found.period.start is not None
    assert found.period.end is not None
    assert found.period.start <= now - timedelta(days=count)
    assert now < found.period.end <= now + timedelta(days=1)


WORDS = [
    *("the", "first", "last", "second", "half", "quarter", "week", "month", "year", "day", "of"),
    *("in", "on", "before", "after", "since", "until", "and", "to", "ago", "this", "past", "three"),
    *("12", "5th", "31st", "2024", "'24", "2024-05", "w12", "q3", "h2", "may", "March", "Monday"),
    *("Christmas", "winter", "weekend", "nineties", "'s", "yılın", "ayın", "ilk", "son", "yarısı"),
    *("haftası", "bugün", "geçen", "mayıs", "önce", "'den", "sonraki", "hafta sonu", "twelve"),
]


@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=12),
    st.sampled_from([" ", "  ", "-", ", ", "\t", ""]),
    st.integers(min_value=1, max_value=60),
)
@settings(deadline=None)
def test_long_noisy_text_is_read_without_delay(words: list[str], joint: str, repeated: int) -> None:
    text = joint.join(words * repeated)
    started = time.perf_counter()
    try:
        found = find_period(text, now=NOW)
    except InputError:
        found = None
    assert time.perf_counter() - started < 0.5
    assert found is None or text[slice(*found.span)] == found.phrase


@pytest.mark.parametrize(
    "noise", ["12 ", " ", "the first ", "2024-", "last week of ", "may ", "'s "]
)
def test_the_time_grows_with_the_length_alone(noise: str) -> None:
    question = noise * 4000
    started = time.perf_counter()
    with suppress(InputError):
        find_period(question, now=NOW)
    assert time.perf_counter() - started < 2


def test_a_question_without_a_date_costs_next_to_nothing() -> None:
    question = "What are the main ideas behind evergreen notes and how do they connect?"
    best = min(_seconds(question, runs=50) for _ in range(5))
    assert best / 50 < 0.001


def _seconds(question: str, *, runs: int) -> float:
    started = time.perf_counter()
    for _ in range(runs):
        find_period(question, now=NOW)
    return time.perf_counter() - started
