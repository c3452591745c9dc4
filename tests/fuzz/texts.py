"""Bytes of a fuzzer → a text that reaches far: pieces of markdown and questions, much repeated."""

PIECES: tuple[str, ...] = (
    *("\n", "\n\n", "---\n", "# ", "## H\n", "- ", "  - ", "> ", "> [!note] ", "- [ ] ", "1. "),
    *("[[", "]]", "![[a]]", "[a](b)", "[", "]", "(", ")", "|", "| a | b |\n", "|---|---|\n"),
    *("```", "`", "~~~\n", "$$", "$", "%%", "<!--", "-->", "<div>", "<script>", "</script>", "<"),
    *(
        "**",
        "*",
        "__",
        "_",
        "==",
        "~~",
        "\\",
        "&amp;",
        "&#0;",
        "[^1]",
        "[^1]: ",
        "[r]: ",
        "https://",
    ),
    *(
        "key:: ",
        "[k:: v]",
        "(k:: v)",
        "::",
        "#tag",
        "#a/b",
        " ^id",
        "date: ",
        "created: ",
        "title: ",
    ),
    *("2024-02-30", "0000-00-00", "9999-99-99", "12 May 2025", "31/12/1999", "year 100000", "1878"),
    *(
        "yesterday",
        "last week",
        "between ",
        " and ",
        "since ",
        "before ",
        "in two weeks",
        "Q3 2024",
    ),
    *("dün", "geçen yıl", "bin dokuz yüz", "mayıs", "en son", "ne zaman ", "neden ", "İ", "ı", "ğ"),
    *(
        "What is ",
        "Why ",
        "compare ",
        " vs ",
        "how did ",
        " evolve",
        "except ",
        "causes ",
        "about ",
    ),
    *(
        "A: ",
        "Bo said: ",
        "not ",
        "never ",
        "must ",
        "1,000.5",
        "50 %",
        "3/4",
        "km",
        "e.g. ",
        "Dr. ",
    ),
    *(". ", "! ", "? ", "; ", ", ", "… ", "“", "”", '"', "'", "’", "«", "—", "…", "。"),
    *("\x1b[31m", "\x1b]8;;http://x\x07", "\x9b2J", "\x07", "\r", "\t", "\x0b", "\x0c", "\x85"),
    *("\u2028", "\u202e", "\u200b", "\u200d", "\ufeff", "\u0301", "\U0001f469", "\ud800", "ﷺ", "ẞ"),
    *(
        "word ",
        "a ",
        "the ",
        "x" * 40,
        "the river carries words. ",
        "vault = ",
        "[[a]]\n",
        "{",
        "}",
    ),
)
LONGEST = 100_000
"""Characters of a text."""

_REPEATED = (2, 3, 10, 100, 1000, 10_000)


def text_of(data: bytes) -> str:
    """ASCII stands for itself; a greater byte and the next say which piece, and how often.

    A byte of 255 repeats what the last 1 to 4 pieces came to.
    """
    parts: list[str] = []
    size, at = 0, 0
    while at < len(data) and size < LONGEST:
        byte, after = data[at], data[at + 1] if at + 1 < len(data) else 0
        at += 1
        if byte < 0x80:
            part = chr(byte)
        elif byte < 0xFF:
            at += 1
            part = PIECES[(byte - 0x80 + 127 * (after & 1)) % len(PIECES)]
            often = after >> 4
            part *= _REPEATED[often - 8] if 8 <= often < 14 else 1
        else:
            at += 1
            part = "".join(parts[-1 - (after & 3) :]) * _REPEATED[(after >> 2) % len(_REPEATED)]
        part = part[: LONGEST - size]
        parts.append(part)
        size += len(part)
    return "".join(parts)
