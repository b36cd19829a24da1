"""Pictures of every screen, to be looked at."""

SCREENS = {
    "devices": "#/devices", "records": "#/records/item", "record": "#/records/item/i1",
    "today": "#/today", "trash": "#/records/item?trash=1"}
WIDTHS = (360, 768, 1280, 1920)


def take(page, directory, browser=None):
    """One picture for each screen, width and theme; the paths."""
    directory.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, place in SCREENS.items():
        page.go(place)
        for width in WIDTHS:
            page.size(width)
            for theme in ("light", "dark"):
                page.theme(theme)
                page.until("the theme is painted", "document.fonts.status === 'loaded'")
                if name == "record":
                    page.until("the record is there", "!!document.querySelector('.field-row')")
                    page.run("const b = document.querySelector('[data-focus=\"why-name\"]');"
                             "if (b.getAttribute('aria-expanded') === 'false') b.click()")
                    page.until("the reasons are there", "!!document.querySelector('.why')")
                path = directory / f"{name}-{width}-{theme}.png"
                page.shot(path)
                paths.append(path)
    page.size(1280)
    page.theme("light")
    return paths
