"""Numbers as words, units of measure, and the words that turn a number into a bound."""

from collections.abc import Mapping

from tools.text.stemming import english_stem
from tools.text.stopwords import word_set

APPROXIMATE = word_set("about around roughly approximately circa ca nearly almost ~ ≈ yaklasik")
AT_LEAST = word_set("over above > ≥ minimum exceeds exceed")
AT_MOST = word_set("under below < ≤ maximum within")
_UNIT_FACTORS = """
length mm=.001 cm=.01 m=1 km=1000 metre=1 meter=1 centimetre=.01 centimeter=.01
length millimetre=.001 millimeter=.001 kilometre=1000 kilometer=1000 inch=.0254 foot=.3048
length mile=1609.344
mass mg=1e-6 g=.001 kg=1 gram=.001 kilogram=1 kilo=1 tonne=1000 ton=1000 pound=.4536
volume ml=.001 l=1 litre=1 liter=1 litr=1 millilitre=.001 milliliter=.001 cup=.24
time ms=.001 second=1 sec=1 minute=60 min=60 hour=3600 h=3600 day=86400 week=604800 month=2629800
time year=31557600 decade=315576000 century=3155760000 saniye=1 dakika=60 saat=3600 gun=86400
time hafta=604800 ay=2629800 yil=31557600
conductivity mS/cm=1 µS/cm=.001
concentration g/l=1 mg/l=.001
speed km/h=.277778 m/s=1
percent %=1 percent=1 percentage=1 yuzde=1
celsius °C=1 celsius=1
fahrenheit °F=1 fahrenheit=1
degree °=1 degree=1 derece=1
area m2=1 km2=1e6 hectare=1e4
data kb=1e3 mb=1e6 gb=1e9 tb=1e12 byte=1
power w=1 kw=1000 watt=1 kilowatt=1000
voltage v=1 volt=1
frequency hz=1 khz=1e3 mhz=1e6 ghz=1e9
energy kcal=1 calorie=1 kj=.239
dollar $=1 dollar=1 usd=1
euro €=1 euro=1 eur=1
sterling £=1 gbp=1
lira ₺=1 lira=1 tl=1
"""


def _units() -> Mapping[str, tuple[str, float]]:
    units: dict[str, tuple[str, float]] = {}
    for line in _UNIT_FACTORS.strip().splitlines():
        dimension, *pairs = line.split()
        for pair in pairs:
            name, factor = pair.split("=")
            units[name] = units[english_stem(name) if len(name) > 3 else name] = (
                dimension,
                float(factor),
            )
    return units


UNITS = _units()
"""A unit's dimension and its size in the dimension's base unit, by sign, name and stem."""

DIMENSIONS = frozenset(dimension for dimension, _ in UNITS.values())

_ONE_WORDS = """zero one two three four five six seven eight nine ten eleven twelve thirteen
fourteen fifteen sixteen seventeen eighteen nineteen"""
ONES = tuple(_ONE_WORDS.split())
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
TENS = tuple(_TEN_WORDS.split())
_TURKISH_ONES = "sifir bir iki uc dort bes alti yedi sekiz dokuz on"
_TURKISH_TENS = "yirmi otuz kirk elli altmis yetmis seksen doksan"
NUMBER_WORDS: Mapping[str, float] = (
    {word: float(value) for value, word in enumerate(ONES)}
    | {word: 10.0 * value for value, word in enumerate(TENS, 2)}
    | {"dozen": 12.0, "half": 0.5}
)
TURKISH_NUMBER_WORDS: Mapping[str, float] = {
    word: float(value) for value, word in enumerate(_TURKISH_ONES.split())
} | {word: 10.0 * value for value, word in enumerate(_TURKISH_TENS.split(), 2)}
SCALES: Mapping[str, float] = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "billion": 1e9,
}
TURKISH_SCALES: Mapping[str, float] = {"yuz": 1e2, "bin": 1e3, "milyon": 1e6, "milyar": 1e9}
_ORDINAL_WORDS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh
twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"""
_TURKISH_ORDINALS = "birinci ikinci ucuncu dorduncu besinci altinci yedinci sekizinci"
ORDINALS: Mapping[str, float] = {
    word: float(value)
    for text in (_ORDINAL_WORDS, _TURKISH_ORDINALS)
    for value, word in enumerate(text.split(), 1)
}
BOUNDS: Mapping[tuple[str, str], int] = {
    ("more", "than"): 1,
    ("greater", "than"): 1,
    ("at", "least"): 1,
    ("en", "az"): 1,
    ("less", "than"): -1,
    ("fewer", "than"): -1,
    ("at", "most"): -1,
    ("up", "to"): -1,
    ("en", "fazla"): -1,
}
"""Words before a number that make it a lower (1) or an upper (-1) bound."""
